"""An error that ends the measurement, with a message for the user."""


class BindingsError(Exception):
    pass
