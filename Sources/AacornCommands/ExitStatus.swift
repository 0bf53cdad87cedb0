struct ExitStatus: Equatable, Sendable {
  let code: Int32

  /// All work succeeded.
  static let success = ExitStatus(code: 0)
  /// An operation failed for at least one file, or a file contains an error.
  static let failed = ExitStatus(code: 1)
  /// The command line is invalid.
  static let usage = ExitStatus(code: 2)
  /// Nothing could be read.
  static let cannotRead = ExitStatus(code: 3)
  /// Nothing could be written.
  static let cannotWrite = ExitStatus(code: 4)

  /// A recording or a stream ended prematurely; the audio until then is kept.
  static let endedEarly = ExitStatus(code: 5)

  /// The work was ended by a signal; shells add 128 to its number.
  static func interrupted(by signal: Int32) -> ExitStatus { ExitStatus(code: 128 + signal) }

  /// Returns the status of a run in which some files failed.
  ///
  /// If all failed with the same status, returns that status; otherwise `failed`.
  static func combining(_ statuses: [ExitStatus]) -> ExitStatus {
    if let interrupted = statuses.first(where: { $0.code >= 128 }) { return interrupted }
    guard let first = statuses.first else { return .success }
    return statuses.allSatisfy { $0 == first } ? first : .failed
  }

  /// Returns the exit codes for help; the meaning of `failed` depends on the command.
  static func table(
    succeeded: String = "success", failed: String, hasEffects: Bool = false
  ) -> [(code: String, meaning: String)] {
    [
      ("0", succeeded),
      ("1", failed),
      hasEffects ? ("2", badEffect) : invalidCommandLine,
      ("3", "no input was found or readable" + (hasEffects ? ", \(missingEffect)" : "")),
      ("4", "no output could be written"),
      stoppedBySignal, closedReader,
    ]
  }

  /// The success of commands that make files from files.
  static let madeOrKept = "success; for files in a folder, also if their outputs already existed"

  static let invalidCommandLine = (code: "2", meaning: "the command line is invalid")
  static let stoppedBySignal = (
    code: "129, 130, 143",
    meaning: "stopped by SIGHUP, Ctrl-C or SIGTERM; unfinished files were removed"
  )
  static let closedReader = (code: "141", meaning: "the reader of standard output closed it")

  /// The meaning of a damaged source; the caller appends the participle of its action.
  private static let damagedSource =
    "a source file is damaged or truncated; its readable part was "

  private static let badEffect = "the command line or an effect in it is invalid"

  private static let missingEffect = "or a library of an effect is missing"

  /// The codes of `aacorn record` for help.
  static let recordTable: [(code: String, meaning: String)] = [
    ("0", "success, also when stopped by q, Ctrl-C or SIGTERM"),
    ("1", damagedSource + "recorded"),
    ("2", badEffect),
    ("3", "nothing could be captured: no microphone, sound server or device, \(missingEffect)"),
    ("4", "no output could be written"),
    (
      "5",
      "ended prematurely (disk full, device failed), and the recording until then is kept; or "
        + "another program removed or damaged a file before the end; or a further track failed"
    ),
    ("130, 143", "a second signal ended it immediately; the recording can be repaired"),
    closedReader,
  ]

  /// The codes of `aacorn play` for help.
  static let playTable: [(code: String, meaning: String)] = [
    ("0", "success, also when stopped by q, Ctrl-C or SIGTERM"),
    (
      "1",
      "a file is damaged or truncated and was played as far as possible, a file or address could not "
        + "be read, or a folder contains files that aacorn cannot read; the others were played"
    ),
    ("2", badEffect),
    (
      "3", "nothing could be played: no file, output, sound server or device, \(missingEffect)"
    ),
    ("5", "ended prematurely: the device failed"),
    ("130, 143", "stopped by a second signal, or before anything was open"),
    closedReader,
  ]

  /// The codes of `aacorn batch` for help.
  static let batchTable: [(code: String, meaning: String)] = [
    ("0", "every line of the part is done"),
    ("1", "some lines failed or have a damaged input; the ledger has the reasons"),
    ("2", "the command line or a line of the manifest is invalid; nothing was encoded"),
    ("3", "the manifest or the ledger could not be read, or the manifest changed during the run"),
    (
      "4",
      "the ledger could not be written, is another file, was removed or changed by another program, "
        + "or is written by another run; or sixteen outputs in a row could not be written"
    ),
    ("129, 130, 143", "stopped by SIGHUP, Ctrl-C or SIGTERM; the next run resumes"),
    closedReader,
  ]

  /// The codes of `aacorn studio` for help.
  static let studioTable: [(code: String, meaning: String)] = [
    ("0", "stopped by Ctrl-C or SIGTERM, after completing a recording in progress"),
    invalidCommandLine,
    ("4", "it could not start: the port or socket is in use, or the folder cannot be created"),
    (
      "5",
      "the recording in progress was incomplete or missing at the end, or unfinished changes of "
        + "recordings were abandoned"
    ),
    ("130, 143", "a second signal ended it immediately; a recording can be repaired"),
    closedReader,
  ]

  /// The codes of `aacorn stream` for help.
  static let streamTable: [(code: String, meaning: String)] = [
    (
      "0",
      "success, also when stopped by q, Ctrl-C or SIGTERM; every output sent at least half of the audio"
    ),
    (
      "1",
      "an output failed permanently, or missed more than half of the audio; or "
        + "\(damagedSource)streamed"
    ),
    ("2", "\(badEffect), or a file that it names"),
    ("3", "nothing could be captured: no microphone, device or file, \(missingEffect)"),
    ("4", "no output accepted any audio"),
    (
      "5",
      "ended prematurely: all outputs, the device or a further track failed; or another program "
        + "removed or changed files of the stream"
    ),
    ("130, 143", "a second signal ended it immediately; saved files can be repaired"),
    closedReader,
  ]
}
