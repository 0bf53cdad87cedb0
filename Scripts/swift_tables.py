"""What the scripts that write tables of the codec have in common."""

import sys
from pathlib import Path

TABLES = Path(__file__).resolve().parent.parent / "Sources/AacornCodec/Tables"
ROOT_BITS = 8
LINK = 1 << 8


def literal(name, kind, values, comment, form=str):
    """A static array of numbers, with an empty line before it."""
    lines = ["", f"  /// {comment}", "  // swift-format-ignore", f"  static let {name}: [{kind}] = ["]
    line = "   "
    for value in values:
        item = f" {form(value)},"
        if len(line) + len(item) > 100:
            lines.append(line)
            line = "   "
        line += item
    return "\n".join(lines + [line, "  ]"]) + "\n"


def lookup_table(symbols, most_bits=32):
    """A Huffman book as a table with an entry for each value of the next 8 bits.

    Symbols are (code, length, entry). For longer codes there is a link to a table further on, for
    up to `most_bits` more bits, which may have links as well.
    """
    table = [0] * (1 << ROOT_BITS)

    def fill(start, bits, members):
        longer = {}
        for code, left, entry in members:
            if left <= bits:
                spare = bits - left
                for rest in range(1 << spare):
                    table[start + (code << spare | rest)] = entry
            else:
                extra = left - bits
                longer.setdefault(code >> extra, []).append(
                    (code & ((1 << extra) - 1), extra, entry))
        for prefix, rest in sorted(longer.items()):
            more = min(most_bits, max(extra for _, extra, _ in rest))
            place = len(table)
            table[start + prefix] = place << 16 | LINK | more
            table.extend([0] * (1 << more))
            fill(place, more, rest)

    fill(0, ROOT_BITS, symbols)
    assert all(table) and len(table) <= 4096
    return table


def run(make):
    """Writes the files that `make` gives by their names, from the JSON folder.

    With --check nothing is written; the exit status tells whether they are up to date. Another
    folder may be named.
    """
    arguments = sys.argv[1:]
    folders = [Path(argument) for argument in arguments if not argument.startswith("--")]
    files = make(folders[0] if folders else TABLES / "JSON")
    stale = [name for name, text in files.items()
             if not (TABLES / name).exists() or (TABLES / name).read_text() != text]
    if "--check" not in arguments:
        for name in stale:
            (TABLES / name).write_text(files[name])
    elif stale:
        sys.exit(f"These tables differ from their JSON; run {sys.argv[0]}: " + ", ".join(stale))
