import AacornDevices
import AacornSignal
import Foundation
import Testing

@testable import AacornRecording

/// The conversion of a device's audio to the rate and channels of the recording.
@Suite struct InputStageTests {
  private static func block(_ sampleRate: Int, _ channelCount: Int) -> CaptureBlock {
    CaptureBlock(frameCount: 0, channelCount: channelCount, sampleRate: sampleRate, time: 0)
  }

  private static func stage(
    rate: Int = 48_000, channels: Int = 2,
    _ change: (inout RecordingConfiguration) -> Void = { _ in }
  ) -> InputStage {
    var configuration = RecordingConfiguration(
      sampleRate: rate, channelCount: channels, coding: .float32)
    change(&configuration)
    return InputStage(configuration)
  }

  /// Processes samples in pieces whose lengths in frames repeat `pieces`.
  private static func feed(
    _ stage: inout InputStage, _ samples: [Float], channels: Int, pieces: [Int] = [480],
    into output: inout [Float]
  ) {
    var (start, piece) = (0, 0)
    while start < samples.count {
      let end = min(samples.count, start + pieces[piece % pieces.count] * channels)
      stage.process(Array(samples[start..<end]), into: &output)
      (start, piece) = (end, piece + 1)
    }
  }

  private static func output(
    of stage: InputStage, _ samples: [Float], rate: Int, channels: Int = 2, pieces: [Int] = [480]
  ) throws -> [Float] {
    var stage = stage
    var output: [Float] = []
    try stage.prepare(for: block(rate, channels), into: &output)
    feed(&stage, samples, channels: channels, pieces: pieces, into: &output)
    stage.finish(into: &output)
    #expect(stage.outputFrameCount == output.count / stage.channelCount)
    return output
  }

  /// A tone in the first channel, and another one in the second, at a time in seconds.
  private static func tone(_ seconds: Double, channel: Int) -> Double {
    0.5 * sin(2 * .pi * (channel == 0 ? 997 : 2503) * seconds)
  }

  private static func tones(frames: Int, rate: Int, from origin: Double = 0) -> [Float] {
    (0..<frames).flatMap { frame in
      (0..<2).map { Float(tone(origin + Double(frame) / Double(rate), channel: $0)) }
    }
  }

  // MARK: Channels

  @Test(arguments: [[1], [480], [7, 4096, 1]])
  func matchingFormatPassesUnchanged(pieces: [Int]) throws {
    let samples = noise(2 * 9000)
    var stage = Self.stage()
    var output: [Float] = []
    #expect(!stage.hasFormat(of: Self.block(48_000, 2)))
    try stage.prepare(for: Self.block(48_000, 2), into: &output)
    #expect(stage.hasFormat(of: Self.block(48_000, 2)))
    #expect(!stage.hasFormat(of: Self.block(44_100, 2)))
    #expect(!stage.hasFormat(of: Self.block(48_000, 1)))
    Self.feed(&stage, samples, channels: 2, pieces: pieces, into: &output)
    #expect(stage.outputFrameCount == 9000 && stage.position == 9000)
    stage.finish(into: &output)
    #expect(output == samples)
  }

  /// The device's and the recording's channel counts, the channel map, and the expected weights of
  /// the inputs for each output.
  struct Mix: Sendable {
    var device: Int
    var wanted: Int
    var map: [Int] = []
    var weights: [[Float]]
  }

  private static let half = Float(0.5).squareRoot()

  static let mixes = [
    Mix(device: 1, wanted: 2, weights: [[1], [1]]),
    Mix(device: 2, wanted: 1, weights: [[0.5, 0.5]]),
    Mix(device: 3, wanted: 3, weights: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    // Left, right, center, LFE and two surrounds.
    Mix(
      device: 6, wanted: 2, weights: [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]]),
    // The first channels, because no layout has this many.
    Mix(
      device: 10, wanted: 2,
      weights: [[1] + [Float](repeating: 0, count: 9), [0, 1] + [Float](repeating: 0, count: 8)]),
    Mix(device: 4, wanted: 2, map: [3, 0], weights: [[0, 0, 0, 1], [1, 0, 0, 0]]),
    Mix(device: 4, wanted: 2, map: [2], weights: [[0, 0, 1, 0], [0, 0, 1, 0]]),
    Mix(device: 8, wanted: 1, map: [6, 1], weights: [[0, 0.5, 0, 0, 0, 0, 0.5, 0]]),
    Mix(device: 2, wanted: 3, map: [1, 1, 0], weights: [[0, 1], [0, 1], [1, 0]]),
  ]

  @Test(arguments: mixes)
  func channelsArePickedAndMixed(mix: Mix) throws {
    let samples = noise(mix.device * 300)
    let output = try Self.output(
      of: Self.stage(channels: mix.wanted) { $0.channelMap = mix.map }, samples, rate: 48_000,
      channels: mix.device, pieces: [64])
    #expect(output.count == mix.wanted * 300)
    for frame in 0..<300 {
      let input = samples[frame * mix.device..<(frame + 1) * mix.device]
      for channel in 0..<mix.wanted {
        let exact = zip(input, mix.weights[channel]).reduce(0) { $0 + $1.0 * $1.1 }
        #expect(abs(output[frame * mix.wanted + channel] - exact) < 1e-6)
      }
    }
  }

  @Test func unsupportedConversionThrows() {
    var output: [Float] = []
    var stage = Self.stage { $0.channelMap = [0, 2] }
    #expect(throws: RecordingError.noSuchChannel(2, deviceHas: 2)) {
      try stage.prepare(for: Self.block(48_000, 2), into: &output)
    }
    var other = Self.stage(channels: 5)
    for (rate, channels) in [(48_000, 3), (500, 5), (2_000_000, 5)] {
      let error = #expect(throws: RecordingError.self) {
        try other.prepare(for: Self.block(rate, channels), into: &output)
      }
      #expect(
        error
          == .unsupportedConversion(
            sampleRate: rate, channelCount: channels, toSampleRate: 48_000, toChannelCount: 5))
      #expect(error?.message.contains("\(rate) Hz and \(channels) channels") == true)
      #expect(error?.message.hasSuffix("rate, or another number of channels.") == true)
    }
    // A stage that was not prepared outputs nothing.
    stage.process([1, 1], into: &output)
    stage.processSilence(frameCount: 5, into: &output)
    stage.finish(into: &output)
    #expect(output.isEmpty && stage.outputFrameCount == 0)
  }

  // MARK: Rates

  static let rates = [(44_100, 48_000), (48_000, 44_100), (16_000, 48_000), (96_000, 44_100)]

  @Test(arguments: rates, [false, true])
  func resampledToneMatchesToneAtOtherRate(
    rates: (device: Int, recording: Int), isClocked: Bool
  ) throws {
    let count = rates.device / 2 + 13
    let output = try Self.output(
      of: Self.stage(rate: rates.recording) { $0.followsWallClock = isClocked },
      Self.tones(frames: count, rate: rates.device), rate: rates.device)
    #expect(output.count / 2 == (count * rates.recording + rates.device - 1) / rates.device)
    for frame in 200..<output.count / 2 - 200 {
      for channel in 0..<2 {
        let exact = Self.tone(Double(frame) / Double(rates.recording), channel: channel)
        #expect(abs(Double(output[2 * frame + channel]) - exact) < 2e-4)
      }
    }
  }

  @Test(arguments: rates, [false, true])
  func outputDoesNotDependOnBlockSizes(rates: (device: Int, recording: Int), isClocked: Bool) throws
  {
    let samples = noise(2 * 7001)
    let outputs = try [[7001], [1], [480], [3, 2000, 11]].map { pieces in
      let stage = Self.stage(rate: rates.recording) {
        $0.followsWallClock = isClocked
        $0.gain = 0.7
      }
      return try Self.output(of: stage, samples, rate: rates.device, pieces: pieces)
    }
    #expect(outputs.allSatisfy { $0 == outputs[0] } && outputs[0].count > 2000)
  }

  /// A click appears in the output at the position that the stage announced.
  @Test(arguments: rates + [(48_000, 48_000)], [0, 1, 441, 10_007])
  func positionPredictsNextOutputFrame(
    rates: (device: Int, recording: Int), before: Int
  ) throws {
    var stage = Self.stage(rate: rates.recording, channels: 1)
    var output: [Float] = []
    try stage.prepare(for: Self.block(rates.device, 1), into: &output)
    stage.processSilence(frameCount: before, into: &output)
    let position = stage.position
    let exact = Double(before) * Double(rates.recording) / Double(rates.device)
    #expect(position == Int(exact.rounded(.up)))
    // The click is long enough for the lowest sample rate.
    var click = [Float](repeating: 0, count: 4001)
    for index in 0..<2000 { click[index] = Float(0.9 * exp(-Double(index) / 20)) }
    stage.process(click, into: &output)
    stage.finish(into: &output)
    let first = try #require(output.firstIndex { $0 > 0.3 })
    #expect(abs(first - position) <= 1, "\(first) and not \(position)")
  }

  @Test func silenceEqualsZeroSamples() throws {
    var outputs: [[Float]] = []
    for isNamed in [true, false] {
      var stage = Self.stage(rate: 44_100)
      var output: [Float] = []
      try stage.prepare(for: Self.block(48_000, 2), into: &output)
      stage.process(noise(960), into: &output)
      if isNamed {
        stage.processSilence(frameCount: 1001, into: &output)
      } else {
        stage.process([Float](repeating: 0, count: 2002), into: &output)
      }
      stage.process(noise(960, seed: 8), into: &output)
      stage.finish(into: &output)
      outputs.append(output)
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0].count / 2 == ((480 + 1001 + 480) * 441 + 479) / 480)
  }

  /// A format change shifts neither time nor pitch, and the old resampler loses no frame.
  @Test func aChangeOfTheDevicesFormatKeepsTime() throws {
    var stage = Self.stage(rate: 44_100)
    var output: [Float] = []
    var seconds = 0.0
    for (rate, channels) in [(48_000, 2), (16_000, 1), (44_100, 2), (96_000, 2)] {
      try stage.prepare(for: Self.block(rate, channels), into: &output)
      #expect(stage.outputFrameCount == output.count / 2)
      #expect(stage.position == Int((seconds * 44_100).rounded()))
      var samples = Self.tones(frames: rate / 4, rate: rate, from: seconds)
      if channels == 1 {
        samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
      }
      Self.feed(&stage, samples, channels: channels, into: &output)
      seconds += 0.25
    }
    stage.finish(into: &output)
    #expect(output.count == 2 * 44_100)
    for frame in 0..<44_100 {
      // Near a format change, each resampler treats its side as the start or the end of the signal.
      let distance = abs(frame - (frame + 5512) / 11_025 * 11_025)
      if distance < 150 { continue }
      let exact = Self.tone(Double(frame) / 44_100, channel: 0)
      #expect(abs(Double(output[2 * frame]) - exact) < 3e-4, "frame \(frame)")
    }
  }

  @Test(arguments: [-800.0, 0, 250])
  func aStretchedRecordingGetsSoManyMoreSamples(partsPerMillion: Double) throws {
    var stage = Self.stage { $0.followsWallClock = true }
    var output: [Float] = []
    try stage.prepare(for: Self.block(48_000, 2), into: &output)
    stage.stretch(partsPerMillion: partsPerMillion)
    for _ in 0..<100 { stage.processSilence(frameCount: 4800, into: &output) }
    stage.finish(into: &output)
    let exact = 480_000 * (1 + partsPerMillion * 1e-6)
    #expect(abs(Double(output.count / 2) - exact) <= 1)
    // Only a stage that follows the wall clock can be stretched.
    var plain = Self.stage()
    output = []
    try plain.prepare(for: Self.block(48_000, 2), into: &output)
    plain.stretch(partsPerMillion: 800)
    plain.processSilence(frameCount: 48_000, into: &output)
    #expect(output.count == 96_000)
  }

  /// A track keeps its ratio when the format changes, and a recording determines it again.
  @Test(arguments: [false, true]) func ratioAfterAFormatChange(followsWallClock: Bool) throws {
    var configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: .float32)
    configuration.followsWallClock = followsWallClock
    var stage = InputStage(configuration, isStretchable: true)
    var output: [Float] = []
    try stage.prepare(for: Self.block(48_000, 2), into: &output)
    stage.stretch(partsPerMillion: 500)
    try stage.prepare(for: Self.block(16_000, 1), into: &output)
    #expect(stage.partsPerMillion == (followsWallClock ? 0 : 500))
    stage.processSilence(frameCount: 160_000, into: &output)
    stage.finish(into: &output)
    #expect(output.count / 2 == (followsWallClock ? 480_000 : 480_240))
  }

  /// A device is slower or faster than the computer, or 11 ms late once, too little for a gap.
  ///
  /// A lag is corrected in half a minute, by at most a thousandth.
  @Test(arguments: [(-1000.0, 0.0, -1000.0), (1000, 0, 1000), (0, 0.011, 0.011 / 30 * 1e6)])
  func lagBehindTheWallClockIsCorrected(drift: Double, lag: Double, partsPerMillion: Double) throws
  {
    var track = SourceTrack(.stereo(.float32) { $0.followsWallClock = true }, followsClock: true)
    for index in 0..<(lag > 0 ? 102 : 2000) {
      let seconds = 0.01 * Double(index) * (1 + drift * 1e-6) + (index < 50 ? 0 : lag)
      let block = CaptureBlock(
        frameCount: 480, channelCount: 2, sampleRate: 48_000, time: Int64(seconds * 1e9))
      track.accept(block, constant(0, 960), from: nil)
      while try track.advance() {}
      #expect(abs(track.input.partsPerMillion) <= 1000)
    }
    // The resampler holds back less than 2 ms, which counts as a lag.
    let rest = lag > 0 ? track.input.partsPerMillion - partsPerMillion : 0
    #expect((0..<66).contains(rest))
    #expect(lag > 0 || track.input.partsPerMillion == partsPerMillion)
  }

  // MARK: Gain

  @Test func aChangeOfGainIsARampOverTheNextBlock() throws {
    var stage = Self.stage { $0.gain = 0.25 }
    var output: [Float] = []
    try stage.prepare(for: Self.block(48_000, 2), into: &output)
    let ones = [Float](repeating: 1, count: 2 * 100)
    var expected: [Float] = []
    var before: Float = 0.25
    for (gain, isMuted) in [
      (0.25, false), (2, false), (2, true), (3, true), (1, false), (1, false),
    ]
      as [(Float, Bool)]
    {
      (stage.gain, stage.isMuted) = (gain, isMuted)
      stage.process(ones, into: &output)
      let target = isMuted ? 0 : gain
      for frame in 1...100 {
        let factor = before + (target - before) * Float(frame) / 100
        expected += [factor, factor]
      }
      before = target
      // The block ends with exactly the new gain.
      #expect(output.last == target)
    }
    #expect(output.count == expected.count)
    for (found, wanted) in zip(output, expected) { #expect(abs(found - wanted) < 1e-5) }
  }
}
