import AacornCodec
import AacornSignal
import Foundation
import Testing

@testable import AacornContainers

/// Decoding of files from this package's encoder.
struct CodedAudioReaderTests {
  private static let frameCount = 20_000

  /// A tone in both channels, softer in the right one.
  private static let tone: [Float] = (0..<frameCount).flatMap { index -> [Float] in
    let phase = Float(index % 100) / 100
    let sample = (phase < 0.5 ? phase : 1 - phase) - 0.25
    return [sample, sample / 2]
  }

  private func file(
    _ format: CodedFileWriter.Format, isSeekable: Bool = true, damaging damaged: Set<Int> = []
  ) throws -> [UInt8] {
    try encodedFile(
      Self.tone, format, .init(sampleRate: 44_100, channelCount: 2), isSeekable: isSeekable,
      damaging: damaged)
  }

  private func quality(_ samples: ArraySlice<Float>, from first: Int = 0) -> Double {
    var (power, error) = (0.0, 1e-12)
    for (index, sample) in samples.enumerated() {
      let wanted = Self.tone[first + index]
      power += Double(wanted * wanted)
      error += Double((sample - wanted) * (sample - wanted))
    }
    return 10 * log10(power / error)
  }

  @Test func decodedMovieEqualsEncodedInput() throws {
    let sound = try DecodedFile(file(.m4a))
    #expect(
      sound.formats
        == [
          .format(
            sampleRate: 44_100, channelCount: 2,
            layout: ChannelLayout.standard(channelCount: 2))
        ])
    #expect(sound.samples.count == 2 * Self.frameCount)
    #expect(sound.announced == Self.frameCount)
    #expect(sound.concealed == [] && sound.damageCount == 0)
    #expect(quality(sound.samples[...]) > 35)
  }

  @Test func untrimmedItHasTheDelayAndThePadding() throws {
    let file = try file(.m4a)
    let all = try DecodedFile(file, isTrimmed: false).samples
    let cut = try DecodedFile(file).samples
    let trim = try #require(MP4Reader(file: file).trim)
    #expect(all.count == 2 * (trim.priming + trim.sampleCount + trim.remainder))
    #expect(Array(all[(2 * trim.priming)...].prefix(cut.count)) == cut)
  }

  @Test func aStreamHasNothingToCut() throws {
    let movie = try DecodedFile(file(.m4a), isTrimmed: false).samples
    for format in [CodedFileWriter.Format.adts(), .latm] {
      let file = try file(format)
      for isPipe in [false, true] {
        #expect(try DecodedFile(file, isPipe: isPipe).samples == movie)
      }
    }
  }

  @Test func fragmentsGiveTheSameSound() throws {
    let movie = try DecodedFile(file(.m4a)).samples
    #expect(try DecodedFile(file(.m4a, isSeekable: false)).samples == movie)
  }

  @Test(arguments: [0, 1, 1023, 5000, 12_345, 19_999])
  func seekContinuesAtExactSample(frame: Int) throws {
    let file = try file(.m4a)
    let whole = try DecodedFile(file).samples
    let rest = try DecodedFile(file, from: frame).samples
    #expect(rest == Array(whole[(2 * frame)...]))
  }

  @Test func concealedDamageKeepsLaterTimes() throws {
    let file = try file(.m4a, damaging: [8])
    let sound = try DecodedFile(file)
    #expect(sound.samples.count == 2 * Self.frameCount)
    let priming = try #require(MP4Reader(file: file).trim).priming
    #expect(sound.concealed == [8 * 1024 - priming])
    #expect(quality(sound.samples[24_000...], from: 24_000) > 30)
  }

  @Test func damageAtTheBeginningIsSilence() throws {
    let whole = try DecodedFile(file(.adts()))
    let sound = try DecodedFile(file(.adts(), damaging: [0, 1]))
    #expect(sound.formats.count == 1)
    #expect(sound.concealed == [0, 1024])
    #expect(sound.samples[..<4096].allSatisfy { $0 == 0 })
    #expect(sound.samples.count == whole.samples.count)
  }

  @Test func fileWithoutFramesHasNoAudio() {
    for bytes in [[], [1, 2, 3], [UInt8](repeating: 0x55, count: 5000)] {
      let sound = try? DecodedFile(bytes)
      #expect(sound?.samples.isEmpty ?? true)
    }
  }

  @Test func ticksOfTheCoreBecomeSamplesOfTheOutput() throws {
    var stream = AudioSpecificConfig.test(rate: 22_050, channels: 2)
    stream.signaling = .implicit
    var configuration = MP4Writer.Configuration(stream: stream)
    configuration.timing.priming = 1024
    let units = mp4Units(10)
    let trim = StreamTrim(priming: 1024, remainder: 100, sampleCount: 10 * 1024 - 1124)
    let movie = MP4Reader(file: try mp4File(configuration, units, trim))
    // The file has the time scale of the core. A decoder that detects band replication outputs
    // twice as many samples.
    let core = try #require(
      SoundCut(movie, unitFrameCount: 1024, sampleRate: 22_050, isComplete: true))
    let doubled = try #require(
      SoundCut(movie, unitFrameCount: 2048, sampleRate: 44_100, isComplete: true))
    #expect(core.origin == 1024 && core.end == 10 * 1024 - 100)
    #expect(doubled.origin == 2048 && doubled.end == 20 * 1024 - 200)
    let open = SoundCut(movie, unitFrameCount: 1024, sampleRate: 22_050, isComplete: false)
    #expect(open?.end == .max)
  }

  @Test(arguments: [false, true])
  func signalingDoesNotChangeDecodedSamples(isSeekable: Bool) throws {
    func movie(_ signaling: AudioSpecificConfig.Signaling?) throws -> [UInt8] {
      try encodedFile(
        Self.tone, .m4a,
        AACEncoder.Configuration(
          sampleRate: 44_100, channelCount: 2, rateControl: nil, effort: .fast,
          profile: .highEfficiency, signaling: signaling), isSeekable: isSeekable)
    }
    // If the tables are at the end, nothing can be read from a pipe.
    for isPipe in isSeekable ? [false] : [false, true] {
      let standard = try DecodedFile(movie(nil), isPipe: isPipe)
      if !isPipe { #expect(standard.samples.count == 2 * Self.frameCount) }
      #expect(quality(standard.samples[4096..<36_000], from: 4096) > 5)
      for signaling in [.implicit, .backwardCompatible, .hierarchical]
        as [AudioSpecificConfig.Signaling]
      {
        let bytes = try movie(signaling)
        #expect(MP4Reader(file: bytes).track?.stream.signaling == signaling)
        let sound = try DecodedFile(bytes, isPipe: isPipe)
        #expect(sound.formats == standard.formats && sound.announced == standard.announced)
        #expect(sound.samples == standard.samples)
      }
    }
  }

  @Test func aTagThatCountsTheCoreAloneIsUnderstood() throws {
    var stream = AudioSpecificConfig.test(rate: 22_050, channels: 2)
    stream.extensionSampleRate = 44_100
    stream.signaling = .backwardCompatible
    var configuration = MP4Writer.Configuration(stream: stream)
    configuration.timing.priming = 2 * 2112
    let trim = StreamTrim(priming: 4224, remainder: 2000, sampleCount: 14_256)
    var file = try mp4File(configuration, mp4Units(10), trim)
    #expect(MP4Reader(file: file).trim == trim)
    // Without the edit list, the reader uses the tag.
    let edits = find("edts", in: file)
    file.replaceSubrange(edits..<edits + 4, with: Array("free".utf8))
    let movie = MP4Reader(file: file)
    #expect(movie.trim == StreamTrim(priming: 5186, remainder: 1038, sampleCount: 14_256))
    let cut = SoundCut(movie, unitFrameCount: 2048, sampleRate: 44_100, isComplete: true)
    #expect(cut?.origin == 5186 && cut?.count == 14_256)
  }
}
