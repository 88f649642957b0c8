"""Papermill's engine, which writes the notebook once, and does not wait for a kernel that nobody needs any more."""

from papermill.engines import NBClientEngine, papermill_engines

ENGINE = "banditlab"


class WrittenAtTheEnd(NBClientEngine):
    """Leave the notebook unwritten until its run ends, however it ends: twice a cell costs seconds.

    The kernel is ended at once: left to itself it would take a second or two to free all its objects, one by one.
    """

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, **options):
        """Run the notebook; papermill writes it after this."""
        path, nb_man.output_path = nb_man.output_path, None
        try:
            return super().execute_managed_notebook(nb_man, kernel_name, shutdown_kernel="immediate", **options)
        finally:
            nb_man.output_path = path


papermill_engines.register(ENGINE, WrittenAtTheEnd)
