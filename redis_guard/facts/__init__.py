"""One file's source as plain data. The only place that walks libcst."""
