import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

/// A capture on a simulated machine; the test advances time.
final class SimulatedCapture {
  let source: any CaptureSource
  private let sink = CaptureSink()
  private(set) var blocks: [CaptureBlock] = []
  private(set) var events: [DeviceEvent] = []
  /// The interleaved samples since the last event, change of format or loss.
  private(set) var samples: [Float] = []

  /// Starts to capture, and advances time by `count` blocks.
  init(
    _ request: CaptureRequest = CaptureRequest(), sharing choice: CoreAudioSessionOptions = .init(),
    stepping count: Int = 0
  ) throws {
    source = try CoreAudioSystem.makeSource(request, sharing: choice)
    try start()
    step(count)
  }

  /// Starts the source, which must not run.
  func start() throws(DeviceError) { try source.start(sink) }

  deinit {
    source.stop()
  }

  var last: CaptureBlock? { blocks.last }

  /// Advances time by blocks, and reads the output.
  func step(_ count: Int = 1) {
    for _ in 0..<count {
      SimulatedUnits.step()
      take()
    }
  }

  /// Reads the available blocks.
  func take() {
    var taken: [Float] = []
    while let block = sink.read(into: &taken, milliseconds: 0) {
      if let event = block.event {
        events.append(event)
        samples = []
      } else {
        if let last, !block.hasSameFormat(as: last) || block.lostFrameCount > 0 { samples = [] }
        blocks.append(block)
        samples += taken
      }
      taken = []
    }
  }

  /// Advances time until `isDone` returns true; returns false on timeout.
  func step(until isDone: () -> Bool) -> Bool { eventually(isDone) { step() } }

  /// Waits, without advancing time, until `event` has arrived `times` times.
  func eventuallyReports(_ event: DeviceEvent, times: Int = 1) -> Bool {
    eventually {
      take()
      return events.count(where: { $0 == event }) >= times
    }
  }

  /// Whether the latest samples match the microphone's, without loss or repetition.
  var isGapless: Bool { isGapless(last: samples.count / (last?.channelCount ?? 1)) }

  /// Advances time by blocks, and returns whether the samples are gapless then.
  func isGapless(after count: Int) -> Bool {
    step(count)
    return isGapless
  }

  /// Returns whether the last `frameCount` frames match the microphone's, without loss or
  /// repetition.
  func isGapless(last frameCount: Int) -> Bool {
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

  /// Stops the capture, and expects that nothing is left open; see `expectOrder`.
  func stop(_ location: SourceLocation = #_sourceLocation) {
    source.stop()
    take()
    expectOrder(location)
  }
}
