import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import Testing

struct SyntheticSourceTests {
  @Test func everyFrameArrivesOnceWithItsTime() throws {
    let run = try SyntheticRun(SyntheticSource.counter(100_001, sampleRate: 44_100))
    var frame = 0
    for block in run.blocks {
      #expect(block.sampleRate == 44_100 && block.channelCount == 2)
      #expect(block.lostFrameCount == 0 && block.isTimeReliable)
      let exact = Double(frame) * 1e9 / 44_100
      #expect(abs(Double(block.time) - exact) <= 0.51)
      frame += block.frameCount
    }
    #expect(frame == 100_001)
    #expect(run.events == [.ended])
    let samples = run.samples
    let firstFault = samples.indices.first {
      samples[$0] != CounterSignal.value(frame: $0 / 2, channel: $0 % 2)
    }
    #expect(firstFault == nil && samples.count == 200_002)
  }

  @Test func withoutPacingItWaitsForRoomAndLosesNothing() throws {
    // The sink holds two blocks; the reader stalls from time to time.
    let source = SyntheticSource.counter(60_000)
    let sink = CaptureSink(sampleCapacity: 2000)
    try source.start(sink)
    defer { source.stop() }
    var samples: [Float] = []
    var blockCount = 0
    while let block = sink.read(into: &samples, milliseconds: TestTimeout.milliseconds),
      block.event == nil
    {
      #expect(block.lostFrameCount == 0)
      blockCount += 1
      if blockCount % 20 == 1 { System.sleep(milliseconds: 5) }
    }
    #expect(samples.count == 2 * 60_000)
    #expect(samples.last == CounterSignal.value(frame: 59_999, channel: 1))
  }

  @Test(arguments: [false, true])
  func failureOfSignalEndsSource(isDamage: Bool) throws {
    let signal = BrokenSignal(isDamaged: isDamage)
    let source = SyntheticSource(
      Device(backend: .synthetic, id: "file:x", name: "x"), playing: signal, pacing: .unpaced)
    let run = try SyntheticRun(source)
    #expect(run.events == [isDamage ? .ended : .failed])
    #expect(run.samples.count == 2000 && source.failure == signal.failure)
  }

  /// A signal that ends after 1,000 frames.
  private struct BrokenSignal: SyntheticSignal {
    let sampleRate = 48_000
    let channelCount = 2
    let isDamaged: Bool
    var position = 0
    var failure: DeviceError? {
      isDamaged
        ? .damagedFile(path: "x", reason: "it is cut off")
        : .unreadableFile(path: "x", reason: "it is cut off")
    }

    init(isDamaged: Bool) { self.isDamaged = isDamaged }

    mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
      let count = min(frameCount, 1000 - position)
      samples += [Float](repeating: 0, count: 2 * count)
      position += count
      return count
    }
  }

  @Test func realTimeSourceDeliversNoFrameBeforeItsTime() throws {
    let source = SyntheticSource.counter(4800, pacing: .realTime)
    #expect(source.followsClock)
    let before = System.nanoseconds
    let sink = CaptureSink()
    try source.start(sink)
    defer { source.stop() }
    var samples: [Float] = []
    var first: Int64?
    var frame = 0
    while let block = sink.read(into: &samples, milliseconds: TestTimeout.milliseconds),
      block.event == nil
    {
      let start = first ?? block.time
      first = start
      #expect(start >= before)
      #expect(abs(block.time - start - Int64(frame) * 1_000_000_000 / 48_000) <= 1)
      frame += block.frameCount + block.lostFrameCount
      #expect(System.nanoseconds >= start + Int64(frame) * 1_000_000_000 / 48_000 - 1)
    }
    #expect(frame == 4800)
  }

  @Test(.simulated(seeds: 5), arguments: [SyntheticSource.Pacing.realTime, .unpaced])
  func stoppedSourceDeliversNothingAndRestartsFromZero(pacing: SyntheticSource.Pacing) throws {
    let source = SyntheticSource.counter(1 << 40, pacing: pacing)
    for _ in 0..<2 {
      let sink = CaptureSink(sampleCapacity: 4096)
      try source.start(sink)
      var samples: [Float] = []
      _ = try #require(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds))
      #expect(samples.first == CounterSignal.value(frame: 0, channel: 0))
      source.stop()
      while sink.read(into: &samples, milliseconds: 0) != nil {}
      System.sleep(milliseconds: 10_000)
      #expect(sink.read(into: &samples, milliseconds: 0) == nil)
      source.stop()
    }
  }

  /// The simulation reports a thread that does not end.
  @Test(.simulated(seeds: 5)) func aReleasedSourceEndsItsThread() throws {
    let sink = CaptureSink()
    var source: SyntheticSource? = SyntheticSource.counter(1 << 40, pacing: .realTime)
    try source?.start(sink)
    var samples: [Float] = []
    _ = try #require(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds))
    weak let released = source
    source = nil
    #expect(released == nil)
    while sink.read(into: &samples, milliseconds: 0) != nil {}
    System.sleep(milliseconds: 10_000)
    #expect(sink.read(into: &samples, milliseconds: 0) == nil)
  }

}
