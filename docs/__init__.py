"""The pages, and what makes the generated ones."""
