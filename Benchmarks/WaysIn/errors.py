"""What ends the measurement, as a sentence for whoever runs it."""


class BindingsError(Exception):
    pass
