import AacornCodec
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// The result of a stream: human-readable, as JSON, and as an exit status.
struct StreamingReport {
  private let plan: StreamPlan
  private let summary: RecordingSummary
  private let stream: StreamSnapshot
  private let files: [RecordTally.File]
  private let trackFailure: (track: String, error: RecordingError)?

  /// Creates the report of a completed stream.
  init(
    _ plan: StreamPlan, _ summary: RecordingSummary, _ stream: StreamSnapshot,
    _ tally: StreamTally = StreamTally()
  ) {
    self.plan = plan
    self.summary = summary
    self.stream = stream
    files = tally.sound.orderedFiles(summary)
    trackFailure = tally.sound.trackFailure
  }

  /// Creates the report of a stream that failed to start.
  init(_ plan: StreamPlan, failure: RecordingError) {
    var summary = RecordingSummary()
    summary.failure = failure
    self.init(plan, summary, StreamSnapshot())
  }

  /// The outputs that have failed permanently, or that have accepted no audio, whatever the reason.
  private var failedOutputs: [OutputStatus] {
    stream.outputs.filter { $0.hasFailed || $0.isEmpty }
  }

  /// Whether any output has accepted audio.
  private var hasAcceptedAudio: Bool { stream.outputs.contains { !$0.isEmpty } }

  var exitStatus: ExitStatus {
    switch summary.failure {
    case nil, .capture(.damagedFile):
      if summary.sampleCount == 0 { return .cannotRead }
      if !summary.losses.isEmpty { return .endedEarly }
      let count = failedOutputs.count
      if count == 0 {
        if let trackFailure, !trackFailure.error.isInputDamage { return .endedEarly }
        return summary.failure == nil && trackFailure == nil ? .success : .failed
      }
      if count < stream.outputs.count { return .failed }
      return hasAcceptedAudio ? .endedEarly : .cannotWrite
    case .output, .allOutputsFailed: return hasAcceptedAudio ? .endedEarly : .cannotWrite
    case .effects(let error): return error.kind.exitStatus
    // A missing library is treated like a device that cannot be opened.
    case .tracks(.echoCancellerMissing), .tracks(.echoCancellerUnsuitable): return .cannotRead
    case .encoder, .mixedCodings, .tracks: return .usage
    case .capture, .backEnd, .unsupportedConversion, .noSuchChannel, .noThread, .alreadyStarted,
      .stopped:
      return hasAcceptedAudio ? .endedEarly : .cannotRead
    }
  }

  /// The message about the end; nil if there is nothing to report.
  var message: String? {
    guard let failure = summary.failure else {
      return summary.sampleCount == 0
        ? "Nothing was streamed: no sound arrived before the end." : outputMessage
    }
    switch failure {
    case .capture(.damagedFile):
      return [failure.commandMessage, outputMessage].compactMap(\.self).joined(separator: " ")
    case .output(let error), .allOutputsFailed(let error):
      // Each output has already reported its own error.
      return stream.haveAllFailed && stream.outputs.count > 1
        ? "All outputs have failed, so the stream has ended."
        : plan.redactor.clean(error.commandMessage)
    default:
      return hasAcceptedAudio
        ? "The stream ended prematurely. " + failure.commandMessage : failure.commandMessage
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
      return hasAcceptedAudio
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

  /// The message about lost files for JSON; the display has already printed it.
  private var lossMessage: String? {
    guard summary.failure?.isInputDamage ?? true, let loss = summary.losses.last else { return nil }
    return plan.redactor.clean(loss.commandMessage)
  }

  /// The message about a failed track for JSON; the display has already printed it.
  private var trackMessage: String? {
    guard let (track, error) = trackFailure else { return nil }
    return RecorderEvent.trackFailed(track, error).commandMessage(
      sampleRate: plan.configuration.sampleRate)?.text
  }

  func print(in console: Console) {
    if plan.printsJSON {
      console.print(json)
      console.output.flush()
      return
    }
    // The only output has already reported its failure.
    if let message, !(plan.outputs.count == 1 && failedOutputs.contains(where: \.hasFailed)) {
      console.printError(message)
    }
    if plan.isQuiet || console.isOutputMissing { return }
    if summary.clippedSampleCount > 0 {
      console.printError(
        "Warning: \(QuantityText.count(summary.clippedSampleCount, "sample")) reached full scale. "
          + "Turn the input down, or use --gain -6.")
    }
    let rate = plan.configuration.sampleRate
    for output in stream.outputs where output.kind != .save {
      console.print(output.line(plan.timing(for: output.kind)))
    }
    // Print the saved files from their own list, since a file may have been renamed during the
    // stream.
    for file in files where !stream.outputs.contains(where: { $0.isStream(file.name) }) {
      console.print(file.line(sampleRate: rate))
    }
    if let loudness = summary.loudness.totalText {
      console.print("loudness: " + loudness)
    }
    if summary.ledger.filledSampleCount > 0 {
      let lost = Double(summary.ledger.filledSampleCount) / Double(max(1, rate))
      console.print(
        "lost in capture: \(QuantityText.length(lost)) in "
          + QuantityText.count(summary.ledger.filledCount, "gap"))
    }
    console.output.flush()
  }

  /// The last JSON object.
  ///
  /// Names and order of the keys are stable.
  var json: JSONValue {
    let rate = plan.configuration.sampleRate
    let gaps = summary.ledger.gaps.map { gap in
      JSONValue.object([
        .init("position", .integer(gap.position)), .init("length", .integer(gap.length)),
        .init("cause", .text(gap.cause.rawValue)), .init("filled", .flag(gap.isFilled)),
        .init("time", .text(Timestamp.iso8601(gap.wallTime))),
      ])
    }
    let members: [JSONValue.Member] = [
      .init("event", .text("stopped")),
      .init("time", .text(Timestamp.iso8601(System.wallNanoseconds))),
      .init("status", .text(exitStatus == .success ? "ok" : "error")),
      .init("code", .integer(Int(exitStatus.code))),
      .init(
        "error",
        .optional(
          summary.failure?.keyword ?? summary.losses.last?.kind.rawValue
            ?? failedOutputs.first?.problem?.keyword ?? trackFailure?.error.keyword)),
      .init("message", .optional(lossMessage ?? message ?? trackMessage)),
      .init(
        "started",
        summary.startWallTime == 0 ? .null : .text(Timestamp.iso8601(summary.startWallTime))),
      .init("sampleRate", .integer(rate)), .init("samples", .integer(summary.sampleCount)),
      .init("duration", .decimal(Double(summary.sampleCount) / Double(max(1, rate)), 6)),
      .init("frames", .integer(stream.frameCount)), .init("gaps", .integer(summary.gapCount)),
      .init("lostSamples", .integer(summary.filledSampleCount)),
      .init("unsavedSamples", .integer(summary.unsavedSampleCount)),
      .init("drift", summary.driftPartsPerMillion.map { .decimal($0, 2) } ?? .null),
      .init("clippedSamples", .integer(summary.clippedSampleCount)),
    ]
    let contents: [JSONValue.Member] = [
      .init("ledger", .list(gaps)),
      .init("outputs", .list(stream.outputs.map { .object($0.members) })),
    ]
    return .object(members + summary.loudness.totalMembers + contents)
  }
}

extension OutputStatus {
  /// Returns whether the output has a name and is not a file.
  fileprivate func isStream(_ name: String) -> Bool { kind != .save && name == self.name }

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
