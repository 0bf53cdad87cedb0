import AacornCodec
import AacornContainers
import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// The result of a recording or a stream: human-readable, as JSON, and as an exit status.
struct LiveReport {
  private let plan: LivePlan
  private let summary: RecordingSummary
  private let stream: LiveSnapshot
  private let tally: LiveTally
  private let files: [LiveTally.File]

  /// Creates the report of a completed recording or stream.
  init(
    _ plan: LivePlan, _ summary: RecordingSummary, _ tally: LiveTally = LiveTally(),
    _ stream: LiveSnapshot = LiveSnapshot()
  ) {
    self.plan = plan
    self.summary = summary
    self.stream = stream
    self.tally = tally
    files = tally.orderedFiles(summary)
  }

  /// Creates the report of a recording or a stream that failed to start.
  init(_ plan: LivePlan, failure: RecordingError) {
    var summary = RecordingSummary()
    summary.failure = failure
    self.init(plan, summary)
  }

  /// The outputs that have failed permanently, or that have accepted no audio, whatever the reason.
  private var failedOutputs: [OutputStatus] {
    stream.outputs.filter { $0.hasFailed || $0.isEmpty }
  }

  /// Whether an output has missed more than half of its audio, without failing.
  private var hasIncompleteOutput: Bool { stream.outputs.contains(where: \.isIncomplete) }

  /// Whether any audio was recorded or accepted by an output.
  private var hasAudio: Bool {
    plan.isRecording
      ? tally.hasMissingFiles || files.contains { $0.sampleCount > 0 }
      : stream.outputs.contains { !$0.isEmpty }
  }

  /// Whether a recording has written no file.
  private var hasNoFile: Bool {
    plan.recording.map { files.isEmpty && !tally.hasMissingFiles && !$0.isPiped } ?? false
  }

  /// Whether a stream has received no audio.
  private var isSilentStream: Bool { !plan.isRecording && summary.sampleCount == 0 }

  var exitStatus: ExitStatus {
    switch summary.failure {
    case nil, .capture(.damagedFile):
      if isSilentStream { return .cannotRead }
      if !summary.losses.isEmpty { return .endedEarly }
      if summary.failure == nil && hasNoFile { return .cannotRead }
      let count = failedOutputs.count
      if count == 0 {
        if tally.trackFailure?.error.isInputDamage == false { return .endedEarly }
        let isComplete = summary.failure == nil && tally.trackFailure == nil && !hasIncompleteOutput
        return isComplete ? .success : .failed
      }
      if count < stream.outputs.count { return .failed }
      return hasAudio ? .endedEarly : .cannotWrite
    case .effects(let error): return error.kind.exitStatus
    // A missing library is treated like a device that cannot be opened.
    case .tracks(.echoCancellerMissing), .tracks(.echoCancellerUnsuitable): return .cannotRead
    case .output(let error), .allOutputsFailed(let error):
      switch error.kind {
      case .readerGone where plan.isRecording: return .interrupted(by: System.pipeSignal)
      case .lost where plan.isRecording: return .endedEarly
      default: return hasAudio ? .endedEarly : .cannotWrite
      }
    case .encoder, .mixedCodings, .tracks: return .usage
    case .capture, .backEnd, .unsupportedConversion, .noSuchChannel, .noThread, .alreadyStarted,
      .stopped:
      return hasAudio ? .endedEarly : .cannotRead
    }
  }

  /// The message about the end; nil if there is nothing to report.
  var message: String? {
    guard let failure = summary.failure else {
      if isSilentStream { return "Nothing was streamed: no sound arrived before the end." }
      if !plan.isRecording { return outputMessage }
      // The loss was reported when it happened, so only the JSON result repeats it.
      if let loss = summary.losses.last { return loss.commandMessage }
      return hasNoFile
        ? "Nothing was recorded: no sound arrived before the end." : trackMessage
    }
    switch failure {
    case .capture(.damagedFile):
      return [failure.commandMessage, outputMessage].compactMap(\.self).joined(separator: " ")
    case .output(let error), .allOutputsFailed(let error):
      if plan.isRecording {
        // A closed pipe is not an error: the program ends without a message.
        return error.kind == .readerGone ? nil : error.commandMessage + (unsavedMessage ?? "")
      }
      // Each output has already reported its own error.
      return stream.outputs.haveAllFailed && stream.outputs.count > 1
        ? "All outputs have failed, so the stream has ended."
        : plan.redactor.clean(error.commandMessage)
    default:
      if !hasAudio { return failure.commandMessage }
      return "The \(plan.noun) ended prematurely. " + failure.commandMessage
        + (plan.isRecording ? " The recording until then is kept." : "")
    }
  }

  /// The message about incomplete outputs of a complete stream; nil if all outputs received all
  /// audio.
  private var outputMessage: String? {
    let failed = failedOutputs
    if let only = failed.first, stream.outputs.count == 1 {
      return only.problem?.message ?? "“\(displayed(only.name))” accepted no audio."
    }
    if failed.count == stream.outputs.count && !failed.isEmpty {
      return hasAudio
        ? "All outputs had failed at the end of the stream." : "No output accepted any audio."
    }
    if !failed.isEmpty {
      return "\(failed.count) of \(stream.outputs.count) outputs failed: "
        + failed.map(\.id).joined(separator: ", ") + "."
    }
    let missed = stream.outputs.compactMap { output in
      output.droppedShare.map { "\(output.id) missed \($0)" }
    }
    return missed.isEmpty ? nil : "Not everything was sent: \(missed.joined(separator: ", "))."
  }

  /// The message about the missing end of a recording; nil if nothing is missing, or if a file's
  /// line already reports the loss.
  private var unsavedMessage: String? {
    if summary.unsavedSampleCount == 0 || files.contains(where: { $0.unsavedSampleCount > 0 }) {
      return nil
    }
    return " The last \(length(summary.unsavedSampleCount)) of sound could not be saved."
  }

  /// The message about lost files of a stream for JSON; the display has already printed it.
  private var lossMessage: String? {
    guard !plan.isRecording, summary.failure?.isInputDamage ?? true else { return nil }
    return summary.losses.last.map { plan.redactor.clean($0.commandMessage) }
  }

  /// The message about a track that failed while the others continued; the display has already
  /// printed it.
  private var trackMessage: String? {
    guard let (track, error) = tally.trackFailure else { return nil }
    return RecorderEvent.trackFailed(track, error).commandMessage(
      sampleRate: plan.configuration.sampleRate)?.text
  }

  /// Whether the display has already printed the message.
  private var isReported: Bool {
    if plan.isRecording {
      return summary.failure == nil
        && (!summary.losses.isEmpty || (tally.trackFailure != nil && message == trackMessage))
    }
    return plan.outputs.count == 1 && failedOutputs.contains(where: \.hasFailed)
  }

  func print(in console: Console) {
    defer { console.output.flush() }
    if plan.report.printsJSON { return console.print(json) }
    if let message, !isReported { console.printError(message) }
    if plan.report.isQuiet || console.isOutputMissing { return }
    if exitStatus == .interrupted(by: System.pipeSignal) { return }
    if summary.clippedSampleCount > 0 {
      console.printError(
        "Warning: \(QuantityText.count(summary.clippedSampleCount, "sample")) reached full scale. "
          + "Turn the input down, or use --gain -6.")
    }
    for warning in silenceWarnings { console.printError("Warning: " + warning) }
    let loudness = summary.loudness.totalText.map { "loudness: " + $0 }
    if plan.isRecording, let loudness { console.print(loudness) }
    for output in stream.outputs where output.kind != .save {
      console.print(output.line(plan.timing(for: output.kind)))
    }
    // Print the saved files from their own list, since a file can be renamed during the recording.
    for file in files
    where !stream.outputs.contains(where: { $0.kind != .save && $0.name == file.name }) {
      console.print(file.line(sampleRate: plan.configuration.sampleRate))
    }
    if plan.isRecording {
      guard plan.report.isVerbose, let drift = summary.driftPartsPerMillion else { return }
      return console.printError(
        "The device's clock was off by \(QuantityText.fixed(drift, decimals: 1)) parts per million."
      )
    }
    if let loudness { console.print(loudness) }
    if summary.ledger.filledSampleCount > 0 {
      console.print(
        "lost in capture: \(length(summary.ledger.filledSampleCount)) in "
          + QuantityText.count(summary.ledger.filledCount, "gap"))
    }
  }

  private func seconds(_ sampleCount: Int) -> Double {
    Double(sampleCount) / Double(max(1, plan.configuration.sampleRate))
  }

  private func length(_ sampleCount: Int) -> String { QuantityText.length(seconds(sampleCount)) }

  /// The warnings about a silent recording, or about sources that were silent for some time.
  private var silenceWarnings: [String] {
    if summary.isSilent {
      let text = "The whole \(plan.noun) is silent."
      return [stream.sound.isMuted ? text : text + " Is the microphone muted?"]
    }
    return summary.silences.map { silence in
      let source = silence.track.map { "The track “\(displayed($0))”" } ?? "The source"
      return "\(source) was silent for \(length(silence.sampleCount)) of "
        + "\(length(summary.sampleCount))."
    }
  }

  /// The last JSON object.
  var json: JSONValue {
    let rate = plan.configuration.sampleRate
    var json: JSONValue = ["status": .text(exitStatus == .success ? "ok" : "error")]
    if !plan.isRecording { json = json + ["code": .integer(Int(exitStatus.code))] }
    let error =
      summary.failure?.keyword ?? summary.losses.last?.kind.rawValue
      ?? failedOutputs.first?.problem?.keyword ?? tally.trackFailure?.error.keyword
      ?? (hasIncompleteOutput ? "incomplete" : nil)
    let start = summary.startWallTime
    json =
      json + [
        "error": .optional(error),
        "message": .optional(lossMessage ?? message ?? (plan.isRecording ? nil : trackMessage)),
        "started": start == 0 ? .null : .text(Timestamp.iso8601(start)),
        "sampleRate": .integer(rate), "samples": .integer(summary.sampleCount),
        "duration": .decimal(seconds(summary.sampleCount), 6),
      ]
    if !plan.isRecording { json = json + ["frames": .integer(stream.frameCount)] }
    json =
      json + [
        "gaps": .integer(summary.gapCount), "lostSamples": .integer(summary.filledSampleCount),
        "unsavedSamples": .integer(summary.unsavedSampleCount),
      ]
    if plan.isRecording { json = json + ["pausedSamples": .integer(summary.pausedSampleCount)] }
    json =
      json + [
        "drift": .optional(summary.driftPartsPerMillion, 2),
        "clippedSamples": .integer(summary.clippedSampleCount),
        "silent": .flag(summary.isSilent), "silences": .list(silences),
      ]
    return .event("stopped", json + summary.loudness.totalJSON + contents)
  }

  private var silences: [JSONValue] {
    summary.silences.map { silence in
      [
        "track": .optional(silence.track), "samples": .integer(silence.sampleCount),
        "seconds": .decimal(seconds(silence.sampleCount), 6),
      ]
    }
  }

  /// The files of a recording, or the gaps and the outputs of a stream.
  private var contents: JSONValue {
    let rate = plan.configuration.sampleRate
    if plan.isRecording {
      let files = files.map { file in
        file.json(sampleRate: rate) + ["unsavedSamples": .integer(file.unsavedSampleCount)]
      }
      return ["files": .list(files)]
    }
    let gaps = summary.ledger.gaps.map { gap -> JSONValue in
      [
        "position": .integer(gap.position), "length": .integer(gap.length),
        "cause": .text(gap.cause.rawValue), "filled": .flag(gap.isFilled),
        "time": .text(Timestamp.iso8601(gap.wallTime)),
      ]
    }
    return ["ledger": .list(gaps), "outputs": .list(stream.outputs.map(\.json))]
  }
}

extension OutputStatus {
  /// Returns a human-readable line about the output.
  fileprivate func line(_ timing: StreamTiming) -> String {
    let seconds = timing.seconds(frameCount * timing.samplesPerUnit)
    var facts = [QuantityText.duration(seconds), QuantityText.size(byteCount)]
    if let segmentCount { facts.append(QuantityText.count(segmentCount, "segment")) }
    if let droppedShare { facts.append("\(droppedShare) dropped") }
    if reconnectCount > 0 { facts.append(QuantityText.count(reconnectCount, "reconnection")) }
    if hasFailed { facts.append("failed") }
    return "\(displayed(name)): " + facts.joined(separator: ", ")
  }
}

extension RecordingError {
  /// The keyword of the error in JSON.
  var keyword: String {
    switch self {
    case .capture(let error): error.keyword(for: .capture)
    case .encoder, .backEnd, .unsupportedConversion, .mixedCodings, .noSuchChannel, .tracks:
      "unsupported"
    case .effects(let error): error.kind.keyword
    case .output(let error), .allOutputsFailed(let error): error.kind.rawValue
    case .noThread, .alreadyStarted: "system"
    case .stopped: "stopped"
    }
  }
}
