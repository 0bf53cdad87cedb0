import AacornDevices
import AacornSystem

/// The change from one source to another, on the session's thread.
extension RecordingSession {
  /// Begins to open a source that should take over; cancels another opening.
  func change(_ loop: inout Loop, to source: any CaptureSource) {
    let id = source.device?.id ?? ""
    if source.followsClock != loop.source.followsClock {
      let reason = "its clock differs from that of the previous device"
      return events(.sourceRefused(.unsupportedFormat(id: id, reason: reason)))
    }
    if let opening = loop.opening, !opening.abandon() {
      loop.nextSource = source
      return
    }
    let opening = SourceOpening(source)
    guard opening.begin(replacing: loop.source, loop.sink) else {
      loop.opening = nil
      return events(.sourceRefused(.noThread(to: "open", for: id)))
    }
    loop.opening = opening
  }

  /// Switches to a source that has been opened since the last poll.
  func checkOpening(_ loop: inout Loop) throws(RecordingError) {
    guard let opening = loop.opening else { return }
    switch opening.phase {
    case .opening: return
    case .closingOld: readEarlyBlocks(&loop, opening)
    case .abandoned: loop.opening = nil
    case .failed(let error):
      loop.opening = nil
      events(.sourceRefused(error))
      if let end = loop.oldEnd {
        loop.oldEnd = nil
        try process(end, &loop)
      }
    case .done:
      try takeOver(&loop, opening)
      if let next = loop.nextSource {
        loop.nextSource = nil
        change(&loop, to: next)
      }
    }
  }

  /// Empties the new source's ring, which would overflow while the old source is being closed.
  private func readEarlyBlocks(_ loop: inout Loop, _ opening: SourceOpening) {
    var samples: [Float] = []
    while let block = opening.sink.read(into: &samples, milliseconds: 0) {
      loop.early.append((block, samples))
      samples = []
    }
  }

  private func takeOver(_ loop: inout Loop, _ opening: SourceOpening) throws(RecordingError) {
    let (source, oldSink) = (opening.source, loop.sink)
    loop.opening = nil
    loop.oldEnd = nil
    loop.source = source
    loop.samples.removeAll(keepingCapacity: true)
    while let block = oldSink.read(into: &loop.samples, milliseconds: 0) {
      if block.event == nil { try loop.pipeline.accept(block, loop.samples, from: nil) }
      loop.samples.removeAll(keepingCapacity: true)
    }
    let droppedCount = oldSink.takeDroppedFrameCount()
    try loop.pipeline.changeLeader { $0.addDropped(frameCount: droppedCount) }
    try loop.pipeline.changeLeader { $0.changeSource(to: source.device) }
    loop.sink = opening.sink
    state.withLock { state in
      state.sink = opening.sink
      state.status.device = source.device
      state.diagnostics = source.diagnostics
    }
    monitoring.withLock { monitoring in
      if monitoring.point == .source, let listener = loop.sink.listener {
        monitoring.monitor?.listen(to: listener, from: source.device)
      }
    }
    events(.deviceChanged(source.device))
    readEarlyBlocks(&loop, opening)
    let early = loop.early
    loop.early = []
    for (block, samples) in early {
      loop.samples = samples
      try process(block, &loop)
    }
  }

  /// Stops the source, a source that is taking over, and the sources of the other tracks.
  ///
  /// If the first track follows no clock, the other tracks must still provide samples for its
  /// unread blocks. So the caller stops them later.
  func stopSources(_ loop: inout Loop) {
    if let opening = loop.opening, !opening.abandon() {
      opening.waitUntilDone()
      if loop.failure == nil {
        do throws(RecordingError) {
          try takeOver(&loop, opening)
        } catch {
          loop.failure = error
        }
      }
      opening.source.stop()
    }
    loop.opening = nil
    loop.source.stop()
    if loop.pipeline.followsClock { loop.pipeline.mixdown.stopSources() }
  }
}
