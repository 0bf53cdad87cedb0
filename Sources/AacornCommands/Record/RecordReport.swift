import AacornDevices
import AacornRecording
import AacornSystem

/// The result of a recording: human-readable, as JSON, and as an exit status.
struct RecordReport {
  private let plan: RecordPlan
  private let summary: RecordingSummary
  private let files: [RecordTally.File]
  private let hasMissingFiles: Bool
  private let trackFailure: (track: String, error: RecordingError)?

  /// Creates the report of a completed recording.
  init(_ plan: RecordPlan, _ summary: RecordingSummary, _ tally: RecordTally) {
    self.plan = plan
    self.summary = summary
    files = tally.orderedFiles(summary)
    hasMissingFiles = tally.hasMissingFiles
    trackFailure = tally.trackFailure
  }

  /// Creates the report of a recording that failed to start.
  init(_ plan: RecordPlan, failure: RecordingError) {
    var summary = RecordingSummary()
    summary.failure = failure
    self.init(plan, summary, RecordTally())
  }

  /// Whether recorded audio exists.
  private var hasRecordedAudio: Bool { hasMissingFiles || files.contains { $0.sampleCount > 0 } }

  /// Whether no file was written.
  private var hasNoFile: Bool { files.isEmpty && !hasMissingFiles && !plan.isPiped }

  var exitStatus: ExitStatus {
    switch summary.failure {
    case nil where !summary.losses.isEmpty: .endedEarly
    case nil where hasNoFile: .cannotRead
    case nil:
      trackFailure == nil
        ? .success : trackFailure?.error.isInputDamage == true ? .failed : .endedEarly
    case .capture(.damagedFile):
      summary.losses.isEmpty && trackFailure?.error.isInputDamage != false ? .failed : .endedEarly
    case .effects(let error): error.kind.exitStatus
    // A missing library is treated like a device that cannot be opened.
    case .tracks(.echoCancellerMissing), .tracks(.echoCancellerUnsuitable): .cannotRead
    case .output(let error), .allOutputsFailed(let error):
      switch error.kind {
      case .readerGone: .interrupted(by: System.pipeSignal)
      case .lost: .endedEarly
      default: hasRecordedAudio ? .endedEarly : .cannotWrite
      }
    case .encoder, .mixedCodings, .tracks: .usage
    case .capture, .backEnd, .unsupportedConversion, .noSuchChannel, .noThread, .alreadyStarted,
      .stopped:
      hasRecordedAudio ? .endedEarly : .cannotRead
    }
  }

  /// The message about a failure and what remains; nil if there is nothing to report.
  var message: String? {
    guard let failure = summary.failure else {
      // The loss was reported when it happened, so only the JSON result repeats it.
      if let loss = summary.losses.last { return loss.commandMessage }
      if hasNoFile {
        return "Nothing was recorded: no sound arrived before the end."
      }
      return trackMessage
    }
    switch failure {
    case .capture(.damagedFile): return failure.commandMessage
    // A closed pipe is not an error: the program ends without a message.
    case .output(let error), .allOutputsFailed(let error):
      return error.kind == .readerGone ? nil : error.commandMessage + (unsavedMessage ?? "")
    default:
      return hasRecordedAudio
        ? "The recording ended prematurely. " + failure.commandMessage
          + " The recording until then is kept." : failure.commandMessage
    }
  }

  /// The message about the missing end of the audio; nil if nothing is missing, or if a file's line
  /// already reports the loss.
  private var unsavedMessage: String? {
    if summary.unsavedSampleCount == 0 || files.contains(where: { $0.unsavedSampleCount > 0 }) {
      return nil
    }
    let seconds =
      Double(summary.unsavedSampleCount) / Double(max(1, plan.configuration.sampleRate))
    return " The last \(QuantityText.length(seconds)) of sound could not be saved."
  }

  /// The message about a track that failed while the others continued.
  private var trackMessage: String? {
    guard let (track, error) = trackFailure else { return nil }
    return RecorderEvent.trackFailed(track, error).commandMessage(
      sampleRate: summary.sampleRate)?.text
  }

  /// Returns the stream for results: standard error if the audio is written to standard output.
  static func results(_ plan: RecordPlan, _ console: Console) -> TextStream {
    plan.isPiped ? console.errors : console.output
  }

  func print(in console: Console) {
    let results = Self.results(plan, console)
    if plan.printsJSON {
      results.write(json.encoded + "\n")
      results.flush()
      return
    }
    let isReported =
      summary.failure == nil
      && (!summary.losses.isEmpty || (trackFailure != nil && message == trackMessage))
    if let message, !isReported {
      console.printError(message)
    }
    if plan.isQuiet || console.isOutputMissing { return }
    if exitStatus == .interrupted(by: System.pipeSignal) { return }
    if summary.clippedSampleCount > 0 {
      console.printError(
        "Warning: \(QuantityText.count(summary.clippedSampleCount, "sample")) reached full scale. "
          + "Turn the input down, or use --gain -6.")
    }
    if let loudness = summary.loudness.totalText {
      results.write("loudness: " + loudness + "\n")
    }
    for file in files { results.write(file.line(sampleRate: plan.configuration.sampleRate) + "\n") }
    if plan.isVerbose, let drift = summary.driftPartsPerMillion {
      console.printError(
        "The device's clock was off by \(QuantityText.fixed(drift, decimals: 1)) parts per "
          + "million.")
    }
    results.flush()
  }

  /// The last JSON object.
  ///
  /// Names and order of the keys are stable.
  var json: JSONValue {
    let rate = plan.configuration.sampleRate
    func seconds(_ samples: Int) -> JSONValue { .decimal(Double(samples) / Double(rate), 6) }
    let started =
      summary.startWallTime == 0
      ? JSONValue.null : .text(Timestamp.iso8601(summary.startWallTime))
    let members: [JSONValue.Member] = [
      .init("event", .text("stopped")),
      .init("time", .text(Timestamp.iso8601(System.wallNanoseconds))),
      .init("status", .text(exitStatus == .success ? "ok" : "error")),
      .init(
        "error",
        .optional(
          summary.failure?.keyword ?? summary.losses.last?.kind.rawValue
            ?? trackFailure?.error.keyword)),
      .init("message", .optional(message)),
      .init("started", started), .init("sampleRate", .integer(rate)),
      .init("samples", .integer(summary.sampleCount)),
      .init("duration", seconds(summary.sampleCount)), .init("gaps", .integer(summary.gapCount)),
      .init("lostSamples", .integer(summary.filledSampleCount)),
      .init("unsavedSamples", .integer(summary.unsavedSampleCount)),
      .init("pausedSamples", .integer(summary.pausedSampleCount)),
      .init("drift", summary.driftPartsPerMillion.map { .decimal($0, 2) } ?? .null),
      .init("clippedSamples", .integer(summary.clippedSampleCount)),
    ]
    let fileList = JSONValue.list(
      files.map { file in
        .object(
          file.members(sampleRate: rate) + [
            .init("unsavedSamples", .integer(file.unsavedSampleCount))
          ])
      })
    return .object(members + summary.loudness.totalMembers + [.init("files", fileList)])
  }
}

extension RecordingError {
  /// The keyword of the error in JSON.
  var keyword: String {
    switch self {
    case .capture(let error):
      switch error {
      case .nothingUsable, .noDevice: "no-device"
      case .noServer: "no-server"
      case .unknownDevice, .ambiguousDevice: "unknown-device"
      case .permissionDenied: "not-permitted"
      case .noVoiceProcessing: "no-voice-processing"
      case .damagedFile: "bad-input"
      case .libraryMissing, .libraryUnsuitable, .backendUnavailable: "no-backend"
      default: "cannot-capture"
      }
    case .encoder, .backEnd, .unsupportedConversion, .mixedCodings, .noSuchChannel, .tracks:
      "unsupported"
    case .effects(let error): error.kind.keyword
    case .output(let error), .allOutputsFailed(let error): error.kind.rawValue
    case .noThread, .alreadyStarted: "system"
    case .stopped: "stopped"
    }
  }
}
