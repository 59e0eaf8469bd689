"""What keeps a finding quiet: allow comments, flake8's noqa, config tables, the baseline.

`apply.silence` puts them together; the other files are its parts.
"""
