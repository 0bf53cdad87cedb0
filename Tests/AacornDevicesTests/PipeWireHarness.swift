import AacornSystem
import Foundation
import SoundRigs

@testable import AacornDevices

/// A sink with all of its output, and a source that is stopped at the end.
final class PipeWireHarness {
  let source: PipeWireSource
  /// Room for most of a minute, because a busy machine may read late.
  let sink = CaptureSink(sampleCapacity: 1 << 22)
  private(set) var blocks: [CaptureBlock] = []
  private(set) var samples: [Float] = []

  init(_ request: CaptureRequest, _ session: PipeWireSession) throws {
    source = PipeWireSource(request, remote: session.socket)
    try source.start(sink)
  }

  deinit {
    source.stop()
  }

  var events: [DeviceEvent] { blocks.compactMap(\.event) }
  var lostFrameCount: Int { blocks.reduce(0) { $0 + $1.lostFrameCount } }

  /// The numbers in frames of the session's counter, and 0 for silence.
  var counters: [Int] {
    stride(from: 0, to: samples.count - 1, by: 2).map {
      PipeWireSession.counter(left: samples[$0], right: samples[$0 + 1])
    }
  }

  /// The number of the last frame.
  var lastCounter: Int {
    guard samples.count >= 2 else { return 0 }
    return PipeWireSession.counter(
      left: samples[samples.count - 2], right: samples[samples.count - 1])
  }

  /// The frames lost after the first numbered one.
  var lossSinceCounting: Int {
    let counters = counters
    var position = 0
    var isCounting = false
    var count = 0
    for block in blocks {
      if isCounting { count += block.lostFrameCount }
      let end = position + block.frameCount
      if !isCounting { isCounting = counters[position..<end].contains { $0 != 0 } }
      position = end
    }
    return count
  }

  /// The count of numbers missing between the first and the last one.
  var skippedCount: Int {
    let numbers = counters.filter { $0 != 0 }
    guard let first = numbers.first, let last = numbers.last else { return -1 }
    return last - first + 1 - numbers.count
  }

  /// Whether the player was late, so that its gaps are not caused by this program.
  ///
  /// A late player's numbers begin late or contain silence. If this program was late as well, fewer
  /// numbers are missing than the reported loss, although the clock confirms the loss.
  var isDisturbed: Bool {
    let counters = counters
    guard let first = counters.firstIndex(where: { $0 != 0 }),
      let last = counters.lastIndex(where: { $0 != 0 })
    else { return true }
    return counters[first] != 1 || counters[first...last].contains(0)
      || skippedCount < lossSinceCounting && clockConfirmsLoss
  }

  /// Whether the elapsed time equals the received and lost frames, within a fraction of a cycle.
  private var clockConfirmsLoss: Bool {
    guard let first = blocks.first, let last = blocks.last else { return false }
    let receivedFrameCount = blocks.dropLast().reduce(0) { $0 + $1.frameCount }
    let passed = Double(last.time - first.time) / 1e9 * Double(first.sampleRate)
    return abs(passed - Double(receivedFrameCount + lostFrameCount - first.lostFrameCount)) < 1024
  }

  /// Discards the collected blocks and samples.
  func clear() {
    blocks = []
    samples = []
  }

  /// Reads blocks until 0.2 s of them are silent.
  func readSilence() -> Bool {
    var count = 0
    return read { block in
      let isSilent = samples.suffix(2 * block.frameCount).allSatisfy { $0 == 0 }
      count = isSilent ? count + block.frameCount : 0
      return count >= 9600
    }
  }

  /// Reads the available blocks.
  func readRest() {
    while let block = sink.read(into: &samples, milliseconds: 0) { blocks.append(block) }
  }

  /// Reads blocks until `isWanted` accepts one; returns false on timeout.
  @discardableResult
  func read(seconds: Double = TestTimeout.seconds, until isWanted: (CaptureBlock) -> Bool) -> Bool {
    let deadline = System.seconds + seconds
    while System.seconds < deadline {
      guard let block = sink.read(into: &samples, milliseconds: 50) else { continue }
      blocks.append(block)
      if isWanted(block) { return true }
    }
    return false
  }

  func readSamples(_ frameCount: Int = 4800) -> Bool {
    var count = 0
    return read {
      count += $0.frameCount
      return count >= frameCount
    }
  }

  func readEvent(_ event: DeviceEvent) -> Bool { read { $0.event == event } }
}
