"""Papermill's engine, which writes the notebook once, and neither shares a port nor waits for a kernel at its end."""

import tempfile

import zmq
from papermill.engines import NBClientEngine, papermill_engines
from traitlets.config import Config

ENGINE = "banditlab"


class WrittenAtTheEnd(NBClientEngine):
    """Leave the notebook unwritten until its run ends, however it ends: twice a cell costs seconds.

    The kernel is spoken to through sockets in a folder of its own: a TCP port, which is chosen before the kernel binds
    it, may be taken in between. It is ended at once: left to itself it would take a second or two to free all its
    objects, one by one.
    """

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, **options):
        """Run the notebook; papermill writes it after this."""
        path, nb_man.output_path = nb_man.output_path, None
        try:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                options = {"config": connection_of(f"{folder}/kernel.json"), "shutdown_kernel": "immediate", **options}
                return super().execute_managed_notebook(nb_man, kernel_name, **options)
        finally:
            nb_man.output_path = path


def connection_of(file):
    """How to speak to the kernel that this file tells of; a folder of a very long name can hold no sockets."""
    fits = len(f"{file}-ipc-5") <= zmq.IPC_PATH_MAX_LEN
    return Config(KernelManager={"transport": "ipc" if fits else "tcp", "connection_file": file})


papermill_engines.register(ENGINE, WrittenAtTheEnd)
