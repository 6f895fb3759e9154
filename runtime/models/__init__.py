"""Language models: one small interface, and the layer over litellm that stands behind it."""
