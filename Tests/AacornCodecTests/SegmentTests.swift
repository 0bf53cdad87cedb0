import Testing

@testable import AacornCodec

/// Encoding in segments, on any number of threads, results in the same bytes as encoding in one
/// run.
@Suite struct SegmentTests {
  /// Returns a sound that uses every tool: notes, noise, bursts at other times in each channel, and
  /// pauses.
  private static func sound(frames: Int, channels: Int) -> [Float] {
    let tones = (0..<channels).map {
      Signals.sine(frames, hertz: 523 + 100 * Double($0), rate: 44_100, amplitude: 0.2)
    }
    let noise = Signals.noise(frames, amplitude: 0.4)
    var samples: [Float] = []
    for n in 0..<frames {
      let pause: Float = n / 50_000 % 4 == 3 ? 0 : 1
      for channel in 0..<channels {
        let time = n + channel * 4000
        let burst: Float = time / 9000 % 3 == 0 ? 1 - Float(time % 9000) / 9000 : 0.01
        let own = noise[(n + channel * 313) % frames]
        samples.append(pause * (tones[channel][n] + own * burst))
      }
    }
    return samples
  }

  /// Encodes segments from the last to the first, with samples from the splitter and with their own
  /// samples, and expects the result of continuous encoding, which it returns.
  @discardableResult
  private static func expectEqualParts(
    _ configuration: AACEncoder.Configuration, _ samples: [Float], chunk: Int
  ) throws -> EncodedSound {
    var encoder = try AACEncoder(configuration)
    encoder.collectsStatistics = true
    encoder.encode(interleaved: samples.span)
    let whole = try EncodedSound(finishing: &encoder)

    var splitter = try SegmentSplitter(configuration)
    splitter.collectsStatistics = true
    let unread = splitter
    var segments: [SegmentEncoder] = []
    for start in stride(from: 0, to: samples.count, by: chunk) {
      splitter.encode(
        interleaved: samples.span.extracting(start..<min(samples.count, start + chunk)))
      while let segment = splitter.nextSegment() { segments.append(segment) }
    }
    let trim = splitter.finish()
    while let segment = splitter.nextSegment() { segments.append(segment) }
    var units: [[AccessUnit]] = []
    for segment in segments.reversed() {
      var segment = segment
      var own: [AccessUnit] = []
      while let unit = segment.nextAccessUnit() { own.append(unit) }
      units.append(own)
    }
    let others = units.reversed().flatMap { $0 }
    #expect(whole.units.allSatisfy { $0.statistics != nil })
    #expect(trim == whole.trim)
    #expect(others.count == whole.units.count)
    let difference = zip(whole.units, others).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(difference == nil, "The units differ.")
    let isSame = unread.units(reading: samples, chunk: chunk) == whole.units
    #expect(isSame, "The units of segments that read their own samples differ.")
    let frameLength = configuration.timing.samplesPerUnit
    #expect(trim.priming + trim.remainder + trim.sampleCount == frameLength * whole.units.count)
    return whole
  }

  @Test(
    arguments: [
      AACEncoder.RateControl.constant(bitsPerSecond: 128_000), .constant(bitsPerSecond: 64_000),
      .average(bitsPerSecond: 96_000), .variable(level: 3),
    ], AACEncoder.Effort.allCases)
  func segmentsEqualContinuousEncoding(
    rateControl: AACEncoder.RateControl, effort: AACEncoder.Effort
  ) throws {
    let configuration = AACEncoder.Configuration(
      sampleRate: 44_100, channelCount: 2, rateControl: rateControl, effort: effort)
    let samples = Self.sound(frames: 1024 * 1100 + 77, channels: 2)
    let whole = try Self.expectEqualParts(configuration, samples, chunk: 100_001)
    let hasOwnWindows = whole.units.contains { unit in
      guard let channels = unit.statistics?.channels else { return false }
      return channels[0].windowSequence != channels[1].windowSequence
    }
    #expect(hasOwnWindows)
  }

  @Test func surroundSegmentsEqualContinuousEncoding() throws {
    let configuration = AACEncoder.Configuration.constant(256_000, channels: 6, effort: .fast)
    let samples = Self.sound(frames: 1024 * 515, channels: 6)
    try Self.expectEqualParts(configuration, samples, chunk: 60_001)
  }

  /// Independent and coupled pairs, a single channel, and parametric stereo.
  ///
  /// Some chunks of the input end within an interleaved frame.
  @Test(
    arguments: [
      (.highEfficiency, 2, 64_000, 100_002), (.highEfficiency, 2, 32_000, 100_002),
      (.highEfficiency, 1, 24_000, 100_002), (.highEfficiencyV2, 2, 16_000, 100_001),
      (.highEfficiencyV2, 2, 48_000, 4_097),
    ] as [(AACEncoder.Profile, Int, Int, Int)])
  func highEfficiencySegmentsEqualContinuousEncoding(
    profile: AACEncoder.Profile, channels: Int, bitrate: Int, chunk: Int
  ) throws {
    let configuration = AACEncoder.Configuration.fast(profile, channels: channels, bitrate: bitrate)
    let samples = Self.sound(frames: 2048 * 1030 + 77, channels: channels)
    try Self.expectEqualParts(configuration, samples, chunk: chunk)
  }

  @Test(arguments: [1, 1024 * 511, 1024 * 512 - 1, 1024 * 512, 1024 * 512 + 1, 1024 * 1023])
  func lengthsAroundABoundaryGiveAllUnits(frames: Int) throws {
    let samples = Self.sound(frames: frames, channels: 1)
    try Self.expectEqualParts(
      .constant(64_000, rate: 48_000, effort: .fast), samples, chunk: samples.count)
  }

  /// The last frames of a segment need samples of the next one, if there is one.
  @Test(
    arguments: AACEncoder.Profile.replicating,
    [1, 2048 * 512 - 3010, 2048 * 512 - 3009, 2048 * 513])
  func lengthsAroundABoundaryGiveAllDoubledUnits(profile: AACEncoder.Profile, frames: Int) throws {
    let samples = Self.sound(frames: frames, channels: 2)
    try Self.expectEqualParts(
      .fast(profile, rate: 32_000, bitrate: 24_000), samples, chunk: samples.count)
  }

  /// A splitter accepts the same input as an encoder, and takes only the configuration from an
  /// encoder.
  @Test func planarSamplesGiveTheSameSegments() throws {
    let configuration = AACEncoder.Configuration(
      sampleRate: 32_000, channelCount: 2, rateControl: .variable(level: 2), effort: .fast)
    let samples = Self.sound(frames: 1024 * 520, channels: 2)
    let whole = try Self.expectEqualParts(configuration, samples, chunk: samples.count)
    var encoder = try AACEncoder(configuration)
    encoder.encode(interleaved: samples.span)
    _ = encoder.nextAccessUnit()
    var splitter = SegmentSplitter(configuredLike: encoder)
    splitter.collectsStatistics = true
    #expect(splitter.configuration == configuration)
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let right = stride(from: 1, to: samples.count, by: 2).map { samples[$0] }
    let planar = left + right
    splitter.encode(planar: planar.span)
    #expect(splitter.finish() == whole.trim)
    let isSame = splitter.completeUnits() == whole.units
    #expect(isSame)
  }

  @Test func emptyInputYieldsNoSegment() throws {
    var splitter = try SegmentSplitter(.init(sampleRate: 44_100, channelCount: 2))
    if splitter.nextSegment() != nil { Issue.record("There is nothing to encode.") }
    _ = splitter.finish()
    if splitter.nextSegment() != nil { Issue.record("There is nothing to encode.") }
  }
}

extension SegmentSplitter {
  /// The units of all segments, each of which gets its own samples in chunks of about this size.
  fileprivate func units(reading samples: [Float], chunk: Int) -> [AccessUnit] {
    let channelCount = configuration.channelCount
    let frameCount = samples.count / channelCount
    var units: [AccessUnit] = []
    var index = 0
    while let (encoder, range) = segment(index, ofSamples: frameCount) {
      var segment = encoder
      for start in stride(from: range.lowerBound, to: range.upperBound, by: chunk) {
        let end = min(range.upperBound, start + chunk)
        segment.encode(
          interleaved: samples.span.extracting(start * channelCount..<end * channelCount))
        while let unit = segment.nextAccessUnit() { units.append(unit) }
      }
      segment.finish()
      while let unit = segment.nextAccessUnit() { units.append(unit) }
      index += 1
    }
    return units
  }
}
