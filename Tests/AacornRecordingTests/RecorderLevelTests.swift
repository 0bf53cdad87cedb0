import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import Foundation
import Simulation
import Testing

@Suite(.simulated(seeds: 3)) struct RecorderLevelTests {
  private let source = PushSource(sampleRate: 48_000, channelCount: 2)

  @Test func levelsReportPeakAndPowerOfEachChannel() async throws {
    var configuration = RecordingConfiguration(coding: .int16)
    configuration.duration = .seconds(1)
    let recorder = Recorder(from: source, to: [], configuration)
    let levels = recorder.levels()
    try await recorder.start()
    // A square wave with a peak of 0.5 on the left and 0.25 on the right. The peak of a square wave
    // equals its RMS.
    let samples = (0..<48_000).flatMap { frame -> [Float] in
      let sign: Float = frame / 50 % 2 == 0 ? 1 : -1
      return [0.5 * sign, 0.25 * sign]
    }
    let sending = Task { await source.send(samples) }
    var last: RecordingLevels?
    for await level in levels {
      #expect(level.position % 2400 == 0 && level.position > (last?.position ?? -1))
      #expect(level.channels.map(\.peak) == [0.5, 0.25])
      #expect(level.channels.map(\.power) == [0.25, 0.0625])
      last = level
    }
    #expect(last?.position == 48_000 - 2400)
    _ = await sending.value
    let summary = await recorder.end()
    #expect(summary.duration == .seconds(1))
  }

  @Test func summaryReportsLoudness() async throws {
    let recorder = Recorder(from: source, to: [], RecordingConfiguration(coding: .int16))
    try await recorder.start()
    // 997 Hz, 20 dB below full scale in both channels, which is −20 LUFS.
    let samples = (0..<240_000).flatMap { frame -> [Float] in
      let sample = Float(0.1 * sin(2 * Double.pi * 997 * Double(frame) / 48_000))
      return [sample, sample]
    }
    #expect(await source.send(samples))
    source.finish()
    let loudness = await recorder.end().loudness
    for value in [loudness.integrated, loudness.shortTerm, loudness.momentary] {
      #expect(abs(try #require(value) + 20) < 0.05)
    }
    #expect(abs(loudness.truePeak + 20) < 0.1 && loudness.range == 0)
  }

  @Test(arguments: AACEncoder.Preset.allCases)
  func everyPresetRecords(preset: AACEncoder.Preset) async throws {
    let source = PushSource(sampleRate: 48_000, channelCount: 1)
    let recorder = Recorder(from: source, to: [], RecordingConfiguration(preset))
    try await recorder.start()
    let samples = (0..<96_000).map { Float($0 % 97) / 97 - 0.5 }
    let collecting = Task {
      var byteCount = 0
      for await packet in recorder.packets { byteCount += packet.bytes.count }
      return byteCount
    }
    #expect(await source.send(samples))
    source.finish()
    let summary = await recorder.end()
    #expect(summary.failure == nil && summary.duration == .seconds(2))
    // The average bitrate is constant, apart from the bits in the decoder's buffer.
    let rate = preset.configuration.rateControl.nominalBitrate
    let byteCount = await collecting.value
    #expect(byteCount > rate / 8 && byteCount < rate / 8 * 3)
  }

  @Test func levelsEndWithRecording() async throws {
    let recorder = Recorder(from: source, to: [], RecordingConfiguration(sampleRate: 47_000))
    await #expect(throws: RecordingError.encoder(.unsupportedSampleRate(47_000))) {
      try await recorder.start()
    }
    for await _ in recorder.levels() { Issue.record("Nothing was recorded.") }
    #expect(await source.send([0, 0]) == false, "The source rejects samples after the end.")
  }

  @Test func anIncompleteFrameEndsTheRecordingWithWhatCameBefore() async throws {
    let recorder = Recorder(
      from: source, to: [], .stereo(.int16))
    try await recorder.start()
    #expect(await source.send([Float](repeating: 0.5, count: 2000)))
    #expect(await source.send([0, 0, 0]) == false)
    let failure = try #require(source.failure)
    let summary = await recorder.end()
    #expect(summary.failure == .capture(failure))
    #expect(summary.sampleCount == 1000)
    #expect(await source.send([0, 0]) == false)
  }

  @Test(arguments: [(0, 2), (48_000, 0), (48_000, 65)])
  func aRecordingOfSamplesNeedsARateAndChannels(sampleRate: Int, channelCount: Int) async {
    let recorder = Recorder(
      from: source, to: [],
      RecordingConfiguration(sampleRate: sampleRate, channelCount: channelCount, coding: .int16))
    let failure = await #expect(throws: RecordingError.self) { try await recorder.start() }
    #expect(failure?.message.contains("with \(channelCount) channels at \(sampleRate) Hz") == true)
  }

  @Test(.realTime) func sendingWaitsForRoomAndEndsWithTheRecording() async throws {
    let source = PushSource(sampleRate: 48_000, channelCount: 1)
    let sink = CaptureSink(sampleCapacity: 65_536)
    try source.start(sink)
    let samples = (0..<500_000).map { Float($0) / 1_048_576 }
    let sending = Task { await source.send(samples) }
    var taken: [Float] = []
    while taken.count < samples.count {
      if sink.read(into: &taken, milliseconds: 0) == nil { await Task.yield() }
    }
    #expect(await sending.value)
    #expect(taken == samples)
    source.stop()
    #expect(await source.send([0]) == false)
  }
}
