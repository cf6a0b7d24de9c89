"""What an expectation in words and an outcome in words have to do with each other."""
