import AacornCodec

struct DecodedSound {
  /// The samples of each channel, in the order of a WAV file.
  var channels: [[Float]] = []
  var concealedCount = 0

  /// Decodes units; nil is a missing unit.
  init(
    _ units: [[UInt8]?], _ configuration: AudioSpecificConfig,
    options: AACDecoder.Options = AACDecoder.Options()
  ) throws {
    var decoder = try AACDecoder(configuration, options: options)
    for unit in units { take(unit, &decoder) }
  }

  mutating func take(_ unit: [UInt8]?, _ decoder: inout AACDecoder) {
    if let unit {
      if decoder.decode(unit) != .decoded { concealedCount += 1 }
    } else {
      decoder.conceal()
      concealedCount += 1
    }
    for channel in 0..<decoder.channelCount {
      if channel == channels.count { channels.append([]) }
      channels[channel] += decoder.samples(ofChannel: channel)
    }
  }
}

extension Likeness {
  static func level(_ samples: some Collection<Float>) -> Double {
    let sum = samples.reduce(0) { $0 + Double($1) * Double($1) }
    return (sum / Double(max(1, samples.count))).squareRoot()
  }
}
