/// The result of a command for the shell.
struct ExitStatus: Equatable, Sendable {
  let code: Int32

  /// Everything went well.
  static let success = ExitStatus(code: 0)
  /// An operation failed for at least one file, or an error was found in one.
  static let failed = ExitStatus(code: 1)
  /// The command line is invalid.
  static let usage = ExitStatus(code: 2)
  /// Nothing could be read.
  static let cannotRead = ExitStatus(code: 3)
  /// Nothing could be written.
  static let cannotWrite = ExitStatus(code: 4)

  /// A recording ended prematurely; what was recorded until then is kept.
  static let endedEarly = ExitStatus(code: 5)

  /// What was complete is not there any more, or not what it was.
  static let lost = ExitStatus(code: 5)

  /// A signal ended the work; shells add 128 to its number.
  static func interrupted(by signal: Int32) -> ExitStatus { ExitStatus(code: 128 + signal) }

  /// The status of a run in which some files failed.
  ///
  /// If all failed for the same reason, that is the reason of the run; otherwise "some failed".
  static func combining(_ statuses: [ExitStatus]) -> ExitStatus {
    if let interrupted = statuses.first(where: { $0.code >= 128 }) { return interrupted }
    guard let first = statuses.first else { return .success }
    return statuses.allSatisfy { $0 == first } ? first : .failed
  }

  /// The codes for help; `failed` differs from command to command, and some have effects.
  static func table(
    failed: String, hasEffects: Bool = false
  ) -> [(code: String, meaning: String)] {
    [
      ("0", "all is well"),
      ("1", failed),
      ("2", hasEffects ? badEffect : "the command line is invalid"),
      (
        "3",
        "no input found, or none could be read" + (hasEffects ? "; \(missingEffect)" : "")
      ),
      ("4", "no output could be written"),
      ("129, 130, 143", "stopped by a hang-up, Ctrl-C or SIGTERM; nothing unfinished is left"),
      ("141", "the reader of standard output went away"),
    ]
  }

  /// A source that is not whole, up to the verb.
  private static let damagedSource =
    "a file that is the source is damaged or cut off; what is present was "

  /// What makes a command line with effects invalid.
  private static let badEffect = "the command line is invalid, or an effect in it cannot be"

  /// What effects may lack.
  private static let missingEffect = "or a plugin or library of an effect is missing"

  /// The codes of `aacorn record` for help.
  static let recordTable: [(code: String, meaning: String)] = [
    ("0", "all is well, including when it was stopped by q, Ctrl-C or SIGTERM"),
    ("1", damagedSource + "recorded"),
    ("2", badEffect),
    (
      "3",
      "nothing could be captured: no microphone, no sound server, no such device; "
        + missingEffect
    ),
    ("4", "no output could be written"),
    (
      "5",
      "ended prematurely (disk full, device failed), what was recorded is kept; or something "
        + "removed or damaged the file while it was being written, or damaged complete ones before the "
        + "end; or a further track could not go on"
    ),
    ("130, 143", "a second signal ended it at once; what was recorded can be repaired"),
    ("141", "the reader of standard output went away"),
  ]

  /// The codes of `aacorn play` for help.
  static let playTable: [(code: String, meaning: String)] = [
    ("0", "all is well, including when it was stopped by q, Ctrl-C or SIGTERM"),
    (
      "1",
      "a file is damaged or shorter than its header says, and was played all the same, or a file or "
        + "address could not be read, or a folder holds sound that no command reads; others were played"
    ),
    ("2", badEffect),
    (
      "3",
      "nothing could be played: no file, no loudspeaker, no sound server, no such device; "
        + missingEffect
    ),
    ("5", "ended prematurely: the device failed"),
    ("130, 143", "a second signal ended it at once, or one before anything was open"),
    ("141", "the reader of standard output went away"),
  ]

  /// The codes of `aacorn batch` for help.
  static let batchTable: [(code: String, meaning: String)] = [
    ("0", "every line of the part is done"),
    (
      "1",
      "some lines made no output, for example because a file of its name exists, or their inputs have "
        + "ended the program again and again, or made one of a damaged input; the ledger says which; or "
        + "with --merge a part's ledger is missing"
    ),
    ("2", "the command line is invalid, or a line of the manifest; nothing was encoded"),
    ("3", "the manifest could not be read, or a ledger, or it is none"),
    (
      "4",
      "the ledger could not be written, something removed or changed it during the run, another run "
        + "is writing it, or sixteen outputs in a row could not be written"
    ),
    (
      "5",
      "outputs that the run had made were removed, replaced or changed by something else before its "
        + "end; the ledger says which"
    ),
    ("129, 130, 143", "stopped by a hang-up, Ctrl-C or SIGTERM; run it again, and it goes on"),
    ("141", "the reader of standard output went away"),
  ]

  /// The codes of `aacorn studio` for help.
  static let studioTable: [(code: String, meaning: String)] = [
    ("0", "stopped by Ctrl-C or SIGTERM; a recording was completed first"),
    ("2", "the command line is invalid"),
    ("4", "it could not start: the port or socket is taken, the folder cannot be created"),
    (
      "5",
      "the recording in progress at its end is not whole, not in its folder, or there is none; what "
        + "there is, is kept"
    ),
    ("130, 143", "a second signal ended it at once; a recording can be repaired"),
    ("141", "the reader of standard output went away"),
  ]

  /// The codes of `aacorn stream` for help.
  static let streamTable: [(code: String, meaning: String)] = [
    (
      "0",
      "all is well, including when it was stopped by q, Ctrl-C or SIGTERM; what an output missed, "
        + "because its server was away or the network too slow, is told and counted"
    ),
    (
      "1",
      "ended normally, but an output had failed permanently or accepted no audio; or some streams "
        + "of --config failed, and others did not; or \(damagedSource)streamed"
    ),
    ("2", "\(badEffect), or a file that it names; nothing of --config was started"),
    ("3", "nothing could be captured: no microphone, no such device or file; \(missingEffect)"),
    ("4", "no output accepted any audio: not opened, not reached, refused, never answered"),
    (
      "5",
      "ended prematurely: all outputs failed permanently, or the device did; or a further track could "
        + "not go on; or something else removed or changed files of the stream, in HLS folders, too"
    ),
    ("130, 143", "a second signal ended it at once; what was saved can be repaired"),
    ("141", "the reader of standard output went away"),
  ]
}
