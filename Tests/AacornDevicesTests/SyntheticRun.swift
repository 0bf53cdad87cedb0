import AacornDevices
import DeviceRigs
import SoundRigs
import Testing

/// The complete output of an unpaced source.
struct SyntheticRun: Equatable {
  struct Piece: Equatable {
    var event: DeviceEvent?
    var time: Int64
    var sampleRate = 0
    var channelCount = 0
    var isTimeReliable = true
    var lostFrameCount = 0
    var lossCause = CaptureLoss.overrun
    var samples: [Float] = []

    var frameCount: Int { channelCount == 0 ? 0 : samples.count / channelCount }
    /// The position of the counter's first frame, below 65,536.
    var firstFrame: Int { CounterSignal.frame(value: samples[0], channel: 0) }
  }

  var pieces: [Piece] = []

  /// The blocks of samples.
  var blocks: [Piece] { pieces.filter { $0.event == nil } }
  var events: [DeviceEvent] { pieces.compactMap(\.event) }
  /// All samples, one block after the other.
  var samples: [Float] { blocks.flatMap(\.samples) }

  /// Runs `source` into a sink with room for `capacity` samples.
  init(_ source: any CaptureSource, capacity: Int = 1 << 16) throws {
    let sink = CaptureSink(sampleCapacity: capacity)
    try source.start(sink)
    defer { source.stop() }
    while true {
      var samples: [Float] = []
      let block = try #require(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds))
      pieces.append(
        Piece(
          event: block.event, time: block.time, sampleRate: block.sampleRate,
          channelCount: block.channelCount, isTimeReliable: block.isTimeReliable,
          lostFrameCount: block.lostFrameCount, lossCause: block.lossCause, samples: samples))
      if block.event == .ended || block.event == .failed { return }
    }
  }

  /// Runs a counter of `frameCount` frames through a script of faults.
  init(
    counting frameCount: Int, sampleRate: Int = 48_000, channelCount: Int = 2,
    faults: SyntheticFaults, capacity: Int = 1 << 16
  ) throws {
    try self.init(
      FaultySource.counter(
        frameCount, sampleRate: sampleRate, channelCount: channelCount, faults: faults),
      capacity: capacity)
  }
}

private let counterDevice = Device(backend: .synthetic, id: "counter", name: "Counter")

extension SyntheticExcerpt {
  fileprivate init(counting frameCount: Int, sampleRate: Int, channelCount: Int) {
    self.init(
      of: CounterSignal(sampleRate: sampleRate, channelCount: channelCount), frameCount: frameCount)
  }
}

extension SyntheticSource {
  static func counter(
    _ frameCount: Int, sampleRate: Int = 48_000, channelCount: Int = 2, pacing: Pacing = .unpaced
  ) -> SyntheticSource {
    SyntheticSource(
      counterDevice,
      playing: SyntheticExcerpt(
        counting: frameCount, sampleRate: sampleRate, channelCount: channelCount), pacing: pacing)
  }
}

extension FaultySource {
  static func counter(
    _ frameCount: Int, sampleRate: Int = 48_000, channelCount: Int = 2,
    pacing: SyntheticSource.Pacing = .unpaced, faults: SyntheticFaults
  ) -> FaultySource {
    FaultySource(
      counterDevice,
      playing: SyntheticExcerpt(
        counting: frameCount, sampleRate: sampleRate, channelCount: channelCount),
      pacing: pacing, faults: faults)
  }
}
