import AacornRecording

/// What has happened to a stream so far, as far as later sentences and the report need it.
struct StreamTally {
  /// The sound, and the files that are complete.
  private(set) var sound = RecordTally()
  /// What is known of outputs, by number.
  private(set) var outputs: [Int: StreamEvent.Past] = [:]
  /// Dropped frames that were told of.
  private var toldDropCounts: [Int: Int] = [:]
  /// Outputs whose server could not be told what is played, which was said.
  private var toldMetadataTroubles: Set<Int> = []
  private var lastDropTime: [Int: Double] = [:]

  /// Seconds between two sentences about dropped frames of an output.
  private static let interval = 5.0

  /// Takes what has happened next, after it was told.
  mutating func take(_ event: StreamEvent, wallTime: Int64) {
    switch event {
    case .sound(let event): sound.take(event)
    case .output(let index, let state):
      var past = outputs[index] ?? StreamEvent.Past()
      switch state {
      case .live:
        past.wasLive = true
        past.lossTime = nil
        past.toldTrouble = nil
      case .reconnecting(let trouble, _):
        past.lossTime = past.lossTime ?? wallTime
        past.toldTrouble = trouble.word
      default: break
      }
      outputs[index] = past
    case .dropped, .metadata, .listening, .warning: break
    }
  }

  /// Events for frames that were dropped and not told of; not too often, except at the end.
  mutating func drops(
    in outputs: [StreamSnapshot.Output], at seconds: Double, isEnd: Bool
  ) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for (index, output) in outputs.enumerated() {
      let count = output.droppedFrameCount - (toldDropCounts[index] ?? 0)
      let isDue = seconds - (lastDropTime[index] ?? -.infinity) >= Self.interval
      guard count > 0, isEnd || isDue else { continue }
      toldDropCounts[index] = output.droppedFrameCount
      lastDropTime[index] = seconds
      events.append(.dropped(index, frameCount: count))
    }
    return events
  }

  /// Warnings of servers that could not be told what is played; one for each, until it could.
  mutating func metadataTroubles(in outputs: [StreamSnapshot.Output]) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for (index, output) in outputs.enumerated() {
      guard let trouble = output.metadataTrouble else {
        toldMetadataTroubles.remove(index)
        continue
      }
      if toldMetadataTroubles.insert(index).inserted {
        events.append(.warning("\(output.id) was not told what is played: \(trouble)"))
      }
    }
    return events
  }
}
