"""What a simulation returns: tables and intervals (`result`), its file and the settings in it, and results kept on disk.

May import `evidence`, `user_code`, `validate` and `io`.
"""
