import AudioCapture
import Platform

/// What came out of a source, read as a recorder would.
struct PulseAudioRun {
  var blocks: [CaptureBlock] = []
  var notices: [CaptureNotice] = []
  var samples: [Float] = []
  let sink = CaptureSink()

  /// Reads until `isEnough`, for so many seconds at most; whether it was enough.
  @discardableResult
  mutating func read(
    seconds: Double, until isEnough: (PulseAudioRun) -> Bool = { _ in false }
  ) -> Bool {
    let deadline = System.seconds + seconds
    while !isEnough(self) {
      if System.seconds > deadline { return false }
      take(milliseconds: 20)
    }
    return true
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

  /// A sample of the signal that `counters` reads.
  static func counter(_ frame: Int, _ channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: channel == 0 ? frame : frame >> 16)
  }

  /// The signal for so many frames.
  static func counterSignal(_ frames: Range<Int>) -> [Int16] {
    frames.flatMap { [counter($0, 0), counter($0, 1)] }
  }
}
