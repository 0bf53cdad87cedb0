/// A format of sound in the terms of Core Audio's stream descriptions.
package struct ConverterFormat: Equatable, Sendable {
  /// Frames per second.
  package let sampleRate: Int
  /// The four characters of the format.
  package let formatID: UInt32
  /// What the format says of itself in bits.
  package let flags: UInt32
  /// Frames in a packet.
  package let framesPerPacket: Int
  /// Channels.
  package let channelCount: Int
  /// The bytes of a sample; 0 of what is coded.
  package let bytesPerSample: Int

  /// Interleaved samples in single precision, as this package has them.
  package init(samplesFor configuration: SystemEncoderConfiguration) {
    sampleRate = configuration.sampleRate
    formatID = FourCharacterCode("l", "p", "c", "m").rawValue
    // Floating point, and no gaps between samples.
    flags = 1 | 8
    framesPerPacket = 1
    channelCount = configuration.channelCount
    bytesPerSample = 4
  }

  /// What a configuration asks for.
  ///
  /// The flags of AAC could hold an object type; with the format's four characters they need not, and
  /// encoders expect 0.
  package init(codedFor configuration: SystemEncoderConfiguration) {
    sampleRate = configuration.sampleRate
    formatID = configuration.profile.formatID.rawValue
    flags = 0
    framesPerPacket = configuration.profile.samplesPerUnit
    channelCount = configuration.channelCount
    bytesPerSample = 0
  }

  /// The bytes of a frame of samples; 0 of what is coded.
  package var bytesPerFrame: Int { bytesPerSample * channelCount }
}

extension SystemEncoderConfiguration.Profile {
  /// The four characters of the format.
  var formatID: FourCharacterCode {
    switch self {
    case .lowComplexity: FourCharacterCode("a", "a", "c", " ")
    case .highEfficiency: FourCharacterCode("a", "a", "c", "h")
    case .highEfficiencyV2: FourCharacterCode("a", "a", "c", "p")
    case .lowDelay: FourCharacterCode("a", "a", "c", "l")
    case .enhancedLowDelay: FourCharacterCode("a", "a", "c", "e")
    }
  }

  /// Samples of the sound for each packet.
  var samplesPerUnit: Int {
    switch self {
    case .lowComplexity: 1024
    case .highEfficiency, .highEfficiencyV2: 2048
    case .lowDelay, .enhancedLowDelay: 512
    }
  }

  /// The kind of the core in the decoder's configuration.
  var objectType: UInt8 {
    switch self {
    case .lowComplexity, .highEfficiency, .highEfficiencyV2: 2
    case .lowDelay: 23
    case .enhancedLowDelay: 39
    }
  }
}
