"""From edits to changed files: applying, choosing between overlapping fixes, writing."""
