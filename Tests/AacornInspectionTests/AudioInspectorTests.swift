import AacornCodec
import AacornContainers
import AacornSignal
import Foundation
import Testing

@testable import AacornInspection

/// The measurements of decoded files from this package's encoder.
@Suite struct AudioInspectorTests {
  private static let frameCount = 5 * 48_000

  /// Returns a stereo tone of 1 kHz between two silences of half a second.
  private func units() throws -> (
    stream: AudioSpecificConfig, units: [AccessUnit], trim: StreamTrim
  ) {
    var samples: [Float] = []
    for index in 0..<Self.frameCount {
      let isSilent = index < 24_000 || index >= Self.frameCount - 24_000
      let sine = Float(sin(2 * Double.pi * Double(index) / 48))
      // −23 dBFS.
      let sample = isSilent ? 0 : 0.070_795 * sine
      samples += [sample, sample]
    }
    var encoder = try AACEncoder(
      .init(sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: 192_000)))
    return encoder.encoded(samples)
  }

  private func movie(damaging damaged: Set<Int> = []) throws -> [UInt8] {
    var (stream, units, trim) = try units()
    for index in damaged { units[index].bytes = [0x20, 0xFF, 0xFF, 0xFF, 0xFF] }
    return try movieFile(units, stream, trim, .moovAtEnd)
  }

  private func sound(_ file: [UInt8]) throws -> AudioReport {
    guard case .measured(let sound)? = report(file, decodesSound: true).sound else {
      throw CodedAudioError.decoder(.invalidConfiguration)
    }
    return sound
  }

  @Test func aMovieIsMeasuredToTheSample() throws {
    let sound = try sound(movie())
    #expect(sound.sampleRate == 48_000 && sound.channelCount == 2)
    #expect(sound.formatChangeCount == 0)
    #expect(sound.frameCount == Int64(Self.frameCount) && sound.duration == 5)
    let loudness = try #require(sound.loudness)
    // Blocks at the ends of the tone contain some silence.
    #expect(abs(loudness + 23) < 0.6, "\(loudness)")
    #expect(abs(Decibels.of(amplitude: sound.truePeak) + 23) < 2)
    #expect(sound.truePeak >= sound.peak)
    #expect(sound.clippedSampleCount == 0 && sound.excessSampleCount == 0)
    #expect(sound.concealedCount == 0 && sound.concealedPositions.isEmpty)
    // The transform spreads the tone into the adjacent frame, so the silence is a little shorter
    // than 24,000 samples.
    #expect(sound.leadingSilence > 20_000 && sound.leadingSilence <= 24_000)
    #expect(sound.trailingSilence > 20_000 && sound.trailingSilence <= 24_000)
    let longest = try #require(sound.longestSilence)
    #expect(longest.length == max(sound.leadingSilence, sound.trailingSilence))
  }

  @Test func reportWithoutDecodingHasNoAudioResult() throws {
    let file = try movie()
    #expect(report(file).sound == nil)
    var decoded = report(file, decodesSound: true)
    decoded.sound = nil
    #expect(decoded.json == report(file).json)
  }

  @Test func concealedFramesHavePositions() throws {
    let (_, _, trim) = try units()
    let sound = try sound(movie(damaging: [100, 150, 151]))
    #expect(sound.concealedCount == 3)
    #expect(
      sound.concealedPositions == [100, 150, 151].map { Int64($0 * 1024 - trim.priming) })
    #expect(sound.frameCount == Int64(Self.frameCount))
  }

  @Test func aStreamIsMeasuredAsAWhole() throws {
    let (stream, units, _) = try units()
    let sound = try sound(adtsStream(units.map(\.bytes), configuration: stream))
    #expect(sound.frameCount == Int64(1024 * units.count))
    let loudness = try #require(sound.loudness)
    #expect(abs(loudness + 23) < 0.6, "\(loudness)")
  }

  /// Decoded music may slightly exceed full scale, so only a burst far above it is a fault.
  @Test(arguments: [(Float(1.8), false), (2.6, true)])
  func aBurstIsAFault(amplitude: Float, isFault: Bool) throws {
    var encoder = try AACEncoder(
      .init(sampleRate: 48_000, channelCount: 1, rateControl: .constant(bitsPerSecond: 96_000)))
    let samples = (0..<96_000).map { index in
      let sine = Float(sin(2 * Double.pi * Double(index) / 48))
      return sine * ((48_000..<52_000).contains(index) ? amplitude : 0.5)
    }
    let (stream, units, _) = encoder.encoded(samples)
    let report = report(
      try adtsStream(units.map(\.bytes), configuration: stream), decodesSound: true)
    #expect(report.faults.count == (isFault ? 1 : 0))
    guard let fault = report.faults.first.first else { return }
    guard case .burst(let peak, let tenths) = fault.kind else {
      Issue.record("\(fault.kind)")
      return
    }
    #expect(fault.severity == .error && peak > 2 && (10...11).contains(tenths))
    #expect((47...53).contains(fault.frame) && fault.length == 0)
    let words = String(decoding: fault.message, as: UTF8.self)
    #expect(words.hasPrefix("the audio is ") && words.contains(" dB above full scale 1."))
  }

  @Test func silenceIsMeasuredAsSuch() throws {
    let fixture = try RepairFixture(isSilent: true)
    let sound = try sound(fixture.movie(.moovAtEnd))
    #expect(sound.loudness == nil && sound.loudnessRange == nil && sound.peak == 0)
    #expect(sound.leadingSilence == sound.frameCount && sound.trailingSilence == sound.frameCount)
    #expect(sound.longestSilence?.start == 0)
  }

  @Test func undecodableStreamReportsReason() throws {
    let stream = AudioSpecificConfig(
      objectType: AudioObjectType(rawValue: 39), sampleRate: 44_100, channelConfiguration: 2)
    let file = try movieFile(
      [AccessUnit(bytes: [UInt8](repeating: 0x5A, count: 100))], stream,
      StreamTrim(priming: 0, remainder: 0, sampleCount: 512), .moovAtEnd)
    guard case .impossible(let reason)? = report(file, decodesSound: true).sound else {
      Issue.record("no reason")
      return
    }
    #expect(reason == .decoder(.unsupportedObjectType(stream.objectType)))
  }
}
