"""What the calls on one family of keys amount to: a lock, a claim, a counter, a cache entry …

Law of this package: calls in, judgements out; no file, no syntax tree, no rule.
"""
