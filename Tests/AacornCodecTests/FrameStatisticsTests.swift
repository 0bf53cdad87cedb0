import Testing

@testable import AacornCodec

@Suite struct FrameStatisticsTests {
  static var cases: [AACEncoder.Configuration] {
    typealias Configuration = AACEncoder.Configuration
    var cases: [Configuration] = []
    for channels in [1, 2, 3, 4, 5, 6, 8] {
      for rate in [8_000, 22_050, 44_100, 96_000] {
        cases += [
          .constant(rate / 2 * channels, channels: channels, rate: rate),
          Configuration(
            sampleRate: rate, channelCount: channels, rateControl: .variable(level: 3),
            effort: .fast),
        ]
      }
    }
    for effort in AACEncoder.Effort.allCases {
      for bitrate in [24_000, 48_000, 128_000, 320_000] {
        cases.append(
          Configuration(
            sampleRate: 48_000, channelCount: 2, rateControl: .average(bitsPerSecond: bitrate),
            effort: effort))
      }
    }
    func add(_ configuration: Configuration, _ change: (inout Configuration) -> Void) {
      cases.append(configuration)
      change(&cases[cases.count - 1])
    }
    let each: [AACEncoder.Tools] = [
      .blockSwitching, .noiseShaping, .midSide, .intensity, .noiseSubstitution, .windowShape, [],
    ]
    for tool in each {
      for tools in [tool, .all.subtracting(tool)] {
        add(.constant(48_000, channels: 2)) { $0.tools = tools }
      }
    }
    add(.constant(48_000, channels: 2)) { $0.isMPEG2 = true }
    add(.constant(96_000, channels: 2, rate: 48_000)) { $0.bandwidth = 500 }
    add(.constant(64_000, rate: 48_000)) { $0.bandwidth = 24_000 }
    return cases
  }

  /// Music, attacks that are equal in all channels, independent noise, and silence.
  private static func sound(rate: Int, channelCount: Int) -> [[Float]] {
    let count = 8000
    let music = Signals.music(count, rate: rate, channels: channelCount)
    let castanets = Signals.castanets(count, rate: rate)
    let silence = [Float](repeating: 0, count: count / 2)
    return (0..<channelCount).map { channel in
      music[channel] + castanets + Signals.noise(count, seed: UInt32(channel + 1)) + silence
    }
  }

  /// Returns the statistics of a sound's frames, after comparing them with the content of the
  /// frames.
  private static func checked(
    _ channels: [[Float]], _ configuration: AACEncoder.Configuration
  ) throws -> [FrameStatistics] {
    var encoder = try AACEncoder(configuration)
    encoder.collectsStatistics = true
    let samples = EncodedSound.interleaved(channels)
    encoder.encode(interleaved: samples.span)
    let sound = try EncodedSound(finishing: &encoder)
    var reader = FrameReader(sound.config, keepsSpectrum: true)
    return try sound.units.enumerated().map { index, unit in
      try reader.read(unit.bytes)
      let statistics = try #require(unit.statistics)
      #expect(statistics == FrameStatistics(read: reader), "frame \(index)")
      return statistics
    }
  }

  @Test(arguments: cases)
  func statisticsMatchParsedFrames(_ configuration: AACEncoder.Configuration) throws {
    let sound = Self.sound(rate: configuration.sampleRate, channelCount: configuration.channelCount)
    let frames = try Self.checked(sound, configuration)
    #expect(frames.count == (sound[0].count + 1023) / 1024 + 1)
    #expect(frames.allSatisfy { $0.channels.count == configuration.channelCount })
    #expect(frames.contains { $0.channels.contains { $0.lineCount > 0 } })
  }

  @Test func statisticsCoverAllTools() throws {
    let castanets = EncoderSyntaxTests.castanets
    var stereo = AACEncoder.Configuration.constant(48_000, channels: 2)
    stereo.tools = .all.subtracting(.noiseSubstitution)
    let alike = try Self.checked([castanets, castanets], stereo)
    #expect(alike.contains { $0.channels[1].intensityBandCount > 0 })
    #expect(alike.contains { $0.midSideBandCount > 0 })
    // Far too few bits for noise of this bandwidth.
    stereo.tools = .all
    stereo.rateControl = .constant(bitsPerSecond: 24_000)
    stereo.bandwidth = 16_000
    let noisy = try Self.checked(EncoderSyntaxTests.noise, stereo)
    #expect(noisy.contains { $0.channels[0].noiseBandCount > 0 })
    var mono = AACEncoder.Configuration.constant(64_000)
    mono.tools = .all.subtracting(.blockSwitching)
    let shaped = try Self.checked([castanets], mono)
    #expect(shaped.contains { $0.channels[0].noiseShapingFilterCount > 0 })
    mono.tools = .all.subtracting(.noiseShaping)
    let switched = try Self.checked([castanets], mono)
    #expect(switched.contains { $0.channels[0].windowSequence == .eightShort })
  }

  @Test func channelsWithNothingInCommonHaveTheirOwnWindows() throws {
    let castanets = EncoderSyntaxTests.castanets
    let tone = Signals.sine(castanets.count, hertz: 440, rate: 44_100, amplitude: 0.5)
    let configuration = AACEncoder.Configuration.constant(96_000, channels: 2)
    let own = try Self.checked([tone, castanets], configuration)
    // The tone begins and ends suddenly.
    let middle = own.dropFirst(2).dropLast(4)
    #expect(middle.allSatisfy { $0.channels[0].windowSequence == .onlyLong })
    #expect(own.contains { $0.channels[1].windowSequence == .eightShort })
    // The tone hides most attacks from the detector, but both channels have them.
    let mixed = zip(tone, castanets).map { 0.1 * $0 + 0.3 * $1 }
    let shared = try Self.checked([mixed, castanets], configuration)
    #expect(
      shared.allSatisfy { $0.channels[0].windowSequence == $0.channels[1].windowSequence })
    #expect(shared.contains { $0.channels[1].windowSequence == .eightShort })
  }

  @Test func statisticsAreOptionalAndDoNotChangeBytes() throws {
    let configuration = AACEncoder.Configuration(sampleRate: 48_000, channelCount: 2)
    let sound = Self.sound(rate: 48_000, channelCount: 2)
    let samples = EncodedSound.interleaved(sound)
    let silent = try EncodedSound(sound, configuration)
    #expect(silent.units.allSatisfy { $0.statistics == nil })
    var encoder = try AACEncoder(configuration)
    encoder.encode(interleaved: samples.span)
    _ = encoder.finish()
    var unit = AccessUnit()
    var index = 0
    while true {
      // Collect statistics for every other unit only, and reuse the storage of `unit`.
      encoder.collectsStatistics = index % 2 == 0
      guard encoder.nextAccessUnit(into: &unit) else { break }
      #expect((unit.statistics != nil) == (index % 2 == 0))
      unit.statistics = nil
      try #require(index < silent.units.count)
      #expect(unit == silent.units[index])
      index += 1
    }
    #expect(index == silent.units.count)
  }
}

extension FrameStatistics {
  /// Creates the statistics of the block in `reader`, which keeps the spectrum.
  fileprivate init(read reader: FrameReader) {
    self.init()
    let block = reader.block
    for element in block.elements where element.kind != .fill {
      channelBitCount += element.bits.count
      guard element.kind == .pair, element.hasCommonWindow else { continue }
      let window = block.channels[element.firstChannel].window
      pairBandCount += window.groupCount * window.bandsPerGroup
      midSideBandCount += element.midSideBandCount
    }
    for channel in block.channels {
      var statistics = Channel()
      statistics.windowSequence = channel.window.sequence
      statistics.windowShape = channel.window.shape
      statistics.globalGain = channel.globalGain
      statistics.noiseShapingFilterCount = channel.noiseShapingFilters.count { $0.order > 0 }
      statistics.noiseBandCount = channel.noiseBandCount
      statistics.intensityBandCount = channel.intensityBandCount
      statistics.lineCount = Self.lineCount(of: channel, reader)
      channels.append(statistics)
    }
  }

  private static func lineCount(of channel: ParsedChannel, _ reader: FrameReader) -> Int {
    let window = channel.window
    let length = window.isShort ? 128 : 1024
    var end = 0
    for index in channel.spectrum.indices where channel.spectrum[index] != 0 {
      end = max(end, index % length + 1)
    }
    let offsets = reader.bandOffsets(isShort: window.isShort)
    for index in channel.codebooks.indices where channel.codebooks[index] == Codebook.noise {
      end = max(end, offsets[index % window.bandsPerGroup + 1])
    }
    return end * (1024 / length)
  }
}
