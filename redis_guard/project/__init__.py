"""Many files' facts joined: which expressions are Redis objects, and what is done with them."""
