import AacornContainers
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

// Commands from pages. All run on the worker's thread, in sequence.
extension StudioRecorder {
  /// The commands of pages, named like the last component of the path.
  enum Command: String {
    case record, stop, pause, resume, mute, gain, effects, bypass, device, hear, listen
  }

  /// Executes a command and returns the response.
  func execute(_ command: Command, _ form: FormFields) throws(StudioError) -> JSONValue {
    switch command {
    case .record: return try record(RecordingRequest(form))
    case .stop: return try stopRecording()
    case .pause: try recording().session.setPaused(true)
    case .resume: try recording().session.setPaused(false)
    case .mute: try mute(form)
    case .gain: try changeGain(form)
    case .effects: try changeEffects(form)
    case .bypass: try bypass(form)
    case .device: try changeDevice(form)
    case .hear: try monitor(form)
    case .listen: try listen(form)
    }
    return .object([])
  }

  /// Returns the current recording; throws if there is none.
  func recording() throws(StudioError) -> ActiveRecording {
    guard let active = active.withLock({ $0 }), !active.isListening else {
      throw StudioError(409, "Nothing is being recorded.")
    }
    return active
  }

  // MARK: - Recording

  private func record(
    _ request: RecordingRequest, attemptCount: Int = 3
  ) throws(StudioError) -> JSONValue {
    if isRecording {
      throw StudioError(409, "A recording is already in progress. Stop it first.")
    }
    let plan = try RecordingPlan(request)
    let source = try source(request, plan)
    endListening()
    ending.withLock { $0 = nil }
    // Store the settings even if the device is busy, so that the user need not enter them again.
    statusStore.change { state in
      state.request = request
      state.phase = .opening
    }
    restoreFolder()
    let name = library.freeName(
      requestedName: request.name, suffix: plan.request.format.rawValue
    ).text
    library.setRecording(name, true)
    let outputs = OutputMessages(plan.redactor) { [statusStore, reportIncident] message in
      statusStore.change { state in if let message { state.add(message) } }
      // An output has failed.
      if let message, message.severity == .error { reportIncident(message.text) }
    }
    outputs.hold()
    let recording = activate(plan, name, outputs) { [weak self] in self?.finishEndedSession() }
    statusStore.change { state in
      state.current = RecorderState.Current(
        name: name, plan: plan, outputs: outputs, startTime: RecorderState.now)
    }
    do throws(RecordingError) {
      // A file system may still create an empty file, so the recording would fail only later.
      if library.disk.freeBytes == 0 {
        throw .output(OutputError(.diskFull, "The disk is full.").afterSaving(upTo: 0))
      }
      try recording.start(source)
    } catch {
      library.setRecording(name, false)
      statusStore.change { state in
        state.phase = .idle
        state.current = nil
      }
      // Another client has just taken the name, so there is another free one.
      if case .output(let error) = error, error.kind == .exists, attemptCount > 1 {
        return try record(request, attemptCount: attemptCount - 1)
      }
      let failure = StudioError(error, file: name)
      // The response already contains this message, and a page would show it twice.
      outputs.release(except: failure.message)
      throw failure
    }
    outputs.release()
    hls.withLock { $0 = recording.hls }
    active.withLock { $0 = recording }
    broadcaster.setRecording(recording)
    statusStore.change { state in
      state.phase = .recording
      state.isMuted = false
      state.isBypassed = false
      state.isMonitored = false
      if state.current?.device == nil { state.current?.device = source.device }
    }
    return ["name": .text(name)]
  }

  /// Creates the folder again if another program has removed it, and reports that.
  private func restoreFolder() {
    guard library.disk.restore() else { return }
    let message =
      "The studio's folder “\(displayed(library.disk.path))” was removed or renamed by another program,"
      + " with its content. It was created again, with access for its owner only."
    statusStore.change { $0.add(.error(message)) }
    reportIncident(message)
  }

  func source(
    _ request: RecordingRequest, _ plan: RecordingPlan
  ) throws(StudioError) -> any CaptureSource {
    do throws(DeviceError) {
      return try request.source(for: plan.configuration, among: systems)
    } catch {
      throw StudioError(error)
    }
  }

  /// Creates a recording, or monitoring, whose events update the recorder's status.
  ///
  /// `ended` is called when the session ends, for whatever reason.
  func activate(
    _ plan: RecordingPlan, _ name: String?, _ outputs: OutputMessages,
    ended: @escaping @Sendable () -> Void
  ) -> ActiveRecording {
    let statusStore = statusStore
    let reportIncident = reportIncident
    let sampleRate = plan.configuration.sampleRate
    return ActiveRecording(
      plan, folder: library.disk, name: name, outputs: outputs, streamPath: streamPath
    ) { event in
      if name == nil {
        statusStore.applyMonitorEvent(event)
      } else {
        statusStore.apply(event, sampleRate: sampleRate)
      }
      if case .outputFailed(let name, let error) = event { outputs.list.fail(named: name, error) }
      if case .outputLost(_, let error) = event { reportIncident(error.message) }
      guard case .stopped(let summary) = event else { return }
      switch summary.failure {
      // A failed output has reported its error.
      case nil, .allOutputsFailed: break
      case let failure?:
        if let name, summary.hasBegun { reportIncident(failure.pageMessage(file: name)) }
      }
      ended()
    }
  }

  private func stopRecording() throws(StudioError) -> JSONValue {
    let active = try recording()
    switch end(active) {
    case .recorded(let result): return result.json(losses: losses(of: active))
    case .elsewhere(let path): throw StudioError(500, Self.elsewhereMessage(path))
    case .nothing:
      if let loss = active.session.summary?.losses.last { throw StudioError(500, loss.message) }
      if let failure = active.session.summary?.failure {
        throw StudioError(failure, file: active.name)
      }
      throw StudioError(503, Self.noSoundMessage)
    }
  }

  fileprivate static let noSoundMessage =
    "Nothing was recorded: the recording was paused or stopped before any audio arrived."

  fileprivate static func elsewhereMessage(_ path: String) -> String {
    "The recording is not in the studio's folder, because the recording or the folder was moved or"
      + " removed. The recording is now “\(displayed(path))”."
  }

  /// Finishes a session that ended without a request.
  func finishEndedSession() {
    worker.run { [self] in
      guard let active = active.withLock({ $0 }), active.session.summary != nil else { return }
      if active.isListening { endListening() } else { _ = end(active) }
    }
  }

  /// The result of a recording.
  enum Outcome {
    /// The recording is in the studio's folder.
    case recorded(StudioRecording)
    /// The recording is at this path outside the folder.
    case elsewhere(String)
    /// There is no file, since no samples arrived or all were lost.
    case nothing
  }

  /// Ends a recording and returns its result.
  func end(_ recording: ActiveRecording) -> Outcome {
    statusStore.change { $0.phase = .stopping }
    let summary = recording.stop()
    active.withLock { $0 = nil }
    broadcaster.setRecording(nil)
    recording.hls?.end()
    let outcome = outcome(of: recording, in: summary)
    ending.withLock { $0 = StudioShutdownResult(outcome, losses: losses(of: recording)) }
    library.setRecording(recording.name ?? "", false)
    statusStore.change { state in
      state.phase = .idle
      state.isMuted = false
      state.isBypassed = false
      state.isMonitored = false
      state.current = nil
      switch outcome {
      case .recorded(let result): state.last = result
      case .elsewhere(let path): state.add(.error(Self.elsewhereMessage(path)))
      case .nothing:
        if summary.failure == nil && summary.losses.isEmpty {
          state.add(.warning(Self.noSoundMessage))
        }
      }
    }
    return outcome
  }

  /// Describes losses caused by other programs, and the reason for a premature end, in sentences.
  private func losses(of recording: ActiveRecording) -> [String] {
    guard let summary = recording.session.summary else { return [] }
    var messages = summary.losses.map(\.message)
    if let failure = summary.failure {
      messages.append(failure.pageMessage(file: recording.name))
    } else if let file = recording.outputs.list.all.first(where: { $0.kind == .save }),
      case .failed(let problem) = file.state
    {
      messages.append(problem.message)
    }
    if let unsaved = summary.unsavedMessage { messages.append(unsaved) }
    return messages
  }

  /// Finds the file of a recording.
  ///
  /// The file has another name if another program removed the original file during the recording.
  private func outcome(of recording: ActiveRecording, in summary: RecordingSummary) -> Outcome {
    let path = library.disk.path(of: recording.name ?? "")
    let others = recording.outputs.list.all.filter { $0.kind != .save }.map(\.name)
    let files = summary.outputs.filter { !others.contains($0.name) }
    guard let file = files.first(where: { $0.name == path }) ?? files.last else { return .nothing }
    let name = String(file.name.split(separator: "/").last ?? "")
    let found = try? System.status(of: library.disk.path(of: name)).identity
    if found == nil || found != (try? System.status(of: file.name).identity) {
      return .elsewhere(file.name)
    }
    let duration = Duration(samples: file.sampleCount, at: summary.sampleRate)
    return .recorded(
      StudioRecording(
        name: name, duration: duration, byteCount: file.byteCount,
        gapCount: summary.ledger.filledCount,
        bitrate: StudioRecording.bitrate(
          of: recording.monitor.payloadByteCount, in: duration / .seconds(1)),
        loudness: summary.loudness.integrated.map { Double($0) }, isSilent: summary.isSilent))
  }
}

extension StudioShutdownResult {
  fileprivate init(_ outcome: StudioRecorder.Outcome, losses: [String]) {
    switch outcome {
    case .recorded(let recording): self.init(recording, losses: losses)
    case .elsewhere(let path):
      self.init(nil, pathElsewhere: path, losses: losses + [StudioRecorder.elsewhereMessage(path)])
    case .nothing: self.init(nil, losses: losses.isEmpty ? [StudioRecorder.noSoundMessage] : losses)
    }
  }
}
