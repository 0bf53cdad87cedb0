"""Encoders of AAC."""

import ctypes
from dataclasses import dataclass
from typing import Any, Optional

from . import _library
from ._exclusive import Exclusive, exclusive
from ._library import library
from ._samples import Borrowed, borrowed_samples, channel_count
from .errors import AacornError


@dataclass(frozen=True)
class EncoderFacts:
    """The properties of an encoder."""

    sample_rate: int
    channels: int
    #: ``lc``, ``he`` or ``he2``; with ``auto`` the selected profile.
    profile: str
    #: Bits per second; None for a variable rate.
    bitrate: Optional[int]
    #: The highest coded frequency, in hertz.
    bandwidth: int
    #: Decoded frames of each unit.
    frames_per_unit: int
    #: Frames that a player must drop at the start.
    priming: int
    #: Frames that a player must drop at the end; None before ``finish``.
    remainder: Optional[int] = None


@dataclass(frozen=True)
class Unit:
    """One coded unit, for decoders of bare units."""

    data: bytes
    #: The first decoded frame, counted in input frames; negative while priming.
    position: int
    #: The number of decoded frames.
    duration: int


def _choice(table: dict[str, int], value: str, name: str) -> int:
    try:
        return table[value]
    # A list, for example, cannot even be looked up.
    except (KeyError, TypeError):
        raise ValueError(f"{name} is one of {', '.join(table)}, not “{value}”.") from None


class _Sink:
    """The bytes written by the library.

    Has no reference to its encoder, because a reference cycle would keep both alive.
    """

    def __init__(self, is_whole: bool) -> None:
        #: Whether bytes are written at their file offsets; otherwise they are appended.
        self.is_whole = is_whole
        self.failure: Optional[BaseException] = None
        self._ready = bytearray()

    def take(self, context: Any, offset: int, data: Any, count: int) -> int:
        """Stores bytes. The library calls it, so it must not raise exceptions."""
        try:
            piece = ctypes.string_at(data, count)
            if self.is_whole:
                end = offset + count
                if len(self._ready) < end:
                    self._ready.extend(bytes(end - len(self._ready)))
                self._ready[offset:end] = piece
            else:
                self._ready += piece
            return 0
        except BaseException as failure:
            self.failure = failure
            return 1

    def empty(self) -> bytes:
        """Removes and returns all bytes."""
        ready = bytes(self._ready)
        self._ready.clear()
        return ready


class _Base(Exclusive):
    """The common settings and properties of encoders."""

    _encoder: Optional[int] = None

    def __init__(
        self,
        sample_rate: int,
        channels: Optional[int],
        *,
        profile: str,
        bitrate: Optional[int],
        average_bitrate: Optional[int],
        quality: Optional[int],
        effort: str,
        bandwidth: Optional[int],
        signaling: str,
        mpeg2: bool,
    ) -> None:
        super().__init__()
        # Without a number, samples of one dimension could be mono or interleaved.
        self._has_default_channels = channels is None
        self._channels = 2 if channels is None else _library.positive(channels, "channels")
        self._is_over = False
        rates = [
            (_library.RATE_CONSTANT, bitrate, "bitrate"),
            (_library.RATE_AVERAGE, average_bitrate, "average_bitrate"),
            (_library.RATE_VARIABLE, quality, "quality"),
        ]
        chosen = [rate for rate in rates if rate[1] is not None]
        if len(chosen) > 1:
            raise ValueError("bitrate, average_bitrate and quality exclude each other.")
        mode, value = _library.RATE_DEFAULT, 0
        for mode, number, name in chosen:
            value = _library.positive(number, name)
        settings = _library.EncoderSettings(
            size=ctypes.sizeof(_library.EncoderSettings),
            sample_rate=_library.positive(sample_rate, "sample_rate"),
            channels=self._channels,
            profile=_choice(_library.PROFILES, profile, "profile"),
            rate_mode=mode,
            rate_value=value,
            effort=_choice(_library.EFFORTS, effort, "effort"),
            bandwidth=0 if bandwidth is None else _library.positive(bandwidth, "bandwidth"),
            signaling=_choice(_library.SIGNALINGS, signaling, "signaling"),
            flags=_library.ENCODER_MPEG2 if mpeg2 else 0,
        )
        error = _library.Error()
        self._encoder = library.aacorn_encoder_create(
            ctypes.byref(settings), ctypes.byref(error)
        )
        if not self._encoder:
            raise AacornError(error.sentence.decode(), error.code)

    def _take(self, samples: Any) -> None:
        if self._encoder is None or self._is_over:
            raise ValueError("The encoder is closed, or finished.")
        with borrowed_samples(samples, self._channels, needs_shape=self._has_default_channels) as borrowed:
            self._take_borrowed(borrowed)

    def _take_borrowed(self, borrowed: Borrowed) -> None:
        push = (
            library.aacorn_encoder_push_float
            if borrowed.is_float
            else library.aacorn_encoder_push_int16
        )
        self._check(push(self._encoder, borrowed.address, borrowed.frame_count))

    def _end(self) -> None:
        if self._encoder is None:
            raise ValueError("The encoder is closed.")
        self._is_over = True
        self._check(library.aacorn_encoder_finish(self._encoder))

    @exclusive
    def set_bitrate(self, bitrate: int) -> None:
        """Changes the bitrate of the following units. Raises an error for a variable rate."""
        if self._encoder is None:
            raise ValueError("The encoder is closed.")
        self._check(library.aacorn_encoder_set_bitrate(self._encoder, _library.positive(bitrate, "bitrate")))

    def _check(self, result: int) -> None:
        if result < 0:
            sentence = library.aacorn_encoder_error(self._encoder) or library.aacorn_strerror(result)
            raise AacornError(sentence.decode(), result)

    @property
    @exclusive
    def facts(self) -> EncoderFacts:
        """The properties of the encoder."""
        if self._encoder is None:
            raise ValueError("The encoder is closed.")
        facts = _library.EncoderFacts()
        self._check(library.aacorn_encoder_describe(self._encoder, ctypes.byref(facts)))
        names = {number: name for name, number in _library.PROFILES.items()}
        return EncoderFacts(
            facts.sample_rate,
            facts.channels,
            names[facts.profile],
            facts.bitrate or None,
            facts.bandwidth,
            facts.frames_per_unit,
            facts.priming,
            facts.remainder if facts.remainder >= 0 else None,
        )

    @property
    @exclusive
    def config(self) -> bytes:
        """The AudioSpecificConfig for decoders of bare units."""
        if self._encoder is None:
            raise ValueError("The encoder is closed.")
        count = library.aacorn_encoder_config(self._encoder, None, 0)
        space = (ctypes.c_uint8 * count)()
        library.aacorn_encoder_config(self._encoder, space, count)
        return bytes(space)

    def _free(self) -> None:
        encoder, self._encoder = self._encoder, None
        if encoder:
            library.aacorn_encoder_destroy(encoder)


class Encoder(_Base):
    """Encodes samples incrementally.

    ``push`` and ``finish`` return the finished bytes. ``finish`` returns all of an M4A file, unless
    ``stream`` is set: then the file is written in fragments, which can be sent immediately.

    For bare units without a container, use a :class:`UnitEncoder`.

    Without ``channels``, the encoder has 2 channels, and samples need the shape (frames, 2).

    Only one thread at a time may use an encoder. A call raises RuntimeError during a call of another
    thread. Different encoders run in parallel.
    """

    _writer: Optional[int] = None

    def __init__(
        self,
        sample_rate: int,
        channels: Optional[int] = None,
        *,
        format: str = "m4a",
        profile: str = "lc",
        bitrate: Optional[int] = None,
        average_bitrate: Optional[int] = None,
        quality: Optional[int] = None,
        effort: str = "balanced",
        bandwidth: Optional[int] = None,
        signaling: str = "default",
        mpeg2: bool = False,
        stream: bool = False,
        checksums: bool = False,
        expected_frames: int = 0,
        title: Optional[str] = None,
        artist: Optional[str] = None,
        album: Optional[str] = None,
        date: Optional[str] = None,
        comment: Optional[str] = None,
    ) -> None:
        kind = _choice(_library.FORMATS, format, "format")
        super().__init__(
            sample_rate,
            channels,
            profile=profile,
            bitrate=bitrate,
            average_bitrate=average_bitrate,
            quality=quality,
            effort=effort,
            bandwidth=bandwidth,
            signaling=signaling,
            mpeg2=mpeg2,
        )
        self._sink = _Sink(is_whole=format == "m4a" and not stream)
        flags = 0
        if not self._sink.is_whole:
            flags |= _library.WRITER_STREAM
        if checksums:
            flags |= _library.WRITER_CHECKSUMS
        # Retained, because the library calls it during the lifetime of the writer.
        self._write = _library.Write(self._sink.take)
        form = _library.WriterSettings(
            size=ctypes.sizeof(_library.WriterSettings),
            format=kind,
            flags=flags,
            expected_frames=_library.int64(expected_frames, "expected_frames"),
            write=self._write,
            title=_library.text(title, "title"),
            artist=_library.text(artist, "artist"),
            album=_library.text(album, "album"),
            date=_library.text(date, "date"),
            comment=_library.text(comment, "comment"),
        )
        error = _library.Error()
        self._writer = library.aacorn_writer_create(
            self._encoder, ctypes.byref(form), ctypes.byref(error)
        )
        if not self._writer:
            self.close()
            raise AacornError(error.sentence.decode(), error.code)

    @exclusive
    def push(self, samples: Any) -> bytes:
        """Encodes samples: float32 from -1 to 1, or int16; interleaved, or (frames, channels).

        Contiguous arrays are not copied. Returns the finished bytes.
        """
        self._take(samples)
        return self._collect()

    @exclusive
    def finish(self) -> bytes:
        """Ends the input; returns the remaining bytes. For an M4A file these are all bytes."""
        self._end()
        return self._collect(at_end=True)

    def _collect(self, at_end: bool = False) -> bytes:
        result = library.aacorn_writer_write(self._writer)
        failure, self._sink.failure = self._sink.failure, None
        if failure is not None:
            raise failure
        if result < 0:
            raise AacornError(library.aacorn_writer_error(self._writer).decode(), result)
        return b"" if self._sink.is_whole and not at_end else self._sink.empty()

    def _free(self) -> None:
        writer, self._writer = self._writer, None
        if writer:
            library.aacorn_writer_destroy(writer)
        super()._free()


class UnitEncoder(_Base):
    """Encodes samples to bare units, for your own containers and protocols.

    A decoder needs ``config``, the delay in ``facts.priming``, and for the exact length
    ``facts.remainder``.

    Without ``channels``, the encoder has 2 channels, and samples need the shape (frames, 2).

    Only one thread at a time may use an encoder. A call raises RuntimeError during a call of another
    thread. Different encoders run in parallel.
    """

    def __init__(
        self,
        sample_rate: int,
        channels: Optional[int] = None,
        *,
        profile: str = "lc",
        bitrate: Optional[int] = None,
        average_bitrate: Optional[int] = None,
        quality: Optional[int] = None,
        effort: str = "balanced",
        bandwidth: Optional[int] = None,
        signaling: str = "default",
        mpeg2: bool = False,
    ) -> None:
        super().__init__(
            sample_rate,
            channels,
            profile=profile,
            bitrate=bitrate,
            average_bitrate=average_bitrate,
            quality=quality,
            effort=effort,
            bandwidth=bandwidth,
            signaling=signaling,
            mpeg2=mpeg2,
        )

    @exclusive
    def push(self, samples: Any) -> list[Unit]:
        """Encodes samples, in the formats of :class:`Encoder`; returns the finished units."""
        self._take(samples)
        return self._pull()

    @exclusive
    def finish(self) -> list[Unit]:
        """Ends the input; returns the remaining units."""
        self._end()
        return self._pull()

    def _pull(self) -> list[Unit]:
        units: list[Unit] = []
        unit = _library.Unit()
        while True:
            result = library.aacorn_encoder_pull(self._encoder, ctypes.byref(unit))
            self._check(result)
            if result == 0:
                return units
            data = ctypes.string_at(unit.bytes, unit.byte_count)
            units.append(Unit(data, unit.position, unit.duration))


def encode(samples: Any, sample_rate: int, *, channels: Optional[int] = None, **settings: Any) -> bytes:
    """Encodes samples to an M4A file in memory, or to another ``format``.

    The second dimension of the samples is the number of channels; without it there is one channel.
    Accepts the settings of :class:`Encoder`.
    """
    if channels is None:
        channels = channel_count(samples)
    channels = _library.positive(channels, "channels")
    with borrowed_samples(samples, channels) as borrowed:
        # With a known length, M4A has its tables at the start, and can be played while it loads.
        settings.setdefault("expected_frames", borrowed.frame_count)
        with Encoder(sample_rate, channels, **settings) as encoder:
            encoder._take_borrowed(borrowed)
            return encoder._collect() + encoder.finish()
