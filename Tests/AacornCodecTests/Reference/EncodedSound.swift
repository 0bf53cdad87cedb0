import AacornSignal

@testable import AacornCodec

/// An encoded sound that the reference decoder can decode.
struct EncodedSound {
  let units: [AccessUnit]
  let trim: StreamTrim
  let config: AudioSpecificConfig
  let layout: ChannelConfiguration

  /// Encodes one array of samples per channel, in the order of a WAV file.
  init(_ channels: [[Float]], _ configuration: AACEncoder.Configuration) throws {
    var encoder = try AACEncoder(configuration)
    let samples = Self.interleaved(channels)
    encoder.encode(interleaved: samples.span)
    try self.init(finishing: &encoder)
  }

  init(finishing encoder: inout AACEncoder) throws {
    struct NoSuchLayout: Error {}
    guard
      let layout = ChannelConfiguration(channelCount: encoder.configuration.channelCount)
    else { throw NoSuchLayout() }
    self.layout = layout
    config = encoder.audioSpecificConfig
    let early = encoder.completeUnits()
    trim = encoder.finish()
    units = early + encoder.completeUnits()
  }

  static func interleaved<Sample>(_ channels: [[Sample]]) -> [Sample] {
    guard let first = channels.first else { return [] }
    var samples: [Sample] = []
    samples.reserveCapacity(first.count * channels.count)
    for n in first.indices {
      for channel in channels { samples.append(channel[n]) }
    }
    return samples
  }

  var bitCount: Int { units.reduce(0) { $0 + $1.bytes.count * 8 } }

  var bitrate: Double {
    Double(bitCount) * Double(config.sampleRate) / Double(trim.sampleCount)
  }

  /// Returns all decoded samples in −1…1, untrimmed, in the order of a WAV file.
  func decoded() throws -> [[Double]] {
    let raw = try ReferenceDecoder.decode(units: units.map(\.bytes), config: config)
    var channels = raw
    for (index, source) in layout.sourceOrder.enumerated() {
      channels[source] = raw[index].map { $0 / 32_768 }
    }
    return channels
  }

  func restored() throws -> [[Double]] {
    try decoded().map { Array($0.dropFirst(trim.priming).dropLast(trim.remainder)) }
  }

  func parsed() throws -> [ParsedBlock] {
    var reader = FrameReader(config)
    return try units.map { unit in
      try reader.read(unit.bytes)
      return reader.block
    }
  }
}

enum Likeness {
  /// The energy of the original divided by the energy of the difference, in decibels.
  static func signalToNoise(
    _ original: some Collection<Float>, _ copy: some Collection<Double>
  ) -> Double {
    var signal = 1e-12
    var noise = 1e-20
    for (x, y) in zip(original, copy) {
      signal += Double(x) * Double(x)
      noise += (Double(x) - y) * (Double(x) - y)
    }
    return decibels(signal / noise)
  }

  /// The decibels of a ratio; those of NaN are −∞.
  static func decibels(_ ratio: Double) -> Double {
    // The logarithm of NaN would be a large number.
    if ratio.isNaN { return -.infinity }
    // Computing log₁₀ from log₂ of the significand and the exponent avoids Foundation.
    let mantissa = Double(ElementaryFunctions.log2(Float(ratio.significand)))
    return 3.0102999566398 * (mantissa + Double(ratio.exponent))
  }
}
