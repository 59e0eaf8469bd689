"""Which files belong to the project, their bytes, and what is remembered of them.

Law of this folder: it knows bytes and files, never syntax trees.
"""
