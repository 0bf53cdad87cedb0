"""The program of Benchmarks/bindings, which documents it."""

import argparse
import hashlib
import os
import statistics
import sys
import tempfile

from errors import BindingsError
from ways import ALL

# The maximum size of a header before the samples, in bytes.
HEADER = 4096


def arguments():
    parser = argparse.ArgumentParser(
        prog="Benchmarks/bindings", description="Every way into the codec beside the command.")
    parser.add_argument("--rounds", type=int, default=5, help="of which medians are taken")
    parser.add_argument("--seconds", type=int, default=600, help="of sound")
    parser.add_argument("--only", default=",".join(ALL), help="ways, by " + ", ".join(ALL))
    parsed = parser.parse_args()
    parsed.only = parsed.only.split(",")
    unknown = [name for name in parsed.only if name not in ALL]
    if unknown or parsed.rounds < 1 or parsed.seconds < 1:
        parser.error(f"there is no way {unknown[0]}" if unknown else "there must be at least one")
    return parsed


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def samples(path):
    """Returns the samples of a WAV file, and skips all other chunks before them."""
    with open(path, "rb") as file:
        front = file.read(HEADER)
        at = front.find(b"data")
        if front[:4] not in (b"RIFF", b"RF64") or at < 0:
            raise BindingsError(f"The decoded file {os.path.basename(path)} is not a WAV file.")
        file.seek(at + 8)
        size = int.from_bytes(front[at + 4:at + 8], "little")
        # Other programs may write chunks after the samples; RF64 stores the size elsewhere.
        return file.read(size if size < 0xFFFFFFFF else -1)


def units(path):
    """Returns the units of an ADTS stream without their headers."""
    with open(path, "rb") as file:
        data = file.read()
    found, place = [], 0
    while place + 7 <= len(data):
        size = (data[place + 3] & 3) << 11 | data[place + 4] << 3 | data[place + 5] >> 5
        if data[place] != 0xFF or size < 7:
            raise BindingsError(f"{os.path.basename(path)} has no frame at byte {place}.")
        found.append(data[place + (7 if data[place + 1] & 1 else 9):place + size])
        place += size
    return found


class Measured:
    """The measured times of an interface in each round."""

    def __init__(self, name, folder):
        self.name = name
        self.way = ALL[name](folder)
        self.encoded = []
        self.decoded = []

    def median(self, kind, index):
        return statistics.median(pair[index] for pair in getattr(self, kind))


def check(measured, folder, references):
    """Checks that an interface makes the same output as the command."""
    coded, wav = (os.path.join(folder, f"{measured.name}.{ending}")
                  for ending in (measured.way.container, "wav"))
    reference = references[measured.way.container]
    # GStreamer's parser writes the ADTS headers, so compare only the units.
    is_same = (units(coded) == units(reference) if measured.way.container == "aac"
               else digest(coded) == digest(reference))
    if not is_same:
        raise BindingsError(f"{measured.way.title} encodes to other bytes than the command.")
    expected = samples(references["wav"][measured.way.container])
    with open(wav, "rb") as file:
        # A page cannot write a file of samples, and reports their number.
        text = file.read(16)
    if text.isdigit():
        if int(text) * 8 != len(expected):
            raise BindingsError(f"{measured.way.title} decodes {int(text)} samples a channel, "
                                f"the command {len(expected) // 8}.")
    elif samples(wav) != expected:
        raise BindingsError(f"{measured.way.title} decodes to other samples than the command.")


def reference_files(command, folder, wav):
    """Returns the reference outputs for all interfaces."""
    references = {"wav": {}}
    for container in ("m4a", "aac"):
        coded, decoded = (os.path.join(folder, f"reference-{container}.{ending}")
                          for ending in (container, "wav"))
        command.encode(wav, coded)
        command.decode(coded, decoded)
        references[container] = coded
        references["wav"][container] = decoded
    return references


def table(everything, seconds, rounds):
    first = everything[0]
    yield f"{seconds} s of stereo at 44.1 kHz, 128 kb/s, one thread; medians of {rounds} rounds. In " \
        "brackets: times what the command takes."
    yield ""
    yield "| | encode: s | user CPU, s | decode: s | user CPU, s |"
    yield "|---|---:|---:|---:|---:|"
    for one in everything:
        cells = []
        for kind in ("encoded", "decoded"):
            for index in (0, 1):
                value = one.median(kind, index)
                ratio = value / max(first.median(kind, index), 1e-9)
                cells.append(f"{value:.2f}" + (f" ({ratio:.2f}×)" if one is not first else ""))
        yield f"| {one.way.title} | {' | '.join(cells)} |"


def main():
    parsed = arguments()
    import source  # Its dependencies may be missing.
    everything = []
    with tempfile.TemporaryDirectory(prefix="bindings-") as folder:
        try:
            names = ["command"] + [name for name in parsed.only if name != "command"]
            for name in names:
                everything.append(Measured(name, folder))
            wav = os.path.join(folder, "source.wav")
            source.write(wav, parsed.seconds)
            references = reference_files(everything[0].way, folder, wav)
            for number in range(parsed.rounds):
                print(f"round {number + 1}/{parsed.rounds}", file=sys.stderr)
                for one in everything:
                    ending = one.way.container
                    coded, decoded = (os.path.join(folder, f"{one.name}.{kind}")
                                      for kind in (ending, "wav"))
                    one.encoded.append(one.way.encode(wav, coded))
                    one.decoded.append(one.way.decode(references[ending], decoded))
                    if number == 0:
                        check(one, folder, references)
                    os.unlink(coded)
                    os.unlink(decoded)
            print("\n".join(table(everything, parsed.seconds, parsed.rounds)))
        finally:
            for one in everything:
                one.way.close()


try:
    main()
except BindingsError as error:
    sys.exit(str(error))
