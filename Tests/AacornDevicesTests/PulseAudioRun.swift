import AacornDevices
import AacornSystem
import SoundRigs

/// The output of a source, read as a recorder would read it.
struct PulseAudioRun {
  var blocks: [CaptureBlock] = []
  var events: [CaptureEvent] = []
  var samples: [Float] = []
  /// Room for most of a minute, because some tests read only at the end.
  let sink = CaptureSink(sampleCapacity: 1 << 22)

  /// Reads until `isEnough` returns true; returns false on timeout.
  @discardableResult
  mutating func read(until isEnough: (PulseAudioRun) -> Bool) -> Bool {
    let deadline = System.seconds + TestTimeout.seconds
    while !isEnough(self) {
      if System.seconds > deadline { return false }
      take(milliseconds: 20)
    }
    return true
  }

  /// Reads for a time in which something must not happen.
  mutating func watch(seconds: Double) {
    let deadline = System.seconds + seconds
    while System.seconds < deadline { take(milliseconds: 20) }
  }

  /// Reads until no block arrives for 200 ms.
  mutating func readUntilIdle() {
    while take(milliseconds: 200) {}
  }

  /// Reads the available blocks.
  mutating func readRest() {
    while take(milliseconds: 0) {}
  }

  @discardableResult
  private mutating func take(milliseconds: Int) -> Bool {
    guard let block = sink.read(into: &samples, milliseconds: milliseconds) else { return false }
    if block.event == .samples {
      blocks.append(block)
    } else {
      events.append(block.event)
    }
    return true
  }

  /// Returns the frames as numbers of the counter: the low 16 bits on the left, the high bits on
  /// the right.
  func counters(channelCount: Int = 2) -> [Int] {
    stride(from: 0, to: samples.count - channelCount + 1, by: channelCount).map { index in
      let low = Int(UInt16(bitPattern: Int16(samples[index] * 32768)))
      let high = Int(UInt16(bitPattern: Int16(samples[index + 1] * 32768)))
      return high << 16 | low
    }
  }

  /// Whether the last block contains this frame of the counter or a later one.
  func hasReached(_ frame: Int) -> Bool {
    guard let block = blocks.last else { return false }
    var last = self
    last.samples = Array(samples.suffix(2 * block.frameCount))
    return last.counters().contains { $0 >= frame }
  }

  /// Returns a sample of the signal that `counters` decodes.
  static func counter(_ frame: Int, _ channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: channel == 0 ? frame : frame >> 16)
  }

  /// Returns the signal for `frames`.
  static func counterSignal(_ frames: Range<Int>) -> [Int16] {
    frames.flatMap { [counter($0, 0), counter($0, 1)] }
  }
}
