"""The nouns of Groundsmith: frozen records that every other package shares and that import none of them."""
