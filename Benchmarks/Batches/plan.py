"""The cost of an archive: processors, network, requests and money, by measured speeds and prices.

The prices are examples: replace them by your prices, in any currency.
"""

import json
import math

from errors import BindingsError
from timing import row

#: Bytes in each read and write of the worker for object stores, and names in each page.
PIECE, PAGE = 8 << 20, 1000


def add_options(parser):
    add = parser.add_argument
    add("--files", type=float, default=1e6, help="how many")
    add("--lengths", default="2,10,60,600,3600", help="of a file, in seconds, as a mean")
    add("--rate", type=float, default=983, help="seconds of sound that a second of a core encodes")
    add("--start", type=float, default=1, help="ms of a core for each file, in addition")
    add("--sync", type=float, default=0, help="ms for which a file waits for its disk")
    add("--rates", metavar="FILE", help="use these three from the output of rates --json")
    add("--input-rate", type=float, default=1_411_200, help="bits a second of an input")
    add("--bitrate", type=float, default=128_000, help="bits a second of an output")
    add("--reads", type=float, default=1, help="network transfers of each input; 2 if changed"
        " inputs do not stay in memory between their digest and the encoder")
    add("--network", type=float, default=10, help="Gb/s of a machine")
    add("--machines", type=int, default=1)
    add("--cores", type=int, default=16, help="of each machine")
    add("--listings", type=int, default=1, help="the number of listings of all names: 1, or the number of parts")
    add("--price-core", type=float, default=0.04, help="of a core for an hour")
    add("--price-read", type=float, default=0.0004, help="of a thousand requests HEAD and GET")
    add("--price-write", type=float, default=0.005, help="of a thousand requests PUT, POST and LIST")


def take_rates(arguments):
    """Fits the time for each file and each second to a run of `rates`; the rest is disk time."""
    with open(arguments.rates, encoding="utf-8") as file:
        found = [one for one in json.load(file) if one["way"] == "batch" and one["jobs"] == 1]
    memory = {one["length"]: one for one in found if one["place"] == "memory"}
    disk = {one["length"]: one for one in found if one["place"] == "disk"}
    if len(memory) < 2 or memory.keys() != disk.keys():
        raise BindingsError(
            f"{arguments.rates} has fewer than two lengths of batch -j 1 in memory and on disk.")
    each = {length: (one["user"] + one["system"]) / one["files"] for length, one in memory.items()}
    # The shortest files determine the time for each file, the longest the time for each second.
    short, long = min(each), max(each)
    second = (each[long] - each[short]) / (long - short)
    if second <= 0:
        raise BindingsError(f"In {arguments.rates} long sounds take no longer than short ones.")
    arguments.rate = 1 / second
    arguments.start = max(0, 1000 * (each[short] - short * second))
    waits = [(disk[length]["wall"] - one["wall"]) / one["files"] for length, one in memory.items()
             if length <= 10]
    arguments.sync = max(0, 1000 * sum(waits) / max(1, len(waits)))


class Plan:
    """An archive of files of one length."""

    def __init__(self, arguments, length):
        given, self.length, files = arguments, length, arguments.files
        core = given.start / 1000 + length / given.rate
        input_bytes = length * given.input_rate / 8
        output_bytes = length * given.bitrate / 8
        self.hours = files * length / 3600
        self.input_bytes, self.output_bytes = files * input_bytes, files * output_bytes
        self.core_hours = files * core / 3600
        # Gigabits per second of input for one core. Outputs are smaller, in the other direction.
        self.a_core = 8 * max(given.reads * input_bytes, output_bytes) / core / 1e9
        self.cores_of_link = given.network / self.a_core
        cores = given.machines * given.cores
        passing = files * core * self.a_core
        self.times = {
            "cores": self.core_hours / cores,
            "network": passing / (given.machines * given.network) / 3600,
            "disk": files * (core + given.sync / 1000) / cores / 3600,
        }
        self.limit = max(self.times, key=self.times.get)
        if self.times["disk"] < 1.1 * self.times["cores"] and self.limit == "disk":
            self.limit = "cores"
        self.wall = max(self.times.values())
        pieces = math.ceil(output_bytes / PIECE)
        self.reads = files * (1 + max(1, math.ceil(input_bytes / PIECE)))
        self.writes = files * (1 if pieces <= 1 else pieces + 2)
        self.lists = given.listings * files / PAGE
        self.compute = self.core_hours * given.price_core
        written = (self.writes + self.lists) * given.price_write
        self.requests = (self.reads * given.price_read + written) / 1000


def big(value):
    """Formats a number with three significant digits."""
    for unit, size in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"


def run(arguments):
    """Prints the table."""
    if arguments.rates:
        take_rates(arguments)
    if min(arguments.rate, arguments.network, arguments.machines, arguments.cores) <= 0:
        raise BindingsError("--rate, --network, --machines and --cores are more than 0.")
    print(f"{big(arguments.files)} files. A core encodes {arguments.rate:.0f} s of audio per second, and needs"
          f" {arguments.start:.2g} ms more for each file, which waits {arguments.sync:.2g} ms for its disk."
          f" Inputs of {arguments.input_rate / 1e6:.3g} Mb/s; transfers of each input: {arguments.reads:g};"
          f" machines: {arguments.machines}, each with {arguments.cores} cores and {arguments.network:g} Gb/s."
          f" Prices: {arguments.price_core:g} per core-hour, {arguments.price_read:g} per thousand reads,"
          f" {arguments.price_write:g} per thousand writes or listings.")
    print()
    print(row("length", "audio", "input", "output", "core-hours", "cores per link", "time", "limit",
              "HEAD, GET", "PUT, POST", "LIST", "cores cost", "requests cost"))
    print("|---:|" + "---:|" * 6 + "---|" + "---:|" * 5)
    for length in map(float, arguments.lengths.split(",")):
        plan = Plan(arguments, length)
        print(row(f"{length:g} s", f"{plan.hours:,.0f} h", f"{big(plan.input_bytes)}B",
                  f"{big(plan.output_bytes)}B", f"{plan.core_hours:,.1f}", f"{plan.cores_of_link:.1f}",
                  f"{plan.wall:,.2f} h", plan.limit, big(plan.reads), big(plan.writes), big(plan.lists),
                  f"{plan.compute:,.2f}", f"{plan.requests:,.2f}"))
