"""Call sites of one registered use case, rewritten to the runtime.

Law of this package: one file is rewritten wholly or not at all, and what is not rewritten is named with the reason. It
knows the runtime's names as data, and nothing of files on disk.
"""
