import AacornRecording
import AacornSystem

extension BatchCommand {
  static var syntax: CommandSyntax<BatchCommand> {
    CommandSyntax(
      CommandDescription(
        name: "batch",
        summary: "Encodes the files of a list, on one machine or split over several.",
        operands: .files("<manifest>"),
        discussion: [
          "A manifest has a line for each file: its path, or a JSON object such as {\"input\": "
            + "\"a.wav\", \"output\": \"out/a.m4a\", \"bitrate\": \"96k\"} with long option names of "
            + "“aacorn encode”, and optionally your own id. Without an output, the result is placed "
            + "next to the input, or in --output-folder. The manifest is checked before anything is "
            + "encoded: no two lines may write the same file, and no line may write the input of "
            + "another.",
          "A line may read and write any path. Existing files are kept unless --force is given. "
            + "Plugins by path, effects from a file (@FILE) and covers outside the input's folder need "
            + "--trust-manifest.",
          "A ledger records the result of each line as JSON: digests of input and output, settings, "
            + "time and errors. The next run resumes from it, however the last one ended: finished "
            + "lines are skipped, and changed inputs are encoded again. A file that cannot be read, or "
            + "that crashes the program more often than --retries, fails only its own line.",
          "--shard 3/16 encodes part 3 of 16; the parts are the same on every machine. In a Slurm "
            + "array, an indexed Kubernetes job or GNU parallel, the task selects the part; "
            + "Kubernetes, parallel and a partial Slurm array also need --shards N. With "
            + "--stdin-manifest, or the manifest -, lines are read from standard input, and each "
            + "ledger line is printed when its file is finished.",
        ],
        essentials: [
          "output-folder", "force", "bitrate", "vbr", "profile", "loudness", "effects", "shard",
          "jobs", "verify", "retry-failed", "merge", "json",
        ],
        examples: [
          ("find . -name '*.wav' >all.txt; aacorn batch all.txt", "Encode all, on all cores."),
          ("aacorn batch --shard 2/8 -b 96k all.jsonl", "Encode the second of eight parts."),
          ("aacorn batch --merge all.jsonl.ledger.*", "Summarize the results of all parts."),
          (
            "parallel --pipe aacorn batch --stdin-manifest <all.txt", "Encode lines from a pipe."
          ),
        ],
        exitCodes: ExitStatus.batchTable),
      options: [("Part", partOptions), ("Output", outputOptions)]
        + BatchSettings.sections(\.settings.encoding) + [("Run", otherOptions)],
      inputs: \.paths)
  }

  private typealias Option = CommandSyntax<BatchCommand>.Option

  private static var partOptions: [Option] {
    [
      .value(
        "shard", .text("I/N"), "Encode part I of N, counted from 1.", \.shard, OptionValue.shard),
      .value(
        "shards", .text("N"),
        "Number of parts, if the environment of the job system selects the part. Slurm then counts "
          + "from 0.", \.shardCount, OptionValue.count(upTo: Shard.maxCount)),
    ]
  }

  private static var outputOptions: [Option] {
    [
      .path(
        "output-folder", .folder("DIR"),
        "Write outputs without a path into DIR, with the folders of the inputs.", "output folder",
        \.settings.naming.folder),
      .path(
        "ledger", .file("FILE"),
        "Write the ledger to FILE (default: the manifest's name with .ledger). Each part adds its "
          + "number.", "ledger", \.ledger),
      .flag(
        "force", short: "f", "Replace existing files that are not in the ledger.",
        \.settings.workOptions.replacesExisting),
      .path(
        "metrics", .file("FILE"),
        "Write metrics for Prometheus to FILE, at most once a second. Each part adds its number.",
        "file for metrics", \.settings.metricsPath),
      .path(
        "output", short: "o", .file("FILE"),
        "With --merge: write the last ledger line of each output to FILE.", "output", \.mergedPath),
    ]
  }

  private static var otherOptions: [Option] {
    [
      .flag(
        "stdin-manifest",
        "Read lines from standard input, and print each result when it is finished.", \.readsInput),
      .flag("merge", "Summarize several ledgers, which are the operands.", \.merges),
      .flag(
        "trust-manifest",
        "Allow lines to load plugins by path, and to read effects and covers from any file.",
        \.settings.naming.isTrusted),
      .flag(
        "verify",
        "Decode each output and check its duration. For finished lines, check the digest.",
        \.settings.workOptions.verifies),
      .flag(
        "retry-failed", "Retry lines that failed because of their input.",
        \.settings.workOptions.retriesFailed),
      .flag(
        "trust-times",
        "Treat an input with unchanged size and time as unchanged, without reading it.",
        \.settings.workOptions.trustsTimes),
      .value(
        "retries", .text("N"),
        "Retry a line N times after a read or write error or a crash, 0 to 100 (default 2).",
        \.settings.retryCount, OptionValue.integer(in: 0...100)),
      .value(
        "jobs", short: "j", .text("N"),
        "Number of files to encode in parallel (default: all cores).", \.settings.jobCount,
        OptionValue.count(upTo: 1024)),
      .flag(
        "json", "Print each ledger line and a summary as JSON objects, or with --merge the report.",
        \.settings.printsEntries),
      .quiet(\.settings.isQuiet),
    ]
  }
}

extension OptionValue {
  fileprivate static func shard(_ value: String, _ option: String) throws(UsageError) -> Shard {
    if let shard = Shard(value) { return shard }
    throw UsageError.misunderstood(
      value, option, hint: "Give the part and the number of parts, such as 3/16.")
  }
}
