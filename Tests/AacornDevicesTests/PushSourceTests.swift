import AacornDevices
import AacornSignal
import AacornSystem
import Simulation
import SoundRigs
import Testing

/// A source for samples from an app.
@Suite(.simulated(seeds: 4)) struct PushSourceTests {
  private static func numbers(_ range: Range<Int>) -> [Float] {
    range.map { Float($0) / 1_048_576 }
  }

  /// Starts a source at 48 kHz.
  private static func start(
    channelCount: Int = 1, isLive: Bool = false, capacity: Int = 393_216
  ) throws -> (source: PushSource, sink: CaptureSink) {
    let source = PushSource(sampleRate: 48_000, channelCount: channelCount, isLive: isLive)
    let sink = CaptureSink(sampleCapacity: capacity)
    try source.start(sink)
    return (source, sink)
  }

  /// Reads all blocks of a sink.
  private static func drain(_ sink: CaptureSink) -> (blocks: [CaptureBlock], samples: [Float]) {
    var blocks: [CaptureBlock] = []
    var samples: [Float] = []
    while let block = sink.read(into: &samples, milliseconds: 0) { blocks.append(block) }
    return (blocks, samples)
  }

  @Test func pushedSamplesAreDeliveredWithTheirTimes() throws {
    let source = PushSource(sampleRate: 48_000, channelCount: 2)
    #expect(!source.push([0, 0]), "Nobody takes it yet.")
    let sink = CaptureSink()
    try source.start(sink)
    let samples = Self.numbers(0..<96_000)
    #expect(source.push(Array(samples[..<9600])))
    #expect(source.push(Array(samples[9600...])))
    source.finish()
    #expect(!source.push([0, 0]), "It has ended.")
    let (blocks, taken) = Self.drain(sink)
    #expect(taken == samples)
    #expect(blocks.last?.event == .ended)
    var frames = 0
    for block in blocks.dropLast() {
      #expect(block.time == Int64(frames) * 1_000_000_000 / 48_000)
      #expect(block.channelCount == 2 && block.sampleRate == 48_000 && block.layout == nil)
      frames += block.frameCount
    }
    #expect(frames == 48_000)
  }

  @Test(arguments: [(0, 2), (-1, 2), (.max, 2), (48_000, 0), (48_000, -1), (48_000, 65)])
  func aFormThatNoRecordingCanHaveFailsAtTheStart(sampleRate: Int, channelCount: Int) throws {
    let source = PushSource(sampleRate: sampleRate, channelCount: channelCount)
    let failure = try #require(source.failure)
    #expect(failure.message.contains("\(channelCount == 2 ? sampleRate : channelCount)"))
    #expect(throws: failure) { try source.start(CaptureSink()) }
    #expect(!source.push([0, 0, 0]) && source.isClosed)
  }

  @Test func anIncompleteFrameEndsTheRecordingWithTheFailure() throws {
    let source = PushSource(sampleRate: 48_000, channelCount: 2)
    #expect(!source.push([0, 0, 0]) && source.failure == nil, "Nobody takes it yet.")
    let sink = CaptureSink()
    try source.start(sink)
    #expect(source.push([1, 2]))
    #expect(!source.push([3, 4, 5]))
    let failure = try #require(source.failure)
    #expect(
      failure.message
        == "The device “App” does not support this format:"
        + " 3 samples are not whole frames of 2 channels.")
    #expect(!source.push([6, 7]), "It has ended.")
    source.finish()
    let (blocks, samples) = Self.drain(sink)
    #expect(samples == [1, 2])
    #expect(blocks.dropFirst().first?.event == .failed)
    source.stop()
    #expect(throws: failure) { try source.start(CaptureSink()) }
  }

  @Test func aBufferOfTooManyChannelsEndsTheRecordingWithTheFailure() throws {
    let (source, sink) = try Self.start(channelCount: 2)
    let samples = [Float](repeating: 0, count: 65)
    #expect(!source.push(SoundBuffer(samples, sampleRate: 48_000, channelCount: 65)))
    #expect(source.failure?.message.contains("65 channels are out of range") == true)
    #expect(Self.drain(sink).blocks.map(\.event) == [.failed])
  }

  @Test func aFullRingTakesNothingInPartAndLosesNothing() throws {
    let (source, sink) = try Self.start(channelCount: 2, capacity: 8192)
    var pushed: [Float] = []
    while true {
      let next = Self.numbers(pushed.count..<pushed.count + 1000)
      if !source.push(next) { break }
      pushed += next
    }
    #expect(pushed.count > 4000 && pushed.count <= 8192)
    var (_, taken) = Self.drain(sink)
    let rest = Self.numbers(pushed.count..<pushed.count + 1000)
    #expect(source.push(rest))
    taken += Self.drain(sink).samples
    #expect(taken == pushed + rest)
    #expect(sink.takeDroppedFrameCount() == 0)
  }

  @Test func aLiveSourceCountsWhatHasNoRoom() throws {
    let (source, sink) = try Self.start(isLive: true, capacity: 4096)
    #expect(source.followsClock)
    let before = System.nanoseconds
    #expect(source.push(Self.numbers(0..<4096)))
    #expect(!source.push(Self.numbers(0..<480)))
    let (blocks, _) = Self.drain(sink)
    let time = try #require(blocks.first?.time)
    #expect(time >= before - 4096 * 1_000_000_000 / 48_000 - 1)
    #expect(time <= System.nanoseconds)
    #expect(source.push(Self.numbers(0..<480)))
    #expect(Self.drain(sink).blocks.first?.lostFrameCount == 480)
  }

  @Test func anEndBeforeTheBeginningEndsTheRecordingAtOnce() throws {
    let source = PushSource(sampleRate: 48_000, channelCount: 1)
    source.finish()
    let sink = CaptureSink()
    try source.start(sink)
    #expect(Self.drain(sink).blocks.map(\.event) == [.ended])
    #expect(!source.push([0]))
  }

  @Test func finishIsDeliveredThroughFullRing() throws {
    let (source, sink) = try Self.start(capacity: 4096)
    var count = 0
    while source.push([0.5]) { count += 1 }
    source.finish()
    var blocks: [CaptureBlock] = []
    var samples: [Float] = []
    while blocks.last?.event != .ended {
      guard let block = sink.read(into: &samples, milliseconds: TestTimeout.milliseconds)
      else { break }
      blocks.append(block)
    }
    #expect(blocks.last?.event == .ended && samples.count == count)
  }

  // MARK: Buffers

  private static func buffer(
    _ time: MediaTime?, sampleRate: Int = 48_000, channelCount: Int = 1, frameCount: Int = 480
  ) -> SoundBuffer {
    SoundBuffer(
      numbers(0..<frameCount * channelCount), sampleRate: sampleRate, channelCount: channelCount,
      layout: ChannelLayout.standard(channelCount: channelCount), time: time)
  }

  @Test func timedBuffersReportMissingFrames() throws {
    let (source, sink) = try Self.start()
    let times: [Int64] = [1000, 1480, 4360, 4840]
    for time in times {
      #expect(source.push(Self.buffer(MediaTime(value: time, timescale: 48_000))))
    }
    let (blocks, samples) = Self.drain(sink)
    #expect(samples.count == 1920)
    #expect(blocks.map(\.lostFrameCount) == [0, 0, 2400, 0])
    #expect(blocks.map(\.time) == [0, 10_000_000, 70_000_000, 80_000_000])
    #expect(blocks[2].lossCause == .unexplained)
  }

  @Test func aJumpOfHoursIsAnotherClock() throws {
    let (source, sink) = try Self.start()
    for seconds in [Int64(0), 7200, .max] {
      #expect(source.push(Self.buffer(MediaTime(value: seconds, timescale: 1))))
    }
    let (blocks, _) = Self.drain(sink)
    #expect(blocks.map(\.lostFrameCount) == [0, 0, 0])
    #expect(blocks.map(\.time) == [0, 10_000_000, 20_000_000])
  }

  @Test func aBufferThatHasNoRoomCanBePushedAgain() throws {
    let (source, sink) = try Self.start(capacity: 1024)
    var count: Int64 = 0
    while source.push(Self.buffer(MediaTime(value: count * 480, timescale: 48_000))) { count += 1 }
    #expect(count > 0)
    _ = Self.drain(sink)
    #expect(source.push(Self.buffer(MediaTime(value: count * 480, timescale: 48_000))))
    #expect(Self.drain(sink).blocks.map(\.lostFrameCount) == [0])
    // The rejected buffer must not count as audio, so later missing frames are all reported.
    let next = MediaTime(value: (count + 1) * 480 + 2400, timescale: 48_000)
    #expect(source.push(Self.buffer(next)))
    #expect(Self.drain(sink).blocks.map(\.lostFrameCount) == [2400])
  }

  @Test func buffersMayHaveOwnRateAndChannels() throws {
    let (source, sink) = try Self.start(channelCount: 2)
    #expect(source.push([Float](repeating: 0, count: 192)))
    #expect(source.push(Self.buffer(nil, sampleRate: 44_100, frameCount: 441)))
    #expect(source.push(Self.buffer(nil, channelCount: 6, frameCount: 48)))
    let (blocks, samples) = Self.drain(sink)
    #expect(samples.count == 192 + 441 + 288)
    #expect(blocks.map(\.sampleRate) == [48_000, 44_100, 48_000])
    #expect(blocks.map(\.channelCount) == [2, 1, 6])
    #expect(blocks.map(\.time) == [0, 2_000_000, 12_000_000])
    #expect(blocks.last?.layout == ChannelLayout.standard(channelCount: 6))
  }

  @Test func aLiveSourceTakesTheTimesOfItsBuffers() throws {
    let (source, sink) = try Self.start(isLive: true)
    let time = System.nanoseconds - 30_000_000
    #expect(source.push(Self.buffer(MediaTime(nanoseconds: time))))
    #expect(Self.drain(sink).blocks.map(\.time) == [time])
  }

  @Test func aLiveSourceFollowsAnotherClockUntilItJumps() throws {
    let (source, sink) = try Self.start(isLive: true)
    let before = System.nanoseconds
    for time in [Int64(5), 15_000_005, 7_200_000_000_000] {
      #expect(source.push(Self.buffer(MediaTime(nanoseconds: time))))
    }
    let times = Self.drain(sink).blocks.map(\.time)
    try #require(times.count == 3)
    #expect(times[0] >= before - 10_000_000 && times[0] <= System.nanoseconds)
    #expect(times[1] == times[0] + 15_000_000)
    #expect(times[2] >= before - 10_000_000 && times[2] <= System.nanoseconds)
  }
}
