"""How findings are put right: one file a repair.

Law of this package: a repair changes what it must and nothing else. What it takes for granted is said in its title and
makes it unsafe; what it cannot see makes it no fix at all.
"""
