import AacornCodec
import AacornContainers

/// The formats of a conversion and the encoders that may perform it.
struct ConverterOrder: Equatable, Sendable {
  /// An encoder, identified by the type, subtype and manufacturer of its component.
  struct CodecComponent: Equatable, Sendable {
    /// The component type: encoder.
    let type = FourCharacterCode("a", "e", "n", "c").rawValue
    /// The component subtype: the coded format.
    let subtype: UInt32
    /// The component manufacturer, which differs between hardware and software encoders.
    let manufacturer: UInt32
  }

  let source: ConverterFormat
  let target: ConverterFormat
  /// The permitted encoders; empty if the system may choose.
  let components: [CodecComponent]

  init(_ configuration: SystemEncoderConfiguration) {
    source = ConverterFormat(samplesFor: configuration)
    target = ConverterFormat(codedFor: configuration)
    let manufacturer: FourCharacterCode
    switch configuration.processing {
    case .any:
      components = []
      return
    case .hardware: manufacturer = FourCharacterCode("a", "p", "h", "w")
    case .software: manufacturer = FourCharacterCode("a", "p", "p", "l")
    }
    components = [CodecComponent(subtype: target.formatID, manufacturer: manufacturer.rawValue)]
  }
}

/// An audio format in the terms of Core Audio's stream descriptions.
struct ConverterFormat: Equatable, Sendable {
  /// Frames per second.
  let sampleRate: Int
  /// The format ID, four characters.
  let formatID: UInt32
  /// The format flags of Core Audio.
  let flags: UInt32
  let framesPerPacket: Int
  /// Channels per frame.
  let channelCount: Int
  /// Bytes per sample; 0 for a coded format.
  let bytesPerSample: Int

  /// Creates the format of this package's samples: interleaved, single precision.
  init(samplesFor configuration: SystemEncoderConfiguration) {
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
  /// The flags could hold an AAC object type, but the format ID already implies it.
  init(codedFor configuration: SystemEncoderConfiguration) {
    sampleRate = configuration.sampleRate
    formatID = configuration.profile.formatID.rawValue
    flags = 0
    framesPerPacket = configuration.profile.samplesPerUnit
    channelCount = configuration.channelCount
    bytesPerSample = 0
  }

  /// Bytes per frame of samples; 0 for a coded format.
  var bytesPerFrame: Int { bytesPerSample * channelCount }
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
