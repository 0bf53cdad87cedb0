"""Writes the Swift code of the documents as files that a compiler accepts.

    python3 Tests/AppleGuides FOLDER
    python3 Tests/AppleGuides --class EngineTap FOLDER

writes a Swift file into the folder for each snippet, as a function of an app's type, and for each file of
this folder, which contains the surroundings of the code of README.md and of the articles. There a line

    // Code IOSInTenMinutes 1

is replaced by the first Swift code of that article. All code must be used once. Code in the column “Here” of
an article's table must occur in compiled code. The compiler reports errors at their positions in the documents.

With --class it writes only this class, for a test that runs it.
"""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Scripts"))
from documented_code import swift_blocks  # noqa: E402

IMPORT = re.compile(r"import (\w+)$")
PLACE = re.compile(r" *// Code (\w+) (\d+)$")
# The type of the main actor that contains all code.
APP = "AppCode"
# A closure that a thread of the system's calls. Without @Sendable it would belong to the main actor, and the
# first call would end the app. The compiler does not see that.
TRAP = re.compile(r"\.installTap\([^{]*\{(?! *@Sendable\b)")


def documents():
    """README.md and the articles."""
    return [Path("README.md"), *sorted(Path("Sources").glob("*/*.docc/**/*.md"))]


def placed(path, line, code):
    """Returns code that the compiler treats as code of a document, without its imports."""
    code = "\n".join("" if IMPORT.match(text) else text for text in code.split("\n"))
    return f'#sourceLocation(file: "{path}", line: {line})\n{code}\n#sourceLocation()'


def function(path):
    """A snippet as a function of the app's type, since a module has only one file with a program."""
    code = path.read_text()
    imports = [line for line in code.split("\n") if IMPORT.match(line)]
    return "\n".join([
        *imports, "", f"extension {APP} {{ static func snippet{path.stem}() async throws {{",
        placed(path, 1, code), "}}", ""])


def filled(path, blocks, used):
    """Returns a file of Tests/AppleGuides with the code for its placeholders."""
    lines = [f'#sourceLocation(file: "{path}", line: 1)']
    for number, line in enumerate(path.read_text().split("\n"), 1):
        place = PLACE.match(line)
        if not place:
            lines.append(line)
            continue
        name = (place[1], int(place[2]))
        if name not in blocks or name in used:
            sys.exit(f"{path}:{number}: there is no such code, or it is used twice: {line.strip()}")
        used.add(name)
        lines += [placed(*blocks[name]), f'#sourceLocation(file: "{path}", line: {number + 1})']
    return "\n".join([*lines, "#sourceLocation()", ""])


def pattern(code):
    """Returns a pattern of a use of the code in a table."""
    call = re.fullmatch(r"([\w.]+)\(((?:\w+:)+)\)", code)
    if not call:
        return re.escape(code)
    labels = [re.escape(label) + ":" for label in call[2].split(":")[:-1] if label != "_"]
    return r"\b" + re.escape(call[1]) + r"\(" + "".join(f"[^\n]*{label}" for label in labels)


def check_tables(document, text, compiled):
    """Searches compiled code for the code in the columns “Here” of a document's tables; returns the tables."""
    tables = re.findall(r"^\|.*\| Here \|\n((?:\|.*\|\n)*)", text, re.M)
    for table in tables:
        for row in table.splitlines():
            for code in re.findall(r"`([^`]+)`", row.split("|")[-2]):
                if not code.startswith("aacorn ") and not re.search(pattern(code), compiled):
                    sys.exit(f"{document} names {code}, which no compiled code uses")
    return tables


def write(folder):
    """Writes all files."""
    blocks, used = {}, set()
    texts = {document: document.read_text() for document in documents()}
    for document, text in texts.items():
        for number, (line, code) in enumerate(swift_blocks(text), 1):
            if ".installTap(" in code and ".AVAudioEngineConfigurationChange" not in code:
                sys.exit(f"{document}:{line}: a tap goes silent when the device changes. Observe the engine.")
            if TRAP.search(code):
                sys.exit(f"{document}:{line}: a closure that another thread calls needs @Sendable in an app.")
            blocks[document.stem, number] = (document, line, code)
    files = {}
    for path in sorted(Path("Snippets").glob("*.swift")):
        # Under a name other than in the compiler's arguments.
        files[f"Snippet{path.stem}.swift"] = function(path)
    for path in sorted(Path("Tests/AppleGuides").glob("*.swift")):
        files[f"Guide{path.stem}.swift"] = filled(path, blocks, used)
    for name, number in blocks.keys() - used:
        sys.exit(f"Tests/AppleGuides has no placeholder for code {number} of {blocks[name, number][0]}")
    compiled = "\n".join(files.values())
    # A list, so that every document is searched.
    if not any([check_tables(document, text, compiled) for document, text in texts.items()]):
        sys.exit("No article has a table with a column “Here”.")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def write_class(name, folder):
    """Writes the file of a class, which exactly one document declares."""
    found = [
        (document, line + code.count("\n", 0, match.start()), match[0])
        for document in documents() for line, code in swift_blocks(document.read_text())
        for match in re.finditer(rf"^(?:@\w+ )?(?:final )?class {name}\b.*?^}}$", code, re.S | re.M)]
    if len(found) != 1:
        sys.exit(f"{len(found)} documents declare {name}.")
    imports = "import AVFAudio\nimport AacornDevices\nimport AacornRecording\nimport Foundation\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.swift").write_text(f"{imports}\n{placed(*found[0])}\n")


if __name__ == "__main__":
    folder = Path(sys.argv[-1]).absolute()
    os.chdir(ROOT)
    if sys.argv[1] == "--class":
        write_class(sys.argv[2], folder)
    else:
        write(folder)
