"""The Swift code of documents, for the scripts that check or copy it."""

import re


def swift_blocks(text):
    """Returns the Swift code of a document in pieces, each with the number of its first line."""
    return [
        (text.count("\n", 0, found.start(1)) + 1, found[1])
        for found in re.finditer(r"^```swift\n(.*?)\n```$", text, re.S | re.M)]


def shown_lines(path):
    """Returns the lines of a snippet that a reader sees: without the explanation and hidden parts."""
    shown, is_hidden = [], False
    for line in path.read_text().splitlines():
        if line.strip() in ("// snippet.hide", "// snippet.show"):
            is_hidden = line.endswith("hide")
        elif not is_hidden and not line.startswith("//!"):
            shown.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(shown).strip()).splitlines()
