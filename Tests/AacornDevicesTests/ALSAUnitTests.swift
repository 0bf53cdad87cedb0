import AacornSignal
import Foundation
import Testing

@testable import AacornDevices

#if os(Linux)
import CAacornALSA
#endif

/// The parts of the ALSA back end that need no device.
struct ALSAUnitTests {
  // MARK: Names

  @Test(arguments: [
    "default", "null", "pulse", "my device", "hw", "hw:0", "hw:0,0", "hw:CARD=PCH,DEV=0",
    "plughw:1",
    "plughw:CARD=Scarlett_2i2,DEV=0", "sysdefault:CARD=PCH", "front:CARD=PCH,DEV=0", "dsnoop:1",
    "dmix:CARD=PCH,DEV=0,RATE=48000", "plug:hw:1,0", "plug:'dsnoop:0'", "plug:SLAVE=\"hw:0,0\"",
    "iec958:AES0=0x6,AES1=0x82", "surround51:CARD=PCH",
    "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp",
    "file", "oss:/dev/dsp", "rawfile:FILE='/tmp/a.raw'",
    "mine:SERVER='unix:/tmp/x/socket',SOURCE='mic'",
    "pulse:alsa_input.usb-Focusrite_2i2-00.analog-stereo",
  ])
  func namesWithPlainArgumentsAreOpened(name: String) {
    #expect(ALSAName.hasHarmlessArguments(name))
  }

  @Test(arguments: [
    "tee:null,'|touch marker',raw", "tee:null,marker", "file:marker", "file:/tmp/marker",
    "file:'|touch marker'", "file:FILE=marker,FORMAT=wav", "pcm.file:marker", "pcm.tee:null,marker",
    "plug:'file:marker'", "plug:file:marker", "plug:SLAVE='tee:null,marker'",
    "plug:\"file:marker\"",
    "plug:SLAVE=file", "plug:{type file file marker}", "plug:{ type hooks hooks.0 x }",
    "plug:[a b]",
    "{type null}", "a|b", "plug:'\\146ile:marker'", "plug:'f\\x69le:marker'",
    "rawfile:FILE='|marker'",
    "hw:<marker>", "hw:$X", "hw:`x`", "hw:0;x", "hw:0\n{}", "hw:#", "hw:@func",
  ])
  func namesThatRunCommandsOrOpenFilesAreRefused(name: String) {
    #expect(!ALSAName.hasHarmlessArguments(name))
    let error = #expect(throws: DeviceError.self) { try ALSAName.check(name) }
    #expect(error?.message.contains("define the device in ~/.asoundrc") == true)
    #if os(Linux)
    let request = PlaybackRequest(device: .pinned(id: name))
    #expect(throws: DeviceError.self) { try ALSASystem.makeTarget(request) }
    let sameError = #expect(throws: DeviceError.self) {
      try ALSALibrary.simulated.open(name, for: .capture)
    }
    #expect(sameError == error)
    #endif
  }

  // MARK: Times

  @Test func deviceTimeIsReducedByDelay() {
    let (time, isReliable) = ALSAMoment(
      stamp: 9_990_000_000, before: 10_000_000_000, after: 10_000_100_000, delay: 480, period: 0,
      sampleRate: 48000
    ).captureTime(available: 240)
    #expect(time == 9_980_000_000)
    #expect(isReliable)
  }

  @Test(arguments: [0, 1_700_000_000_000_000_000, 10_001_000_000])
  func timeOfAnotherClockIsReplaced(stamp: Int64) {
    let (time, isReliable) = ALSAMoment(
      stamp: stamp, before: 10_000_000_000, after: 10_000_000_200, delay: 480, period: 0,
      sampleRate: 48000
    ).captureTime(available: 240)
    #expect(time == 9_990_000_100)
    #expect(isReliable)
  }

  @Test(arguments: [-100, 200, 1_000_000])
  func implausibleDelayIsIgnored(delay: Int) {
    let (time, _) = ALSAMoment(
      stamp: 0, before: 10_000_000_000, after: 10_000_000_000, delay: delay, period: 0,
      sampleRate: 48000
    ).captureTime(available: 240)
    #expect(time == 9_995_000_000)
  }

  /// A timestamp from before the query still belongs to the position.
  @Test(
    arguments: [(0, false), (10_000_000_001, false), (10_000_000_000, true)] as [(Int64, Bool)])
  func timeIsUnreliableWhenAskingForItTookLong(stamp: Int64, isGood: Bool) {
    let (_, isReliable) = ALSAMoment(
      stamp: stamp, before: 10_000_000_000, after: 10_020_000_000, delay: 0, period: 0,
      sampleRate: 48000
    ).captureTime(available: 0)
    #expect(isReliable == isGood)
  }

  /// A valid timestamp and delay; a negative delay and one that is too long; no timestamp, and a
  /// timestamp of another clock.
  private static let delays: [(stamp: Int64, delay: Int, expected: Int64)] = [
    (9_990_000_000, 960, 10_010_000_000), (9_990_000_000, -5, 10_000_000_000),
    (9_990_000_000, 480_000, 10_000_000_000), (0, 960, 10_020_000_100),
    (1_700_000_000_000_000_000, 960, 10_020_000_100),
  ]

  @Test(arguments: delays)
  func nextFrameSoundsAfterTheDelay(stamp: Int64, delay: Int, expected: Int64) {
    let time = ALSAMoment(
      stamp: stamp, before: 10_000_000_000, after: 10_000_000_200, delay: delay, period: 0,
      sampleRate: 48000
    ).soundTime(waiting: 480)
    #expect(time == expected)
  }

  private static let before: Int64 = 10_000_000_000
  private static let stamps: [(stamp: Int64, isAccepted: Bool)] = [
    (before + 4_000_000, true), (before + 4_000_001, false),
    // At most half a second before the last interrupt, which is at most a period ago.
    (before - 509_999_999, true), (before - 510_000_000, false),
  ]

  @Test(arguments: stamps)
  func timestampNearTheQueryIsAccepted(stamp: Int64, isAccepted: Bool) {
    let after = Self.before + 4_000_000
    let (time, isReliable) = ALSAMoment(
      stamp: stamp, before: Self.before, after: after, delay: 0, period: 10_000_000,
      sampleRate: 48000
    ).captureTime(available: 0)
    let expected = isAccepted ? stamp : Self.before + 2_000_000
    #expect(time == expected && isReliable)
    let soundTime = ALSAMoment(
      stamp: stamp, before: Self.before, after: after, delay: 0, period: 10_000_000,
      sampleRate: 48000
    ).soundTime(waiting: 0)
    #expect(soundTime == expected)
  }

  /// In milliseconds, at 1000 Hz: a second before capture, and four before playback.
  @Test(arguments: [(99, false), (100, true), (1100, true), (1101, false)])
  func delayOfUpToASecondIsBelieved(delay: Int, isBelieved: Bool) {
    let (time, _) = ALSAMoment(
      stamp: Self.before, before: Self.before, after: Self.before, delay: delay, period: 0,
      sampleRate: 1000
    ).captureTime(available: 100)
    #expect(time == Self.before - Int64(isBelieved ? delay : 100) * 1_000_000)
    // A sound server may buffer more.
    let more = delay < 1000 ? delay - 99 : delay + 3000
    let soundTime = ALSAMoment(
      stamp: Self.before, before: Self.before, after: Self.before, delay: more, period: 0,
      sampleRate: 1000
    ).soundTime(waiting: 100)
    #expect(soundTime == Self.before + Int64(isBelieved ? more : 100) * 1_000_000)
  }

  @Test func queriesAreSlowFrom5MillisecondsAndRepeatedFrom20() {
    for (duration, isReliable) in [(4_999_999, true), (5_000_000, false)] as [(Int64, Bool)] {
      let result = ALSAMoment(
        stamp: 0, before: Self.before, after: Self.before + duration, delay: 0, period: 0,
        sampleRate: 1000
      ).captureTime(available: 0)
      #expect(result.isReliable == isReliable)
    }
    for (duration, isInterrupted) in [(19_999_999, false), (20_000_000, true)] as [(Int64, Bool)] {
      let moment = ALSAMoment(
        before: Self.before, after: Self.before + duration, period: 0, sampleRate: 1000)
      #expect(moment.isInterrupted == isInterrupted)
    }
  }

  // MARK: Gaps

  private func block(
    _ timeline: inout ALSATimeline, at milliseconds: Int64, frames: Int = 480
  ) -> CaptureBlock {
    timeline.block(
      frameCount: frames, channelCount: 2, sampleRate: 48000, time: milliseconds * 1_000_000,
      isTimeReliable: true)
  }

  @Test func countedAndMeasuredLossesAddUpAndAreReportedOnce() {
    var timeline = ALSATimeline()
    #expect(block(&timeline, at: 1000).lostFrameCount == 0)
    timeline.lose(960, sampleRate: 48000)
    #expect(block(&timeline, at: 1030).lostFrameCount == 960)
    #expect(block(&timeline, at: 1040).lostFrameCount == 0)
    timeline.lose(480, sampleRate: 48000)
    timeline.interrupt(.suspended)
    let after = block(&timeline, at: 1070)
    // Two blocks are missing between 1050 and 1070; one of them was already counted.
    #expect(after.lostFrameCount == 960)
    #expect(after.lossCause == .suspended)
    #expect(block(&timeline, at: 1080).lostFrameCount == 0)
  }

  @Test func jitterWithoutFaultReportsNoGap() {
    var timeline = ALSATimeline()
    _ = block(&timeline, at: 1000)
    #expect(block(&timeline, at: 1013).lostFrameCount == 0)
    timeline.interrupt(.overrun)
    // A clock that steps back slightly must not remove frames.
    #expect(block(&timeline, at: 1020).lostFrameCount == 0)
  }

  @Test func nothingIsMissingBeforeTheFirstBlock() {
    var timeline = ALSATimeline()
    timeline.interrupt(.deviceLost)
    #expect(block(&timeline, at: 1000).lostFrameCount == 0)
  }

  // MARK: Pace

  @Test func clockThatRunsFastIsAClock() {
    var pace = ALSAPace(start: 0, sampleRate: 48000)
    for step in 1...36_000 {
      let now = Int64(step) * 10_000_000
      let isFound = pace.detectMissingClock(481, at: now)
      #expect(!isFound)
      #expect(pace.delayMilliseconds(at: now) == 0)
      pace.pass(481)
    }
  }

  @Test func deviceWithoutAClockIsFoundAndHeldBack() {
    var pace = ALSAPace(start: 0, sampleRate: 48000)
    var isFound = pace.detectMissingClock(4800, at: 1_000_000)
    #expect(!isFound)
    pace.pass(4800)
    isFound = pace.detectMissingClock(12000, at: 2_000_000)
    #expect(isFound)
    #expect(pace.isUntimed)
    pace.pass(12000)
    // 350 ms were read, and reading may be 200 ms ahead.
    #expect(pace.delayMilliseconds(at: 50_000_000) == 100)
    #expect(pace.delayMilliseconds(at: 150_000_000) == 0)
    #expect(pace.nextFrameTime == 350_000_000)
  }

  /// A device is a file if it is 200 ms ahead within two seconds.
  @Test(arguments: [(1, 9601, true), (1, 9600, false), (1999, 9601, true), (2000, 9601, false)])
  func missingClockIsFoundAtTheStartOnly(milliseconds: Int64, ahead: Int, isFound: Bool) {
    var pace = ALSAPace(start: 0, sampleRate: 48000)
    let isUntimed = pace.detectMissingClock(
      Int(milliseconds) * 48 + ahead, at: milliseconds * 1_000_000)
    #expect(isUntimed == isFound && pace.isUntimed == isFound)
  }

  #if os(Linux)
  // MARK: Selection

  @Test func channelsAreThoseWantedOrMoreOrFewer() {
    func first(_ wanted: Int?, _ range: ClosedRange<Int>, isHardware: Bool = false) -> Int? {
      ALSASetup.channelChoices(wanted, in: range, isHardware: isHardware).first
    }
    #expect(first(2, 1...8) == 2)
    #expect(first(1, 2...8) == 2)
    #expect(first(8, 1...6) == 6)
    #expect(first(nil, 1...8, isHardware: true) == 8)
    #expect(first(nil, 1...64) == 2)
    #expect(first(nil, 1...1) == 1)
    #expect(ALSASetup.channelChoices(4, in: 2...6, isHardware: true) == [4, 5, 6, 3, 2])
  }

  @Test func channelsAreSortedForTheDevice() {
    let device = ChannelLayout([
      .frontLeft, .frontRight, .backLeft, .backRight, .frontCenter, .lowFrequency,
    ])
    var format = PlaybackFormat(sampleRate: 48000, channelCount: 6)
    #expect(ALSAChannels.order(of: format, on: device) == [0, 1, 4, 5, 2, 3])
    // 5.1 with side loudspeakers.
    format.layout = ChannelLayout(waveMask: 0x60F, channelCount: 6)
    #expect(ALSAChannels.order(of: format, on: device) == [0, 1, 4, 5, 2, 3])
    format.layout = device
    #expect(ALSAChannels.order(of: format, on: device) == nil)
    #expect(ALSAChannels.order(of: format, on: nil) == nil)
    format = PlaybackFormat(sampleRate: 48000, channelCount: 2)
    #expect(ALSAChannels.order(of: format, on: device) == nil)
  }

  @Test func playbackParametersMatchFormatAndLatency() {
    let format = PlaybackFormat(sampleRate: 44100, channelCount: 3)
    let parameters = ALSAParameters(PlaybackRequest(latency: .milliseconds(40)), format)
    #expect(parameters.isExact && parameters.direction == .playback)
    #expect(parameters.sampleRate == 44100 && parameters.channelCount == 3)
    #expect(parameters.buffer == .milliseconds(40) && parameters.block == .milliseconds(10))
    let hasty = ALSAParameters(PlaybackRequest(latency: .zero), format)
    #expect(hasty.buffer == .milliseconds(4) && hasty.block == .milliseconds(1))
    let calm = ALSAParameters(PlaybackRequest(latency: .seconds(60)), format)
    #expect(calm.buffer == .seconds(2) && calm.block == .milliseconds(100))
  }

  @Test(arguments: [(0, 2, 250), (10, 10, 250), (40, 40, 320), (100, 100, 800), (500, 100, 800)])
  func captureBufferHoldsEightBlocks(requested: Int, block: Int, buffer: Int) {
    let parameters = ALSAParameters(
      CaptureRequest(sampleRate: 8000, blockDuration: .milliseconds(requested)))
    #expect(parameters.block == .milliseconds(block))
    #expect(parameters.buffer == .milliseconds(buffer))
    #expect(parameters.direction == .capture && !parameters.isExact)
    #expect(parameters.sampleRate == 8000 && parameters.channelCount == nil)
  }

  @Test func libraryErrorCodesMapToDistinctErrors() throws {
    let library = try ALSALibrary()
    #expect(library.error(-EBUSY, in: "open", of: "x") == .deviceBusy(id: "x"))
    #expect(library.error(-EACCES, in: "open", of: "x") == .permissionDenied(id: "x"))
    #expect(library.error(-ENODEV, in: "open", of: "x") == .unknownDevice(id: "x", backend: .alsa))
    #expect(library.error(-ENOENT, in: "open", of: "x") == .unknownDevice(id: "x", backend: .alsa))
    // The library's message explains an error, until the next device is opened.
    #expect(throws: DeviceError.self) { try library.open("aacorn-missing", for: .capture) }
    #expect(library.message(for: -EIO).hasPrefix("Input/output error; "))
    let pcm = try library.open("null", for: .capture)
    #expect(library.message(for: -EIO) == "Input/output error")
    #expect(library.functions.pointee.pcm_close(pcm) == 0)
  }
  #endif
}
