"""Prints the lines of layout.txt as assertions in C; fails unless the lines name all that a HEADER declares.

A line is a struct and its size, a member with its offset and size, or a constant and its value.
"""

import re
import sys
from pathlib import Path

header = re.sub(r"/\*.*?\*/", "", Path(sys.argv[1]).read_text(), flags=re.DOTALL)
lines = Path(__file__).with_suffix(".txt").read_text().splitlines()
declared = ["AACORN_API_VERSION"]
for constants in re.findall(r"enum \{(.*?)\}", header, re.DOTALL):
    declared += re.findall(r"\b(AACORN_\w+)", constants)
for members, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", header, re.DOTALL):
    declared += [name, *re.findall(r"(\w+)(?:\[\d+\])?;", members)]
listed = [line.split()[0] for line in lines]
if sorted(declared) != sorted(listed):
    sys.exit(f"Tests/C/layout.txt and aacorn.h differ in: {sorted(set(declared) ^ set(listed))}")
print("#include <aacorn.h>")
struct = None
for line in lines:
    name, number, *size = line.split()
    if size:
        condition = f"offsetof({struct}, {name}) == {number} && sizeof((({struct} *)0)->{name}) == {size[0]}"
    elif name.startswith("AACORN"):
        condition = f"{name} == {number}"
    else:
        struct, condition = name, f"sizeof({name}) == {number}"
    print(f'_Static_assert({condition}, "{line}");')
