import AacornSystem
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

/// How long is waited for what must come: no machine takes as long.
let patienceSeconds = 120.0

/// Waits until something comes true; whether it did.
func comesTrue(_ condition: () -> Bool) -> Bool {
  let deadline = System.seconds + patienceSeconds
  while System.seconds < deadline {
    if condition() { return true }
    System.sleep(milliseconds: 1)
  }
  return condition()
}

/// A capture on a simulated machine whose microphones count; time passes when the test says so.
final class SimulatedCapture {
  let source: any CaptureSource
  private let sink = CaptureSink()
  private(set) var blocks: [CaptureBlock] = []
  private(set) var notices: [CaptureNotice] = []
  /// What was captured since the last block in another form or notice, interleaved.
  private(set) var samples: [Float] = []

  /// Begins to capture.
  init(
    _ request: CaptureRequest = CaptureRequest(), sharing choice: CoreAudioSessionChoice = .init()
  )
    throws
  {
    SimulatedSound.signal = { _, frame, channel in
      CounterSignal.value(frame: frame, channel: channel)
    }
    source = try CoreAudioSystem.makeSource(request, sharing: choice)
    try source.start(sink)
  }

  deinit {
    source.stop()
  }

  /// The last block.
  var last: CaptureBlock? { blocks.last }

  /// Lets blocks pass, and takes what comes.
  func step(_ count: Int = 1) {
    for _ in 0..<count {
      SimulatedUnits.step()
      take()
    }
  }

  /// Takes what is there.
  func take() {
    var taken: [Float] = []
    while let block = sink.read(into: &taken, milliseconds: 0) {
      if block.notice != .samples {
        notices.append(block.notice)
        samples = []
      } else {
        if let last, !block.hasForm(of: last) || block.lostFrameCount > 0 { samples = [] }
        blocks.append(block)
        samples += taken
      }
      taken = []
    }
  }

  /// Lets time pass until something is so; false if it never is.
  func step(until isDone: () -> Bool) -> Bool {
    let deadline = System.seconds + patienceSeconds
    while System.seconds < deadline {
      if isDone() { return true }
      step()
      System.sleep(milliseconds: 1)
    }
    return isDone()
  }

  /// Waits until it has been told something as often as that, without time for units.
  func isTold(_ notice: CaptureNotice, times: Int = 1) -> Bool {
    comesTrue {
      take()
      return notices.count(where: { $0 == notice }) >= times
    }
  }

  /// Whether the samples of late are those of the microphone, none missing, none twice.
  var isWhole: Bool { isWhole(last: samples.count / (last?.channelCount ?? 1)) }

  /// The same for so many frames.
  func isWhole(last frameCount: Int) -> Bool {
    guard let last, frameCount > 0, samples.count >= frameCount * last.channelCount else {
      return false
    }
    let samples = samples.suffix(frameCount * last.channelCount)
    let start = CounterSignal.frame(value: samples[samples.startIndex], channel: 0)
    return samples.enumerated().allSatisfy { index, sample in
      sample
        == CounterSignal.value(
          frame: start + index / last.channelCount, channel: index % last.channelCount)
    }
  }

  /// Stops, and looks whether all is left in order: nothing open, nobody listening, no call that no
  /// program may make.
  func stop(_ location: SourceLocation = #_sourceLocation) {
    source.stop()
    take()
    expectOrder(location)
  }
}

/// Whether nothing is open and nobody listens, and no call was made that no program may make.
func expectOrder(_ location: SourceLocation = #_sourceLocation) {
  #expect(comesTrue { SimulatedUnits.open.isEmpty }, sourceLocation: location)
  #expect(comesTrue { SimulatedNotices.count == 0 }, sourceLocation: location)
  #expect(SimulatedMac.listenerCount == 0, sourceLocation: location)
  #expect(SimulatedConverters.openCount == 0, sourceLocation: location)
  #expect(SimulatedFiles.openCount == 0, sourceLocation: location)
  #expect(SimulatedUnits.faults.isEmpty, sourceLocation: location)
}
