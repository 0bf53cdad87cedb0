import AacornDevices
import AacornSystem
import Testing

@testable import AacornRecording

/// The detection of silent sources.
@Suite struct SignalWatchTests {
  private typealias Change = SignalWatch.Change

  private static let rate = 1000

  /// Samples of two channels that are silent except for these seconds.
  private static func samples(seconds: Int, sound: [Range<Int>]) -> [Float] {
    (0..<2 * seconds * rate).map { index in
      sound.contains { $0.contains(index / 2 / rate) } ? 0.5 : 0
    }
  }

  private static func changes(_ samples: [Float], blockLength: Int) -> [Change] {
    var watch = SignalWatch(channelCount: 2, sampleRate: rate)
    var changes: [Change] = []
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + 2 * blockLength)
      changes += watch.process(samples.span.extracting(start..<end), sampleRate: rate)
      start = end
    }
    return changes
  }

  @Test(arguments: [1, 7, 480, 9999, 10_001, 100_000])
  func silenceOfTenSecondsIsReportedWithAnyBlockLength(blockLength: Int) {
    let samples = Self.samples(seconds: 50, sound: [0..<1, 10..<11, 21..<22, 45..<46])
    #expect(
      Self.changes(samples, blockLength: blockLength) == [
        Change(problem: .silent, isActive: true, length: 10_000),
        Change(problem: .silent, isActive: false, length: 10_000),
        Change(problem: .silent, isActive: true, length: 10_000),
        Change(problem: .silent, isActive: false, length: 23_000),
      ])
  }

  @Test func soundInOneChannelCausesNoEvent() {
    var samples = Self.samples(seconds: 30, sound: [])
    for frame in stride(from: 0, to: 30_000, by: 9999) { samples[2 * frame + 1] = -0x1p-23 }
    #expect(Self.changes(samples, blockLength: 480).isEmpty)
  }

  @Test func silenceContinuesAcrossAChangeOfTheRate() {
    var watch = SignalWatch(channelCount: 1, sampleRate: 48_000)
    let zeros = Array(repeating: Float(0), count: 96_000)
    let first = watch.process(zeros.span.extracting(..<40_000), sampleRate: 8000)
    #expect(first.isEmpty)
    #expect(!watch.isSilent)
    let second = watch.process(zeros.span.extracting(..<80_000), sampleRate: 16_000)
    #expect(second == [Change(problem: .silent, isActive: true, length: 480_000)])
    #expect(watch.isSilent)
    #expect(watch.silentSampleCount == 480_000)
    let sound: [Float] = [1]
    let third = watch.process(sound.span, sampleRate: 16_000)
    #expect(third == [Change(problem: .silent, isActive: false, length: 480_000)])
    #expect(!watch.isSilent)
    #expect(watch.silentSampleCount == 480_000)
  }

  // MARK: - Recordings

  private static func signals(_ events: [RecorderEvent]) -> [SignalEvent] {
    events.compactMap { event in if case .signal(let signal) = event { signal } else { nil } }
  }

  @Test func silentSourceIsReportedOnceAndInTheSummary() throws {
    let log = RecordingLog()
    let session = log.session(.stereo(.int16))
    let silence = SilenceSignal(sampleRate: 48_000, channelCount: 2)
    try session.start(SyntheticSource.test(silence, frames: 25 * 48_000, name: "mic"), outputs: [])
    let summary = try finalSummary(of: session)
    let signals = Self.signals(log.events)
    #expect(signals.map(\.isActive) == [true])
    #expect(signals.map(\.length) == [480_000])
    #expect(signals.map(\.device?.name) == ["mic"])
    #expect(summary.isSilent)
    #expect(summary.silences == [SourceSilence(sampleCount: 25 * 48_000)])
    #expect(session.takeStatus().isSilent)
  }

  @Test func recordingWithSoundEndsAudible() throws {
    let log = RecordingLog()
    let session = log.session(.stereo(.int16))
    try session.start(SyntheticSource.test(frames: 25 * 48_000), outputs: [])
    let summary = try finalSummary(of: session)
    #expect(Self.signals(log.events).isEmpty)
    #expect(!summary.isSilent && summary.silences.isEmpty)
  }

  @Test func shortSilentRecordingIsSilentWithoutAnEvent() throws {
    let log = RecordingLog()
    let session = log.session(.stereo(.int16))
    let silence = SilenceSignal(sampleRate: 48_000, channelCount: 2)
    try session.start(SyntheticSource.test(silence, frames: 48_000), outputs: [])
    let summary = try finalSummary(of: session)
    #expect(Self.signals(log.events).isEmpty)
    #expect(summary.isSilent && summary.silences.isEmpty)
  }

  /// Mute and gain concern the recording, not the source.
  @Test func mutedRecordingHasNoSilentSource() throws {
    let log = RecordingLog()
    let session = log.session(.stereo(.int16) { $0.isMuted = true })
    try session.start(SyntheticSource.test(frames: 25 * 48_000), outputs: [])
    let summary = try finalSummary(of: session)
    #expect(Self.signals(log.events).isEmpty)
    #expect(summary.isSilent && summary.silences.isEmpty)
  }

  private static func block(
    _ frames: Range<Int>, lost: Int = 0, value: Float = 0
  ) -> (CaptureBlock, [Float]) {
    let samples = Array(repeating: value, count: 2 * frames.count)
    var block = CaptureBlock(of: samples, at: frames.lowerBound)
    block.lostFrameCount = lost
    return (block, samples)
  }

  /// Four seconds of zeros, ten lost seconds, a pause of ten seconds, and six seconds of zeros.
  @Test func gapsAndPausesCountAsNoSilence() throws {
    var track = SourceTrack(.stereo(.float32), followsClock: true)
    func feed(_ seconds: Range<Int>, lost: Int = 0, value: Float = 0) throws {
      for index in seconds.lowerBound * 10..<seconds.upperBound * 10 {
        let isFirst = index == seconds.lowerBound * 10
        let (block, samples) = Self.block(
          4800 * index..<4800 * (index + 1), lost: isFirst ? lost : 0, value: value)
        track.accept(block, samples, from: nil)
      }
      while try track.advance() {}
    }
    try feed(0..<4)
    try feed(14..<15, lost: 480_000)
    track.pause(true, at: 0)
    try feed(15..<25)
    track.pause(false, at: 0)
    try feed(25..<29)
    #expect(Self.signals(track.events).isEmpty)
    try feed(29..<30)
    #expect(Self.signals(track.events) == [SignalEvent(.silent, isActive: true, length: 480_000)])
    #expect(track.input.watch.isSilent)
    try feed(30..<31, value: 0.1)
    #expect(
      Self.signals(track.events).last == SignalEvent(.silent, isActive: false, length: 480_000))
    #expect(track.input.watch.silentSampleCount == 480_000)
  }

  @Test func silentTrackIsReportedWithItsName() throws {
    let log = RecordingLog()
    let session = log.session(.stereo(.int16))
    let silence = SilenceSignal(sampleRate: 48_000, channelCount: 2)
    let tracks = [
      TrackSource(TrackConfiguration("host"), from: SyntheticSource.test(frames: 25 * 48_000)),
      TrackSource(TrackConfiguration("guest"), playing: silence),
    ]
    try session.start(tracks, outputs: [])
    let summary = try finalSummary(of: session)
    let reports = log.events.filter { event in
      if case .track("guest", .signal) = event { true } else { false }
    }
    #expect(reports.count == 1)
    #expect(Self.signals(log.events).isEmpty)
    #expect(!summary.isSilent)
    #expect(summary.silences.map(\.track) == ["guest"])
    let status = session.takeStatus()
    #expect(status.tracks.map(\.isSilent) == [false, true])
    #expect(!status.isSilent)
  }

  // MARK: - Messages

  @Test func messagesNameTheDevice() {
    func text(_ event: SignalEvent) -> String? {
      RecorderEvent.signal(event).message(sampleRate: 48_000)?.text
    }
    let microphone = Device(backend: .pulseAudio, id: "usb", name: "USB_Mic")
    let file = Device(backend: .synthetic, id: "file:a.wav", name: "a.wav")
    var event = SignalEvent(.silent, isActive: true, length: 480_000, device: microphone)
    #expect(text(event) == "No sound from “USB_Mic” for 10 seconds. Is it muted?")
    event.isActive = false
    event.length = 167 * 48_000
    #expect(text(event) == "Sound arrives again from “USB_Mic”, after 2:47.0 of silence.")
    event = SignalEvent(.silent, isActive: true, length: 480_000, device: file)
    #expect(text(event) == "No sound from “a.wav” for 10 seconds.")
  }
}
