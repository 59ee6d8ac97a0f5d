"""The pages, one module for each screen; `ROUTES` of each lists its addresses."""
