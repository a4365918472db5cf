"""Mutation testing of the suite itself: break theory/ or numerics/ on purpose, and see what notices."""
