#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornPulseAudio
import Simulation
import Testing

@testable import AacornDevices

/// Capture from a simulated server.
@Suite(.simulated(seeds: 5), .needsSimulation)
struct PulseAudioCaptureTests {
  private static func pinned(_ id: String) -> CaptureRequest {
    CaptureRequest(device: .pinned(id: id))
  }

  // MARK: Samples

  @Test func eachFrameIsDeliveredOnceInOrderAtItsTime() throws {
    let run = try PulseRun(drift: 100)
    #expect(run.source.device?.id == "mic" && run.source.device?.isDefault == true)
    run.read(seconds: 5)
    run.stop()
    run.expectExactFrames()
    #expect(run.events.isEmpty)
    // The first blocks wait for the first report, or were on their way when it was made.
    #expect(run.blocks.dropFirst(5).allSatisfy { $0.isTimeReliable })
  }

  @Test func stopDeliversWhatWasCapturedBefore() throws {
    let run = try PulseRun(reading: 1)
    let stop = System.nanoseconds
    run.stop()
    run.expectExactFrames()
    let end = try #require(run.blocks.last).end
    #expect(end >= stop && end < stop + 30_000_000)
  }

  @Test(arguments: [500, 2000, 5000]) func longBlocksHaveReliableTimes(milliseconds: Int) throws {
    let request = CaptureRequest(blockDuration: .milliseconds(milliseconds))
    let run = try PulseRun(request, reading: 9)
    run.stop()
    run.expectExactFrames()
    #expect(run.blocks.dropFirst(2).allSatisfy { $0.isTimeReliable })
    // At most two seconds.
    #expect(run.blocks.allSatisfy { $0.frameCount <= min(milliseconds, 2000) })
    #expect(4...25 ~= run.blocks.count)
  }

  @Test(arguments: [
    AACORN_PULSE_SAMPLE_S16LE, AACORN_PULSE_SAMPLE_S24LE, AACORN_PULSE_SAMPLE_S32LE,
    AACORN_PULSE_SAMPLE_FLOAT32LE, AACORN_PULSE_SAMPLE_S16BE, AACORN_PULSE_SAMPLE_INVALID,
  ])
  func samplesOfEveryFormatComeOutRight(format: aacorn_pulse_sample_format) throws {
    let run = try PulseRun(reading: 0.3) { server in
      server.add(.init("mic", channels: 2, format: format)).signal = { frame, channel in
        Float((frame % 100 + 1) * (1 - 2 * channel)) * 0x1p-8
      }
    }
    run.stop()
    let values = run.samples.map { Int($0 * 256) }
    let first = try #require(values.first)
    #expect(
      values == (0..<values.count).map { ((first - 1 + $0 / 2) % 100 + 1) * (1 - $0 % 2 * 2) })
  }

  @Test func eightChannelsComeInTheOrderOfWAVEFiles() throws {
    // PulseAudio's preferred order differs from the order in files.
    let positions = [
      AACORN_PULSE_CHANNEL_FRONT_LEFT, AACORN_PULSE_CHANNEL_FRONT_RIGHT,
      AACORN_PULSE_CHANNEL_REAR_LEFT, AACORN_PULSE_CHANNEL_REAR_RIGHT,
      AACORN_PULSE_CHANNEL_FRONT_CENTER, AACORN_PULSE_CHANNEL_LFE, AACORN_PULSE_CHANNEL_SIDE_LEFT,
      AACORN_PULSE_CHANNEL_SIDE_RIGHT,
    ]
    let run = try PulseRun(reading: 0.2) { server in
      server.add(.init("mic", channels: 8, positions: positions)).signal = { Float($0 * 8 + $1) }
    }
    run.stop()
    #expect(run.blocks.allSatisfy { $0.channelCount == 8 && $0.layout?.speakers.count == 8 })
    let first = try #require(run.samples.first)
    let order: [Float] = [0, 1, 4, 5, 2, 3, 6, 7]
    #expect(run.samples == run.samples.indices.map { first + Float($0 / 8 * 8) + order[$0 % 8] })
  }

  @Test(arguments: [(Int?.none, 800), (1000, 1000), (800, 800)])
  func theRateIsTheDevicesUnlessAskedOtherwise(requestedRate: Int?, rate: Int) throws {
    let request = CaptureRequest(sampleRate: requestedRate, channelCount: 1)
    let run = try PulseRun(request) { $0.add(.init("mic", rate: 800, channels: 2)) }
    run.read(seconds: 0.5)
    run.stop()
    #expect(run.samples.count >= rate / 3)
    #expect(run.blocks.allSatisfy { $0.sampleRate == rate && $0.channelCount == 1 })
    // Blocks of 10 ms, as requested.
    #expect(run.blocks.allSatisfy { $0.frameCount <= rate / 100 })
  }

  @Test func aMonitorHasTheFramesAndTimesOfThePlayback() throws {
    let play = try PulsePlay { $0.add(.init("speaker", latency: 80_000_000, isSink: true)) }
    let run = try PulseRun(CaptureRequest(), play.server)
    #expect(run.source.device?.isMonitor == true)
    play.play(seconds: 1)
    run.stop()
    play.stop()
    #expect(run.samples.count > 900 && run.events.isEmpty)
    for (block, first) in zip(run.blocks, run.firsts) where first != 0 {
      let time = try #require(play.time(of: first))
      #expect(abs(block.time - time) < 1_000_000)
    }
  }

  // MARK: Devices

  @Test func theDefaultDeviceIsFollowed() throws {
    let run = try PulseRun(reading: 0.5) { server in
      server.add(.init("one"))
      server.add(.init("two", rate: 800, latency: 35_000_000))
    }
    run.server.setDefault("two")
    try run.expect(.deviceChanged, within: 0.02)
    // A recorder reads the device's name when it receives the event.
    #expect(run.source.device?.id == "two")
    run.read(seconds: 2)
    run.stop()
    run.expectExactFrames()
    #expect(run.events == [.deviceChanged])
    // The server converts, so the format of the recording does not change.
    #expect(run.blocks.allSatisfy { $0.sampleRate == 1000 })
  }

  @Test func samplesOfTheFormerDevicePrecedeTheChange() throws {
    let run = try PulseRun(reading: 2) { server in
      server.add(.init("one", latency: 150_000_000))
      server.add(.init("two", latency: 1_000_000))
    }
    // The thread of the stream is so late that it delivers the samples before the move gradually.
    run.server.stallMilliseconds = 900
    run.read(seconds: 0.85)
    run.server.setDefault("two")
    run.read(seconds: 2)
    run.stop()
    run.expectExactFrames()
    #expect(run.events == [.deviceChanged])
    let index = try #require(run.blocksAfterEvents.first)
    let before = run.blocks[index - 1]
    #expect(run.firsts[index] - run.firsts[index - 1] - before.frameCount > 100)
  }

  @Test func outputMonitorDoesNotReplaceDefaultMicrophone() throws {
    let run = try PulseRun(reading: 0.5) { server in
      server.add(.init("speaker", isSink: true))
      server.add(.init("mic"))
    }
    run.server.remove("mic")
    try run.expect(.deviceLost, within: 0.02)
    let count = run.blocks.count
    run.read(seconds: 2)
    #expect(run.blocks.count == count && run.source.device?.id == "mic")
    run.server.add(.init("mic"))
    try run.expect(.deviceLost, .deviceReturned, within: 0.3)
    #expect(run.source.device?.id == "mic")
    run.read(seconds: 0.5)
    // If there is a microphone, only a user can have made a monitor the default source, so it is
    // used.
    run.server.setDefault("speaker.monitor")
    try run.expect(.deviceLost, .deviceReturned, .deviceChanged, within: 0.02)
    #expect(run.source.device?.id == "speaker.monitor")
    run.stop()
  }

  @Test func lossOfDefaultMicrophoneDoesNotSwitchToMonitor() throws {
    let run = try PulseRun(reading: 0.3) { $0.add(.init("speaker", isSink: true)) }
    #expect(run.source.device?.isMonitor == true)
    run.server.add(.init("mic"))
    try run.expect(.deviceChanged, within: 0.02)
    run.server.remove("mic")
    try run.expect(.deviceChanged, .deviceLost, within: 0.02)
    run.stop()
  }

  @Test(arguments: [false, true]) func aPinnedDeviceIsWaitedFor(isSilent: Bool) throws {
    let run = try PulseRun(Self.pinned("chosen"), reading: 0.5) { server in
      server.add(.init("other"))
      server.add(.init("chosen"))
    }
    // Some servers do not report that a stream's device has vanished.
    run.server.remove("chosen", isSilent: isSilent)
    try expectDuration((isSilent ? 0.95 : 0)...(isSilent ? 2.1 : 0.02)) {
      try run.expect(.deviceLost, within: 10)
    }
    run.read(seconds: 2)
    run.server.add(.init("chosen"))
    try run.expect(.deviceLost, .deviceReturned, within: 0.3)
    run.read(seconds: 0.5)
    run.stop()
    run.expectExactFrames()
    #expect(run.source.device?.id == "chosen" && run.events.count == 2)
  }

  @Test func theLastDeviceMayGoAndAnotherComeInstead() throws {
    let run = try PulseRun(reading: 0.5) { $0.add(.init("first", channels: 2)) }
    run.server.remove("first")
    try run.expect(.deviceLost, within: 0.02)
    run.server.add(.init("second", rate: 800))
    try run.expect(.deviceLost, .deviceReturned, within: 0.3)
    run.read(seconds: 0.5)
    run.stop()
    #expect(run.source.device?.id == "second")
    #expect(run.blocks.allSatisfy { $0.sampleRate == 1000 && $0.channelCount == 2 })
  }

  @Test func aSuspensionIsReportedOnce() throws {
    let run = try PulseRun(reading: 0.5)
    run.server.suspend("mic", true)
    try run.expect(.suspended, within: 0.02)
    run.read(seconds: 3)
    run.server.suspend("mic", false)
    try run.expect(.suspended, .resumed, within: 0.02)
    run.read(seconds: 0.5)
    run.stop()
    run.expectExactFrames()
    #expect(run.events.count == 2)
  }

  // MARK: The server

  @Test func aServerMayCrashAndComeBack() throws {
    let run = try PulseRun(reading: 0.5)
    run.server.kill()
    try run.expect(.deviceLost, within: 0.02)
    let count = run.server.connectionCount
    run.read(seconds: 2)
    #expect(7...8 ~= run.server.connectionCount - count, "Every 0.25 s.")
    run.server.restart()
    try run.expect(.deviceLost, .deviceReturned, within: 0.3)
    run.read(seconds: 0.5)
    run.stop()
    run.expectExactFrames()
    #expect(run.events.count == 2)
  }

  @Test func waitingForAServerEndsAtOnceWhenStopped() throws {
    let run = try PulseRun()
    run.server.kill()
    try run.expect(.deviceLost, within: 0.02)
    run.read(seconds: 0.6)
    let start = System.seconds
    run.source.stop()
    #expect(System.seconds - start < 0.001)
    run.stop()
  }

  @Test(arguments: [(0.2, 0.3), (0.4, 0.3), (0.6, 0)])
  func stoppingWaitsOnlyForAServerThatDeliveredRecently(frozen: Double, seconds: Double) throws {
    let run = try PulseRun(reading: 0.5)
    run.server.freeze()
    run.read(seconds: frozen)
    expectDuration(seconds...seconds + 0.001) { run.source.stop() }
    run.stop()
    let count = run.blocks.count
    run.server.thaw()
    run.read(seconds: 0.5)
    #expect(run.blocks.count == count)
    run.expectExactFrames()
  }

  @Test(arguments: [1.5, 6]) func aStalledServerLosesOnlyWhatItsDeviceDidNotKeep(
    seconds: Double
  ) throws {
    let run = try PulseRun(reading: 0.5)
    run.server.freeze()
    run.read(seconds: seconds)
    run.server.thaw()
    run.read(seconds: 3)
    run.stop()
    run.expectExactFrames()
    #expect(run.events.isEmpty)
    #expect(run.server.lost.isEmpty == (seconds < 2))
    #expect(run.blocks.last?.isTimeReliable == true)
  }

  @Test func aHoleIsCountedToTheFrameBeforeTheNextBlock() throws {
    let run = try PulseRun(reading: 0.5)
    for count in [750, 3] {
      run.server.device("mic")?.holeFrameCount = count
      run.read(seconds: 1.5)
    }
    run.stop()
    run.expectExactFrames()
    let lossy = run.blocks.filter { $0.lostFrameCount > 0 }
    #expect(lossy.map(\.lostFrameCount) == [750, 3])
    #expect(lossy.allSatisfy { $0.lossCause == .serverHole })
  }

  // MARK: The program

  @Test func programStallLosesNothingAndKeepsTimes() throws {
    let run = try PulseRun(reading: 0.5)
    run.server.stallMilliseconds = 1200
    run.read(seconds: 3)
    run.stop()
    run.expectExactFrames()
    #expect(run.events.isEmpty && run.blocks.allSatisfy { $0.lostFrameCount == 0 })
    // Only the blocks that waited have times without a measurement.
    let frames = run.blocks.filter { !$0.isTimeReliable }.reduce(0) { $0 + $1.frameCount }
    #expect(frames > 1000 && frames < 1300)
  }

  /// The clock is checked after 0.5 s and a block without samples.
  @Test(arguments: [(10, 480, true), (10, 515, false), (100, 480, true), (100, 605, false)])
  func timesAfterAStallAreMeasuredAgain(block: Int, stall: Int, isReliable: Bool) throws {
    let run = try PulseRun(CaptureRequest(blockDuration: .milliseconds(block)), reading: 3)
    let count = run.blocks.count
    run.server.stallMilliseconds = stall
    run.read(seconds: 1.5)
    run.stop()
    run.expectExactFrames()
    #expect(run.blocks[count...].allSatisfy(\.isTimeReliable) == isReliable)
  }

  @Test func samplesAfterAStallArriveHalfASecondAtOnceThenAtFiveTimesRealTime() throws {
    let run = try PulseRun(reading: 0.5)
    run.server.stallMilliseconds = 1500
    run.read(seconds: 3)
    let pairs = zip(run.arrivals, run.arrivals.dropFirst())
    let end = try #require(pairs.first { $1 - $0 > 1_000_000_000 }).1
    let blocks = zip(run.arrivals, run.blocks).filter { $0.0 >= end }
    let burst = blocks.filter { $0.0 < end + 1_000_000 }.reduce(0) { $0 + $1.1.frameCount }
    #expect(500...510 ~= burst)
    // Another second is buffered, and further samples arrive during its delivery.
    let onTime = try #require(blocks.first { $0.0 - $0.1.end < 40_000_000 })
    #expect(230_000_000...270_000_000 ~= onTime.0 - end)
    run.stop()
    run.expectExactFrames()
  }

  @Test func stopDeliversDataBufferedInTheServer() throws {
    let run = try PulseRun(reading: 0.5)
    run.server.stallMilliseconds = 700
    run.read(seconds: 0.3)
    let stop = System.nanoseconds
    run.stop()
    run.expectExactFrames()
    #expect(try #require(run.blocks.last).end >= stop)
  }

  @Test func nothingFollowsTheStopOfAThreadThatHangs() throws {
    let run = try PulseRun { $0.add(.init("mic")) }
    run.read(seconds: 0.5)
    run.server.stallMilliseconds = 1500
    run.read(seconds: 0.3)
    expectDuration(0.95...0.951) { run.source.stop() }
    run.stop()
    run.expectExactFrames()
  }

  @Test func aSourceCanBeStartedAgainButNotTwice() throws {
    let run = try PulseRun(Self.pinned("mic"))
    for _ in 0..<3 {
      #expect(throws: DeviceError.alreadyRunning(id: "mic")) { try run.source.start(run.sink) }
      run.read(seconds: 0.2)
      run.source.stop()
      run.source.stop()
      try run.source.start(CaptureSink(sampleCapacity: 100))
      run.source.stop()
      try run.source.start(run.sink)
    }
    run.stop()
    #expect(run.samples.count > 500)
  }

  // MARK: Reports

  /// A server that is preempted while it makes a report states too large a latency.
  @Test func falseReportsDoNotBendTime() throws {
    let run = try PulseRun(drift: -100, reading: 8) { server in
      server.falseReportInterval = 2
      server.add(.init("mic")).reportNoise = 3_000_000
    }
    run.stop()
    run.expectExactFrames(tolerance: 5_000_000)
    #expect(run.blocks.count(where: \.isTimeReliable) > run.blocks.count - 20)
  }

  @Test func aServerThatContradictsItselfForeverIsAskedOnceForEachReport() throws {
    let run = try PulseRun(reading: 8) { server in
      server.falseReportInterval = 2
      server.hasFalseAnswers = true
      server.add(.init("mic"))
    }
    run.stop()
    run.expectExactFrames(tolerance: 400_000_000)
    // Until the end, the library requests at most 14 reports by itself.
    #expect(run.server.timingRequestCount < 30)
    #expect(run.server.turnCount < 8 * 130)
  }

  @Test func withoutReportsTimesAreEstimated() throws {
    let run = try PulseRun(reading: 3) { server in
      server.rejections["timing"] = 19
      server.add(.init("mic"))
    }
    run.stop()
    run.expectExactFrames()
    #expect(run.blocks.allSatisfy { !$0.isTimeReliable })
    // Another request follows after 0.5 s without an answer.
    let times = run.server.questionTimes.dropFirst()
    #expect(times.count >= 6)
    for (time, next) in zip(times, times.dropFirst()) {
      #expect((500_000_000..<515_000_000).contains(next - time))
    }
    for (block, first) in zip(run.blocks, run.firsts) {
      // The delay of the device, of a message and of a block is unknown.
      #expect((20_000_000..<35_000_000).contains(block.time - run.time(of: first)))
    }
  }
}
#endif
