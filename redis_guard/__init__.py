"""redis-guard gives every Redis key an owner."""

__version__ = "0.1.0"
