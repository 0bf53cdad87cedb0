"""The laboratory compares AAC encoders over a folder of clips.

clips makes the public set. measure fills FOLDER/measurements.csv; speed, ablate and vbr fill other
files in FOLDER; report writes Documentation/Performance.md from all of them. listen makes a
listening test, which report analyzes. Existing figures are measured again only if the program or
its options have changed, so that a second run is fast.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse
import importlib.util
import shutil
import sys

from errors import LabError


def numbers(text):
    try:
        return [float(part) for part in text.split(",") if part]
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a list of numbers") from None


def words(text):
    return [part for part in text.split(",") if part]


def natural(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"“{text}” is not a count")
    return int(text)


def add_folder(command):
    command.add_argument("folder", metavar="CLIPS", help="a folder of WAV or FLAC files")
    add_out(command)
    command.add_argument("--clips", default="", metavar="REGEX", help="only clips with such names")
    command.add_argument("--jobs", type=natural, default=os.cpu_count(), metavar="N",
                         help="processes at a time (default one for each core)")


def add_clips(command):
    add_folder(command)
    command.add_argument("--metrics", type=words, metavar="LIST",
                         default=["peaq", "zimtohrli", "visqol"],
                         help="of peaq, zimtohrli and visqol (default all)")
    command.add_argument("--again", action="store_true", help="measure also what is known")


def add_out(command):
    command.add_argument("--out", required=True, metavar="FOLDER", help="where results are kept")


def add_ours(command):
    command.add_argument("--aacorn", metavar="PATH", help="use this binary, build none")


def add_label(command):
    command.add_argument("--label", default="aacorn", metavar="NAME",
                         help="name of our binary in the results (default %(default)s)")


def add_others(command):
    command.add_argument("--encoders", metavar="FILE.toml",
                         help="further encoders; Laboratory/encoders.toml shows how")
    command.add_argument("--only", type=words, metavar="NAMES",
                         help="only these encoders; the label stands for all our efforts")


def add_bench(command):
    command.add_argument("--bench", metavar="PATH",
                         help="use this benchmark program, build none")


def add_effort(command):
    command.add_argument("--effort", choices=("fast", "balanced", "best"), default="balanced",
                         help="default %(default)s")


def add_against(command):
    command.add_argument("--against", default="fdkopen", metavar="NAME",
                         help="whom to compare with (default %(default)s)")


def add_rates(command, stereo, mono):
    command.add_argument("--rates", type=numbers, default=stereo, metavar="LIST",
                         help="kb/s of stereo clips (default %(default)s)")
    command.add_argument("--mono-rates", type=numbers, default=mono, metavar="LIST",
                         help="kb/s of mono clips (default %(default)s)")


def arguments():
    parser = argparse.ArgumentParser(
        prog="lab", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, summary, *additions):
        made = commands.add_parser(name, help=summary, description=summary)
        for add in additions:
            add(made)
        return made

    made = command("measure", "Measure our efforts and the encoders that are found.",
                   add_clips, add_ours, add_label, add_others, add_against)
    add_rates(made, "64,96,128,192", "48")

    made = command("speed", "Take the time of ten minutes of stereo at 128 kb/s.",
                   add_out, add_ours, add_label, add_others, add_bench)
    made.add_argument("--wav", metavar="FILE", help="sound to use (default: synthetic music)")
    made.add_argument("--minutes", type=natural, default=10, metavar="N",
                      help="of synthetic music (default %(default)s)")
    made.add_argument("--rounds", type=natural, default=5, metavar="N",
                      help="in which the encoders take turns (default %(default)s)")

    made = command("ablate", "Switch one coding tool off at a time.",
                   add_clips, add_bench, add_effort)
    add_rates(made, "96,128", "")

    command("vbr", "Compare the levels of variable bitrate with constant rates.",
            add_clips, add_ours, add_effort)

    made = command("guards", "Show the typical faults of HE-AAC, by encoder, as Markdown: the mean "
                   "of the clips and in parentheses the worst.")
    made.add_argument("folder", metavar="CLIPS", help="a folder of WAV or FLAC files")
    made.add_argument("--encoder", nargs=2, action="append", required=True,
                      metavar=("NAME", "COMMAND"), help="may be repeated; the command has {in}, a "
                      "16-bit WAV file, and {out}, which ends in .aac")
    for name, hertz, meaning in (("core", 6500, "up to where all encoders code"),
                                 ("crossover", 8300, "from where all of them replicate"),
                                 ("top", 16000, "up to where to look")):
        made.add_argument("--" + name, type=float, default=hertz, metavar="HZ",
                          help=f"{meaning} (default %(default)s)")
    made.add_argument("--clips", default="", metavar="REGEX", help="only clips with such names")
    made.add_argument("--csv", metavar="FILE", help="also write the figures of each clip")
    made.add_argument("--jobs", type=natural, default=os.cpu_count(), metavar="N",
                      help="processes at a time (default one for each core)")

    made = command("clips", "Make the public set of clips: by program, and from Debian's packages "
                   "(440 MB to download).")
    made.add_argument("folder", metavar="FOLDER", help="where to write them")
    made.add_argument("--synthetic", action="store_true", help="only those made by program")

    made = command("listen", "Make a listening test: a static page with hidden names, and its key.",
                   add_folder, add_ours, add_label, add_others)
    made.add_argument("--mode", choices=("abx", "abchr", "mushra"), default="abchr",
                      help="default %(default)s")
    made.add_argument("--rate", type=float, default=96, metavar="KBPS",
                      help="of all encoders (default %(default)s)")
    made.add_argument("--samples", type=natural, default=12, metavar="N",
                      help="clips, chosen by lot (default %(default)s)")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="of the lot")

    made = command("import", "Add rows that the same tools measured elsewhere.", add_out)
    made.add_argument("files", nargs="+", metavar="FILE.csv")

    made = command("show", "Show a table of the results.", add_against)
    made.add_argument("results", metavar="FOLDER")
    made.add_argument("--only", type=words, metavar="NAMES", help="only these encoders")

    made = command("report", "Write Performance.md and its plots; of a listening test, "
                   "Listening.md.", add_label)
    made.add_argument("results", metavar="FOLDER")
    made.add_argument("--to", metavar="FOLDER", help="default Documentation")
    return parser.parse_args()


def check_needs():
    for program in ("ffmpeg", "ffprobe"):
        if not shutil.which(program):
            raise LabError(f"{program} is missing; it is in the Debian package ffmpeg.")
    for module in ("numpy", "scipy"):
        if importlib.util.find_spec(module) is None:
            raise LabError(f"The Python module {module} is missing; install it with “pip install "
                           "-r Benchmarks/Laboratory/requirements.txt”, or the Debian package "
                           f"python3-{module}.")


def main():
    options = arguments()
    try:
        check_needs()
        import commands
        run = {"measure": commands.measure, "speed": commands.measure_speed,
               "ablate": commands.ablate, "vbr": commands.measure_vbr, "import": commands.take,
               "show": commands.show, "report": commands.write_report,
               "guards": commands.guard, "listen": commands.listen,
               "clips": commands.make_clips}
        return run[options.command](options)
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of the output has closed the pipe, for example `head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"lab: {error.filename or 'a file'}: {error.strerror}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
