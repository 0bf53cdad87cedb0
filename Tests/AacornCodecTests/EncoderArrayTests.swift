import AacornCodec
import Testing

/// The encoder's methods for arrays have the same results as those for spans.
@Suite struct EncoderArrayTests {
  private static func units(_ encode: (inout AACEncoder) -> Void) throws -> [[UInt8]] {
    var encoder = try AACEncoder(sampleRate: 44_100, channelCount: 2, bitrate: 96_000)
    encode(&encoder)
    _ = encoder.finish()
    return encoder.completeUnits().map(\.bytes)
  }

  @Test func arraysOfChannelsAreTheInterleavedSamples() throws {
    let left = (0..<5000).map { Int16($0 * 7 % 20_000 - 10_000) }
    let right = (0..<5000).map { Int16($0 * 11 % 16_000 - 8000) }
    var interleaved: [Int16] = []
    for frame in 0..<5000 { interleaved += [left[frame], right[frame]] }
    let expected = try Self.units { $0.encode(interleaved: interleaved.span) }
    #expect(try Self.units { $0.encode(interleaved: interleaved) } == expected)
    #expect(try Self.units { $0.encode(planar: [left, right]) } == expected)
    let floats = [left, right].map { $0.map { Float($0) / 32_768 } }
    #expect(try Self.units { $0.encode(planar: floats) } == expected)
    // An additional channel is ignored; a shorter channel is padded with silence.
    #expect(try Self.units { $0.encode(planar: [left, right, left]) } == expected)
    let silent = try Self.units { $0.encode(planar: [left, right.map { _ in 0 }]) }
    #expect(try Self.units { $0.encode(planar: [left]) } == silent)
    #expect(try Self.units { $0.encode(planar: [left, []]) } == silent)
  }

  @Test func arraysAreSplitIntoSegmentsAsSpansAre() throws {
    func units(_ encode: (inout SegmentSplitter) -> Void) throws -> [[UInt8]] {
      var splitter = try SegmentSplitter(.constant(96_000, channels: 2))
      encode(&splitter)
      _ = splitter.finish()
      return splitter.completeUnits().map(\.bytes)
    }
    let samples = (0..<10_000).map { Int16($0 * 7 % 20_000 - 10_000) }
    let expected = try Self.units { $0.encode(interleaved: samples.span) }
    #expect(try units { $0.encode(interleaved: samples.span) } == expected)
    #expect(try units { $0.encode(interleaved: samples) } == expected)
    #expect(try units { $0.encode(interleaved: samples.map { Float($0) / 32_768 }) } == expected)
  }

  @Test func withoutARateItIs64KilobitsPerChannel() throws {
    for channelCount in [1, 2, 6] {
      let configuration = AACEncoder.Configuration(channelCount: channelCount)
      #expect(configuration.rateControl == .constant(bitsPerSecond: 64_000 * channelCount))
      #expect(configuration.sampleRate == 48_000)
      #expect(try AACEncoder(channelCount: channelCount).configuration == configuration)
    }
    // If the default of 64 kb/s per channel exceeds the maximum bitrate, the maximum is used.
    let low = AACEncoder.Configuration(sampleRate: 8000, channelCount: 1)
    #expect(low.rateControl == .constant(bitsPerSecond: 47_875))
  }
}
