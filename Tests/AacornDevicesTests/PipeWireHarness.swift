import AacornSystem
import SoundRigs

@testable import AacornDevices

/// Everything that came out of a sink, and a source that is stopped in the end.
final class PipeWireHarness {
  let source: PipeWireSource
  /// Room for most of a minute, in which a busy machine may have other things to do than read.
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

  var notices: [CaptureNotice] { blocks.map(\.notice).filter { $0 != .samples } }
  var lostFrameCount: Int { blocks.reduce(0) { $0 + $1.lostFrameCount } }

  /// The numbers in frames of the session's counter, and 0 for silence.
  var counters: [Int] {
    stride(from: 0, to: samples.count - 1, by: 2).map {
      PipeWireSession.counter(left: samples[$0], right: samples[$0 + 1])
    }
  }

  /// The number in the last frame.
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

  /// Numbers left out between the first and the last one.
  var skippedCount: Int {
    let heard = counters.filter { $0 != 0 }
    guard let first = heard.first, let last = heard.last else { return -1 }
    return last - first + 1 - heard.count
  }

  /// Whether the player was late, so that its gaps are not ours.
  ///
  /// Its numbers then begin late, or silence is among them, or, if it was late while we were, fewer
  /// are left out than are told lost, and yet the clock says that so much was lost.
  var isDisturbed: Bool {
    let counters = counters
    guard let first = counters.firstIndex(where: { $0 != 0 }),
      let last = counters.lastIndex(where: { $0 != 0 })
    else { return true }
    return counters[first] != 1 || counters[first...last].contains(0)
      || skippedCount < lossSinceCounting && isLossTrueByTheClock
  }

  /// Whether as much time passed as was heard or is told lost, within a fraction of a cycle.
  private var isLossTrueByTheClock: Bool {
    guard let first = blocks.first, let last = blocks.last else { return false }
    let heard = blocks.dropLast().reduce(0) { $0 + $1.frameCount }
    let passed = Double(last.time - first.time) / 1e9 * Double(first.sampleRate)
    return abs(passed - Double(heard + lostFrameCount - first.lostFrameCount)) < 1024
  }

  /// Begins anew with what comes next.
  func forget() {
    blocks = []
    samples = []
  }

  /// Takes blocks until nothing but silence has come for a fifth of a second.
  func readSilence() -> Bool {
    var count = 0
    return read { block in
      let isSilent = samples.suffix(2 * block.frameCount).allSatisfy { $0 == 0 }
      count = isSilent ? count + block.frameCount : 0
      return count >= 9600
    }
  }

  /// Takes what is there.
  func readRest() {
    while let block = sink.read(into: &samples, milliseconds: 0) { blocks.append(block) }
  }

  /// Takes what comes until nothing comes any more.
  func readToStandstill() {
    while read(seconds: 0.2, until: { _ in true }) {}
  }

  /// Takes blocks until one is as wanted; false if none comes.
  @discardableResult
  func read(seconds: Double = Patience.seconds, until isWanted: (CaptureBlock) -> Bool) -> Bool {
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

  func readNotice(_ notice: CaptureNotice) -> Bool { read { $0.notice == notice } }
}
