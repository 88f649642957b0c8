"""Rows of the table of wrong arguments: a call, the kind of its error, the words that the error must hold."""
