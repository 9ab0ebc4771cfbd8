"""A support desk: one graph answers, the other sorts."""
