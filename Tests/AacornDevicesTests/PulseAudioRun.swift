import AacornDevices
import AacornSystem
import SoundRigs

/// What came out of a source, read as a recorder would.
struct PulseAudioRun {
  var blocks: [CaptureBlock] = []
  var notices: [CaptureNotice] = []
  var samples: [Float] = []
  /// Room for most of a minute: some tests read only when all has come.
  let sink = CaptureSink(sampleCapacity: 1 << 22)

  /// Reads until `isEnough`; false if it never is.
  @discardableResult
  mutating func read(until isEnough: (PulseAudioRun) -> Bool) -> Bool {
    let deadline = System.seconds + Patience.seconds
    while !isEnough(self) {
      if System.seconds > deadline { return false }
      take(milliseconds: 20)
    }
    return true
  }

  /// Reads what comes in a time in which something must not happen.
  mutating func watch(seconds: Double) {
    let deadline = System.seconds + seconds
    while System.seconds < deadline { take(milliseconds: 20) }
  }

  /// Reads until nothing comes any more.
  mutating func readToStandstill() {
    while take(milliseconds: 200) {}
  }

  /// Reads what is there.
  mutating func readRest() {
    while take(milliseconds: 0) {}
  }

  @discardableResult
  private mutating func take(milliseconds: Int) -> Bool {
    guard let block = sink.read(into: &samples, milliseconds: milliseconds) else { return false }
    if block.notice == .samples {
      blocks.append(block)
    } else {
      notices.append(block.notice)
    }
    return true
  }

  /// The frames as the counter that was fed: the low 16 bits on the left, the others on the right.
  func counters(channelCount: Int = 2) -> [Int] {
    stride(from: 0, to: samples.count - channelCount + 1, by: channelCount).map { index in
      let low = Int(UInt16(bitPattern: Int16(samples[index] * 32768)))
      let high = Int(UInt16(bitPattern: Int16(samples[index + 1] * 32768)))
      return high << 16 | low
    }
  }

  /// Whether the last block has a frame of the counter in it, or one further on.
  func hasReached(_ frame: Int) -> Bool {
    guard let block = blocks.last else { return false }
    var last = self
    last.samples = Array(samples.suffix(2 * block.frameCount))
    return last.counters().contains { $0 >= frame }
  }

  /// A sample of the signal that `counters` reads.
  static func counter(_ frame: Int, _ channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: channel == 0 ? frame : frame >> 16)
  }

  /// The signal for so many frames.
  static func counterSignal(_ frames: Range<Int>) -> [Int16] {
    frames.flatMap { [counter($0, 0), counter($0, 1)] }
  }
}
