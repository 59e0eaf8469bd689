"""What a group of calls amounts to. Rules, inventory and migration share it.

Law of this package: values of `redis_guard.project.model` in, plain values out; no finding is made here.
"""
