import AacornRecording
import AacornSystem

extension BatchCommand {
  static var syntax: CommandSyntax<BatchCommand> {
    CommandSyntax(
      CommandDescription(
        name: "batch", summary: "Encodes what a manifest lists, on one machine or a part on each.",
        operands: .files("<manifest>"),
        discussion: [
          "A manifest has a line for each file: its path, or an object in JSON such as {\"input\": "
            + "\"a.wav\", \"output\": \"out/a.m4a\", \"bitrate\": \"96k\"}, with options of “aacorn "
            + "encode” by their long names, and an id of yours. A line without an output makes one "
            + "beside its input, or in --output-folder. Manifests are checked before anything is made: "
            + "no two lines may make the same file, and none what another reads.",
          "A line may read its input and make its output anywhere, and no file that exists is replaced "
            + "without --force. Only with --trust-manifest does it load a plugin by its path, or read effects "
            + "from a file (@FILE) or a cover from outside the folder of its input.",
          "What becomes of each line stands in a ledger, a line in JSON each: the digests of input and "
            + "output, the settings, how long it took, what was wrong. Run it again, and what is done "
            + "is passed over, whatever ended the last run; an input that has changed is encoded again. "
            + "A file that cannot be read costs its line and no more; so does one that ends the program, "
            + "once it has done so more often than --retries says.",
          "--shard 3/16 makes the third of sixteen parts, the same lines wherever it runs. In a Slurm "
            + "array, an indexed Kubernetes job or under GNU parallel the part is the task's; the last "
            + "two need --shards N, and so does an array of some tasks that run again. With "
            + "--stdin-manifest, or the manifest -, the lines come from standard input, and the "
            + "ledger's go to standard output as they are over: one process for as many files as "
            + "somebody hands it.",
        ],
        examples: [
          ("find . -name '*.wav' >all.txt; aacorn batch all.txt", "all of it, on all cores"),
          ("aacorn batch --shard 2/8 -b 96k all.jsonl", "the second of eight parts"),
          ("parallel --pipe aacorn batch --stdin-manifest <all.txt", "lines as they come"),
          ("aacorn batch --merge all.jsonl.ledger.*", "what became of all parts"),
        ],
        exitCodes: ExitStatus.batchTable,
        hints: [("-i", "Name the manifest without an option.")]),
      options: partOptions + outputOptions + BatchSettings.options(\.encoding) + otherOptions,
      inputs: \.paths)
  }

  private typealias Option = CommandSyntax<BatchCommand>.Option

  private static var partOptions: [Option] {
    let section = "Part"
    return [
      .value(
        "shard", .text("I/N"), in: section, "Make part I of N, counted from 1."
      ) { (command, value) throws(UsageError) in
        guard let shard = Shard(value) else {
          throw UsageError(
            "--shard does not understand “\(displayed(value))”.",
            advice: "Give a part and how many there are, such as 3/16.")
        }
        command.shard = shard
      },
      .value(
        "shards", .text("N"), in: section,
        "How many parts there are, where the engine's environment says which one is to be made; a Slurm "
          + "task's number then counts parts from 0."
      ) { (command, value) throws(UsageError) in
        command.shardCount = try OptionValue.count(value, "--shards", upTo: Shard.limit)
      },
    ]
  }

  private static var outputOptions: [Option] {
    let section = "Output"
    return [
      .path(
        "output-folder", .folder("DIR"), in: section,
        "Where outputs go that the manifest does not name; paths of inputs are kept inside.",
        "output folder", \.outputFolder),
      .path(
        "ledger", .file("FILE"), in: section,
        "The ledger, instead of the manifest's name with .ledger; of several parts each adds its "
          + "number.", "ledger", \.ledger),
      .flag(
        "force", short: "f", in: section, "Replace existing files that no ledger knows.",
        \.wishes.replacesExisting),
      .path(
        "metrics", .file("FILE"), in: section,
        "Write numbers for Prometheus to FILE, at most every second; each part adds its number.",
        "file for metrics", \.metricsPath),
      .path(
        "output", short: "o", .file("FILE"), in: section,
        "With --merge: write the last line about each output to FILE.", "output", \.mergedPath),
    ]
  }

  private static var otherOptions: [Option] {
    let section = "Run"
    return [
      .flag(
        "stdin-manifest", in: section,
        "Take lines from standard input as they come, and tell of each on standard output.",
        \.readsInput),
      .flag(
        "merge", in: section, "Tell what several ledgers say together; the operands are ledgers.",
        \.merges),
      .flag(
        "trust-manifest", in: section,
        "Let lines load plugins by their paths, and read effects and covers from any file.",
        \.trustsManifest),
      .flag(
        "verify", in: section,
        "Decode each output, and compare its length with the input's; of what was done before, compare "
          + "the bytes with the ledger's digest.",
        \.wishes.verifies),
      .flag(
        "retry-failed", in: section, "Try again what failed because of the input itself.",
        \.wishes.retriesFailed),
      .flag(
        "trust-times", in: section,
        "Take an input of the same size and time for the same, without reading it.",
        \.wishes.trustsTimes),
      .value(
        "retries", .text("N"), in: section,
        "How often to try again what could not be read or written, or has ended the program; the default "
          + "is 2."
      ) { (command, value) throws(UsageError) in
        if value == "0" {
          command.retryCount = 0
        } else {
          command.retryCount = try OptionValue.count(value, "--retries", upTo: 100)
        }
      },
      .value(
        "jobs", short: "j", .text("N"), in: section,
        "How many files to encode at the same time; the default is all cores."
      ) { (command, value) throws(UsageError) in
        command.jobCount = try OptionValue.count(value, "--jobs", upTo: 1024)
      },
      .flag(
        "json", in: section,
        "Print the ledger's lines as they come and an object that sums them up, or the merged report as an "
          + "object.", \.printsJSON),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }
}
