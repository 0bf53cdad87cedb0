#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornALSA
import Simulation
import SoundRigs
import Testing

@testable import AacornDevices

/// Capture from simulated cards that work.
@Suite(.simulated(seeds: 4)) struct ALSACaptureTests {
  @Test(arguments: [
    AACORN_ALSA_FORMAT_S16, AACORN_ALSA_FORMAT_S24_3LE, AACORN_ALSA_FORMAT_S24,
    AACORN_ALSA_FORMAT_S32, AACORN_ALSA_FORMAT_FLOAT,
  ])
  func captureDeliversEveryFrameOnceInEachFormat(format: Int) throws {
    let card = ALSACard()
    card.format = format
    var run = try ALSARun(card)
    try run.run { $0.frameCount >= 24000 }
    #expect(run.numbers.first == 0)
    #expect(run.lostFrameCount == 0)
    #expect(run.events == [] && run.source.diagnostics == [])
    run.expectEveryFrame()
  }

  @Test func deviceDescribesItsChannels() throws {
    let card = ALSACard()
    card.channelCount = 6
    card.positions = [3, 4, 5, 6, 7, 8]
    var run = try ALSARun(card)
    try run.run { $0.frameCount >= 480 }
    let order: [SpeakerPosition] = [
      .frontLeft, .frontRight, .backLeft, .backRight, .frontCenter, .lowFrequency,
    ]
    #expect(run.sound.allSatisfy { $0.layout?.speakers == order })
    // A device with channels without a place.
    card.positions = [3, 4, 0, 0, 7, 8]
    var other = try ALSARun(card)
    try other.run { $0.frameCount >= 480 }
    #expect(other.sound.allSatisfy { $0.layout == nil && $0.channelCount == 6 })
  }

  @Test func deviceThatRefusesTheRateAndChannelsGivesItsOwn() throws {
    let card = ALSACard()
    (card.rate, card.channelCount, card.significantBitCount) = (44100, 8, 25)
    var run = try ALSARun(card, sampleRate: 48000, channelCount: 4)
    try run.run { $0.frameCount >= 4410 }
    #expect(
      run.sound.allSatisfy {
        $0.sampleRate == 44100 && $0.channelCount == 8 && $0.layout == nil
      })
    let device = try #require(run.source.device)
    #expect(device.channelCount == 8 && device.sampleRate == 44_100 && !device.isDefault)
    #expect(device.id == card.name && device.name == "Simulated card")
    #expect(
      run.source.diagnostics == [
        "“\(card.name)” delivers 25 bits per sample, of which 24 are kept."
      ])
    run.expectEveryFrame()
  }

  /// A position that advances by the frame or by the period, and a card without timestamps.
  @Test(arguments: [(1, true), (480, true), (1, false)])
  func timesAreTrueToASample(step: Int, hasTimestamps: Bool) throws {
    let card = ALSACard()
    (card.step, card.hasTimestamps, card.drift) = (step, hasTimestamps, 150)
    card.latency = 960
    var run = try ALSARun(card)
    try run.run { $0.frameCount >= 96000 }
    #expect(run.sound.allSatisfy { $0.isTimeReliable })
    #expect(run.lostFrameCount == 0)
    run.expectEveryFrame()
  }

  /// The thread sleeps for the time of a block.
  @Test func deviceThatWakesTheThreadWithoutFramesDoesNotKeepItBusy() throws {
    let card = ALSACard()
    card.wakesEagerly = true
    var run = try ALSARun(card)
    try run.run { $0.frameCount >= 48_000 }
    #expect(card.read(\.callCount) < 1500)
    #expect(run.sound.count < 220)
    run.expectEveryFrame()
  }

  @Test func stopDeliversWhatTheDeviceHasCapturedAndNoMore() throws {
    // Captured frames are readable only after 100 ms.
    let card = ALSACard()
    card.latency = 4800
    var run = try ALSARun(card)
    try run.start()
    run.collect { $0.frameCount >= 9600 }
    let captured = card.frameCount(at: System.nanoseconds)
    let seconds = run.stop()
    // A period of 10 ms, and pauses of 2 ms.
    #expect(seconds < 0.115)
    #expect(captured...captured + 720 ~= run.end)
    #expect(run.lostFrameCount == 0)
    run.expectEveryFrame()
  }

  /// The position advances every 0.5 to 1 s, for the last time long before the stop.
  @Test(arguments: [
    (24_000, 100), (30_000, 100), (36_000, 100), (36_000, 600), (48_000, 100), (48_000, 900),
  ])
  func stopDeliversTheUnfinishedPeriod(step: Int, rest: Int) throws {
    let card = ALSACard()
    (card.step, card.maxBuffer) = (step, 96_000)
    var run = try ALSARun(card)
    try run.start()
    run.collect { $0.end >= 3 * step }
    run.collect(milliseconds: step / 48 - rest)
    let captured = card.frameCount(at: System.nanoseconds)
    #expect(captured > 3 * step)
    #expect(run.stop() < Double(step) / 48_000 + 0.06)
    #expect(run.end >= captured)
    #expect(run.lostFrameCount == 0 && run.sound.allSatisfy(\.isTimeReliable))
    run.expectEveryFrame()
  }

  /// The wait for the last frames ends 0.4 s and a period after the stop.
  @Test(arguments: [(1, 0.41), (36_000, 1.15)])
  func stopDoesNotWaitForLateFrames(step: Int, seconds: Double) throws {
    let card = ALSACard()
    (card.step, card.maxBuffer, card.latency) = (step, 96_000, 40_000)
    var run = try ALSARun(card)
    try run.start()
    run.collect { $0.end >= 36_000 }
    let duration = run.stop()
    #expect(seconds...seconds + 0.005 ~= duration)
    run.expectEveryFrame()
  }

  @Test func stopEndsDeliveryAndStartRestartsIt() throws {
    var run = try ALSARun(ALSACard())
    try run.run { $0.frameCount >= 4800 }
    let count = run.blocks.count
    run.collect(milliseconds: 1000)
    #expect(run.blocks.count == count)
    try run.run { $0.blocks.count > count + 5 }
    // The frames between the runs were not requested, so they do not count as lost.
    #expect(run.lostFrameCount == 0)
    #expect(run.events == [])
  }

  @Test func sourceEndsWithItsLastReference() throws {
    let card = ALSACard()
    var run: ALSARun? = try ALSARun(card)
    try run?.start()
    #expect(card.read(\.isOpen))
    run = nil
    #expect(!card.read(\.isOpen))
  }

  @Test func deviceWithoutClockIsReadInRealTime() throws {
    let card = ALSACard()
    card.hasClock = false
    card.type = 11
    var run = try ALSARun(card)
    let before = System.seconds
    try run.run { $0.frameCount >= 48000 }
    // The device would deliver all frames immediately; 0.2 s may be early.
    #expect(0.78...1.02 ~= System.seconds - before)
    #expect(run.source.diagnostics.contains { $0.contains("no clock") })
    #expect(run.lostFrameCount == 0)
    let first = try #require(run.sound.first)
    for (block, number) in zip(run.sound, run.numbers) {
      #expect(!block.isTimeReliable)
      #expect(abs(block.time - first.time - Int64(number) * 1_000_000_000 / 48000) < 1000)
    }
  }

  /// The buffer holds less than the 0.2 s that show that a clock is missing.
  @Test func deviceWithoutClockStaysWithoutOneAfterARestart() throws {
    let card = ALSACard()
    (card.hasClock, card.type, card.maxBuffer) = (false, 11, 4800)
    card.faults = [(48_000, .xrun())]
    var run = try ALSARun(card)
    try run.run { $0.card.read(\.hasFailed) && $0.frameCount >= 96_000 }
    let first = try #require(run.sound.firstIndex { !$0.isTimeReliable })
    #expect(first < 30)
    #expect(run.sound[first...].allSatisfy { !$0.isTimeReliable })
  }

  // MARK: Selection

  @Test func missingAndBusyDevicesAreRefused() throws {
    let sink = CaptureSink()
    func start(_ choice: DeviceChoice) throws {
      try ALSASource(CaptureRequest(device: choice), library: .simulated).start(sink)
    }
    #expect(throws: DeviceError.unknownDevice(id: "nosuch", backend: .alsa)) {
      try start(.pinned(id: "nosuch"))
    }
    #expect(throws: DeviceError.noDevice(for: .capture, backend: .alsa)) {
      try start(.followingDefault)
    }
    var run = try ALSARun(ALSACard())
    try run.start()
    #expect(throws: DeviceError.deviceBusy(id: run.card.name)) {
      try start(.pinned(id: run.card.name))
    }
    #expect(throws: DeviceError.alreadyRunning(id: run.card.name)) { try run.start() }
    run.stop()
    try run.run { $0.frameCount > 0 }
  }

  @Test func deviceWithUnknownFormatIsRefused() throws {
    let card = ALSACard()
    card.format = 99
    let run = try ALSARun(card)
    let error = #expect(throws: DeviceError.self) { try run.start() }
    #expect(error?.message.contains("sample formats") == true)
    #expect(!card.read(\.isOpen))
  }

  @Test func openingIsGivenUpAfterTenSeconds() throws {
    let card = ALSACard()
    card.openingMilliseconds = 60_000
    var run = try ALSARun(card)
    let start = System.seconds
    let error = #expect(throws: DeviceError.self) { try run.start() }
    #expect(error?.message.contains("does not answer") == true)
    #expect(10.9...10.91 ~= System.seconds - start)
    // The device is closed when it has opened at last.
    run.collect(milliseconds: 60_000)
    #expect(!card.read(\.isOpen))
    #expect(run.blocks.isEmpty)
  }

  @Test func stopEndsAStartThatWaitsForTheDevice() throws {
    let card = ALSACard()
    card.openingMilliseconds = 60_000
    let run = try ALSARun(card)
    let stopper = try #require(
      WorkerThread("test") {
        System.sleep(milliseconds: 1000)
        run.source.stop()
      })
    expectDuration(1.9...1.901) { #expect(throws: DeviceError.self) { try run.start() } }
    stopper.join()
    System.sleep(milliseconds: 60_000)
    #expect(!card.read(\.isOpen))
  }
}
#endif
