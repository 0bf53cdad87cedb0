"""What can go wrong."""


class AacornError(Exception):
    """The library's sentence about what is wrong, and its code, as in aacorn.h."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code
