"""What a simulation returns: tables and intervals (`result`), its file with the settings, and results kept on disk.

May import `evidence`, `user_code`, `validate` and `io`.
"""
