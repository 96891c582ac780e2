"""What commands write: lines on a terminal, files and progress bars. Imports nothing of tfqueue.

`printing` makes a name or a message one line that is safe to print, `files` writes a file whole or
not at all, and `progress` shows how far a command is.
"""
