"""Papermill's engine, which writes the notebook once."""

from papermill.engines import NBClientEngine, papermill_engines

ENGINE = "banditlab"


class WrittenAtTheEnd(NBClientEngine):
    """Leave the notebook unwritten until its run ends, however it ends: twice a cell costs seconds."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, **options):
        """Run the notebook; papermill writes it after this."""
        path, nb_man.output_path = nb_man.output_path, None
        try:
            return super().execute_managed_notebook(nb_man, kernel_name, **options)
        finally:
            nb_man.output_path = path


papermill_engines.register(ENGINE, WrittenAtTheEnd)
