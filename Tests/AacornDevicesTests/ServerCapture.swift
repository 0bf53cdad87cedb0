#if os(Linux)
import AacornSystem
import Simulation
import Testing

@testable import AacornDevices

extension CaptureBlock {
  /// The time after the last frame.
  var end: Int64 { time + Int64(frameCount) * 1_000_000_000 / Int64(sampleRate) }
}

/// A capture from a simulated server, read as a recorder would read it.
final class ServerCapture<Server: NumberedServer> {
  let server: Server
  let source: any CaptureSource
  let sink = CaptureSink(sampleCapacity: 1 << 17)
  private(set) var events: [DeviceEvent] = []
  private(set) var blocks: [CaptureBlock] = []
  /// The time at which each block was read.
  private(set) var arrivals: [Int64] = []
  /// The first sample of each block.
  private(set) var firsts: [Int] = []
  private(set) var samples: [Float] = []
  /// The indexes of the blocks that follow an event.
  private(set) var blocksAfterEvents: Set<Int> = []

  /// Starts a capture from a server.
  init(_ server: Server, _ source: any CaptureSource) throws {
    self.server = server
    self.source = source
    try source.start(sink)
  }

  deinit { source.stop() }

  /// Reads what arrives in this time.
  func read(seconds: Double) {
    let end = System.seconds + seconds
    while true {
      let rest = end - System.seconds
      guard take(milliseconds: max(0, Int(rest * 1000))) || rest > 0.001 else { return }
    }
  }

  /// Reads until these events have arrived, and requires that they do in this time.
  func expect(
    _ expected: DeviceEvent..., within seconds: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let end = System.seconds + seconds
    while events.count < expected.count {
      try #require(System.seconds < end, "\(events)", sourceLocation: sourceLocation)
      take(milliseconds: 5)
    }
    #expect(events == expected, sourceLocation: sourceLocation)
  }

  /// Stops within the limit of the source, and checks that nothing follows.
  func stop() {
    let start = System.seconds
    source.stop()
    #expect(System.seconds - start < Server.stopLimit)
    read(seconds: 0)
    System.sleep(milliseconds: 2000)
    #expect(!take(milliseconds: 0), "Nothing follows the stop.")
  }

  @discardableResult
  private func take(milliseconds: Int) -> Bool {
    let count = samples.count
    guard let block = sink.read(into: &samples, milliseconds: milliseconds) else { return false }
    if let event = block.event {
      events.append(event)
      blocksAfterEvents.insert(blocks.count)
    } else {
      blocks.append(block)
      arrivals.append(System.nanoseconds)
      firsts.append(Int(samples[count]))
    }
    return true
  }

  /// The time at which a frame was captured.
  func time(of frame: Int, rate: Int = 1000) -> Int64 {
    server.origin + Int64(Double(frame - 1) * 1e9 / server.pace / Double(rate))
  }

  /// Expects each numbered frame once, in order, or in a reported loss of exactly its length, and
  /// at its time.
  ///
  /// The frames around an event may lie apart by any time. `rounding` is the maximum error of a
  /// reported loss.
  func expectExactFrames(
    tolerance: Int64 = 2_000_000, rounding: Int = 0, mayBeEmpty: Bool = false
  ) {
    #expect(mayBeEmpty || !blocks.isEmpty)
    var position = 0
    var expected: Int?
    for (index, block) in blocks.enumerated() {
      let first = firsts[index]
      let frames = samples[position..<position + block.frameCount * block.channelCount]
      position += frames.count
      // All channels of a frame have its number.
      for (index, frame) in frames.enumerated()
      where Int(frame) != first + index / block.channelCount {
        Issue.record("Sample \(index) of a block that begins with frame \(first) is \(frame).")
        return
      }
      if let expected {
        let missing = first - expected
        let lost = server.lost.filter { $0.overlaps(expected..<max(expected, first)) }
          .reduce(0) { $0 + $1.count }
        if missing < 0
          || abs(missing - block.lostFrameCount - lost) > rounding
            && !blocksAfterEvents.contains(index)
        {
          Issue.record(
            "\(missing) frames are missing before \(first), reported \(block.lostFrameCount).")
          return
        }
      }
      expected = first + block.frameCount
      let error = block.time - time(of: first, rate: block.sampleRate)
      if block.isTimeReliable && abs(error) > tolerance {
        Issue.record("The time of frame \(first) is off by \(error) ns.")
        return
      }
    }
  }
}
#endif
