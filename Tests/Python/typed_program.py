"""A program with types."""
import aacorn

data: bytes = aacorn.encode([0.0] * 2000, 44100, bitrate=64_000)
sound: aacorn.Sound = aacorn.decode(data)
seconds: float = sound.duration
with aacorn.Encoder(44100, 1, format="adts") as encoder:
    piece: bytes = encoder.push([0.0] * 10) + encoder.finish()
