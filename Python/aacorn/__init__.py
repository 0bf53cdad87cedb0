"""Encodes and decodes AAC: AAC-LC, HE-AAC and HE-AAC v2, in M4A, ADTS and LATM.

    >>> import aacorn
    >>> data = aacorn.encode(samples, 44100, bitrate=128_000)
    >>> sound = aacorn.decode(data)

Threads encode and decode in parallel. The same samples give the same bytes.
"""

from ._library import version as _version
from .decoder import Decoder, Sound, decode
from .encoder import Encoder, EncoderFacts, Unit, UnitEncoder, encode
from .errors import AacornError
from .files import Facts, inspect, read, write

__version__ = _version()

__all__ = [
    "AacornError",
    "Decoder",
    "Encoder",
    "EncoderFacts",
    "Facts",
    "Sound",
    "Unit",
    "UnitEncoder",
    "decode",
    "encode",
    "inspect",
    "read",
    "write",
]
