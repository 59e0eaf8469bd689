"""Sinks for what the runtime tells about itself."""
