/// An audio format in the terms of Core Audio's stream descriptions.
package struct ConverterFormat: Equatable, Sendable {
  /// Frames per second.
  package let sampleRate: Int
  /// The format ID, four characters.
  package let formatID: UInt32
  /// The format flags of Core Audio.
  package let flags: UInt32
  /// Frames in a packet.
  package let framesPerPacket: Int
  /// Channels per frame.
  package let channelCount: Int
  /// Bytes per sample; 0 for a coded format.
  package let bytesPerSample: Int

  /// Creates the format of this package's samples: interleaved, single precision.
  package init(samplesFor configuration: SystemEncoderConfiguration) {
    sampleRate = configuration.sampleRate
    formatID = FourCharacterCode("l", "p", "c", "m").rawValue
    // Floating point (1) and packed, without gaps between samples (8).
    flags = 1 | 8
    framesPerPacket = 1
    channelCount = configuration.channelCount
    bytesPerSample = 4
  }

  /// Creates the coded format of a configuration.
  ///
  /// The flags are 0, because encoders expect no flags.
  ///
  /// They could hold an AAC object type, but the format ID already implies it.
  package init(codedFor configuration: SystemEncoderConfiguration) {
    sampleRate = configuration.sampleRate
    formatID = configuration.profile.formatID.rawValue
    flags = 0
    framesPerPacket = configuration.profile.samplesPerUnit
    channelCount = configuration.channelCount
    bytesPerSample = 0
  }

  /// Bytes per frame of samples; 0 for a coded format.
  package var bytesPerFrame: Int { bytesPerSample * channelCount }
}

extension SystemEncoderConfiguration.Profile {
  /// The format ID, four characters.
  var formatID: FourCharacterCode {
    switch self {
    case .lowComplexity: FourCharacterCode("a", "a", "c", " ")
    case .highEfficiency: FourCharacterCode("a", "a", "c", "h")
    case .highEfficiencyV2: FourCharacterCode("a", "a", "c", "p")
    case .lowDelay: FourCharacterCode("a", "a", "c", "l")
    case .enhancedLowDelay: FourCharacterCode("a", "a", "c", "e")
    }
  }

  /// Samples per packet, at the output rate.
  var samplesPerUnit: Int {
    switch self {
    case .lowComplexity: 1024
    case .highEfficiency, .highEfficiencyV2: 2048
    case .lowDelay, .enhancedLowDelay: 512
    }
  }

  /// The audio object type of the core codec.
  var objectType: UInt8 {
    switch self {
    case .lowComplexity, .highEfficiency, .highEfficiencyV2: 2
    case .lowDelay: 23
    case .enhancedLowDelay: 39
    }
  }
}
