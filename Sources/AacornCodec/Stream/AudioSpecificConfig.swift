/// The configuration that a decoder needs before the first frame (ISO/IEC 14496-3, 1.6.2.1).
public struct AudioSpecificConfig: Equatable, Sendable {
  /// The signaling of SBR.
  public enum Signaling: Equatable, Sendable {
    /// No SBR, or SBR that is visible only in the payload: the bytes describe the core alone.
    case implicit
    /// The outer object type is SBR or PS; decoders without SBR cannot play the stream.
    case hierarchical
    /// A sync extension after the core's configuration; decoders without SBR play the core.
    case backwardCompatible
  }

  /// The core's object type.
  public var objectType: AudioObjectType
  /// The core's sampling rate in hertz.
  public var sampleRate: Int
  /// The number of the layout; 0 if `programConfig` has the layout.
  ///
  /// The standard layouts have 1…7, and later amendments higher numbers.
  public var channelConfiguration: Int
  /// Samples per frame: 1024 or 960; the low-delay types have half as many.
  public var frameLength: Int = 1024
  /// The channels when `channelConfiguration` is 0.
  public var programConfig: ProgramConfig?
  /// The output rate of SBR in hertz, if SBR is signaled or known from another source.
  public var extensionSampleRate: Int?
  /// Whether parametric stereo is signaled.
  public var hasParametricStereo = false
  /// The signaling of SBR.
  public var signaling: Signaling = .implicit

  /// Creates a configuration without SBR.
  public init(objectType: AudioObjectType, sampleRate: Int, channelConfiguration: Int) {
    self.objectType = objectType
    self.sampleRate = sampleRate
    self.channelConfiguration = channelConfiguration
  }

  /// Channels of the core; parametric stereo turns one into two.
  public var channelCount: Int {
    channelConfiguration == 0
      ? programConfig?.channelCount ?? 0 : NumberedLayout(channelConfiguration)?.channelCount ?? 0
  }

  /// Channels that count toward the decoder's buffer (14496-3, 4.5.3.1).
  ///
  /// The LFE does not count, but independently switched coupling channels do.
  public var bufferedChannelCount: Int {
    if channelConfiguration == 0, let programConfig {
      let independent = programConfig.coupling.count { $0.isPair }
      return programConfig.channelCount - programConfig.lowFrequency.count + independent
    }
    return NumberedLayout(channelConfiguration)?.bufferedChannelCount ?? 0
  }

  /// Samples per frame, with 512 or 480 for LD and ELD (14496-3, 4.4.1 and 4.4.1.1).
  package var samplesPerFrame: Int {
    objectType.rawValue == 23 || objectType.rawValue == 39 ? frameLength / 2 : frameLength
  }

  /// The sampling rate of the decoded audio in hertz: SBR's rate, if there is SBR.
  public var outputSampleRate: Int { extensionSampleRate ?? sampleRate }

  /// The overall profile: HE-AAC with SBR, HE-AAC v2 with PS, else the core's type.
  public var profile: AudioObjectType {
    if hasParametricStereo { return .parametricStereo }
    return extensionSampleRate == nil ? objectType : .spectralBandReplication
  }
}

extension AudioSpecificConfig {
  /// Parses a configuration; nil if it is truncated or invalid.
  public init?(parsing bytes: [UInt8]) {
    var reader = BitReader(bytes)
    self.init(reading: &reader)
    if reader.isOverrun { return nil }
    readSyncExtension(&reader)
  }

  /// Parses a configuration inside a larger structure, without the open-ended sync extension.
  public init?(reading reader: inout BitReader) {
    let origin = reader.position
    var type = Self.readObjectType(&reader)
    guard let rate = Self.readRate(&reader) else { return nil }
    let channels = reader.readInt(4)
    self.init(objectType: type, sampleRate: rate, channelConfiguration: channels)
    if type == .spectralBandReplication || type == .parametricStereo {
      hasParametricStereo = type == .parametricStereo
      signaling = .hierarchical
      guard let rate = Self.readRate(&reader) else { return nil }
      extensionSampleRate = rate
      type = Self.readObjectType(&reader)
      objectType = type
      if type.rawValue == 22 { reader.skip(4) }
    }
    // ELDSpecificConfig also begins with the flag of the frame length; its other fields are not
    // needed.
    if type.rawValue == 39 { frameLength = reader.readFlag() ? 960 : 1024 }
    guard Self.hasGeneralAudioConfig(type) else { return }
    frameLength = reader.readFlag() ? 960 : 1024
    if reader.readFlag() { reader.skip(14) }
    let hasExtension = reader.readFlag()
    if channels == 0 {
      guard let config = ProgramConfig(reading: &reader, origin: origin) else { return nil }
      programConfig = config
    }
    if type.rawValue == 6 || type.rawValue == 20 { reader.skip(3) }
    if hasExtension {
      if type.rawValue == 22 { reader.skip(16) }
      if [17, 19, 20, 23].contains(type.rawValue) { reader.skip(3) }
      reader.skip(1)
    }
    if type.rawValue >= 17 && type.rawValue <= 27 { reader.skip(2) }
    if reader.isOverrun { return nil }
  }

  /// The encoded configuration; numbers that do not fit are clamped.
  public var bytes: [UInt8] {
    var writer = BitWriter()
    write(to: &writer)
    if signaling == .backwardCompatible, let rate = extensionSampleRate {
      writer.put(0x2B7, count: 11)
      writer.put(UInt32(AudioObjectType.spectralBandReplication.rawValue), count: 5)
      writer.put(1, count: 1)
      Self.put(rate: rate, into: &writer)
      if hasParametricStereo {
        writer.put(0x548, count: 11)
        writer.put(1, count: 1)
      }
    }
    return writer.bytes
  }

  /// Writes the configuration without the sync extension, as LATM requires.
  public func write(to sink: inout some BitSink) {
    let origin = sink.bitCount
    if signaling == .hierarchical, let rate = extensionSampleRate {
      let outer: AudioObjectType =
        hasParametricStereo ? .parametricStereo : .spectralBandReplication
      Self.put(type: outer, into: &sink)
      Self.put(rate: sampleRate, into: &sink)
      sink.put(nearest: channelConfiguration, count: 4)
      Self.put(rate: rate, into: &sink)
      Self.put(type: objectType, into: &sink)
    } else {
      Self.put(type: objectType, into: &sink)
      Self.put(rate: sampleRate, into: &sink)
      sink.put(nearest: channelConfiguration, count: 4)
    }
    sink.put(frameLength == 960 ? 1 : 0, count: 1)
    sink.put(0, count: 2)
    if channelConfiguration == 0 {
      programConfig?.write(to: &sink, origin: origin)
    }
  }

  private mutating func readSyncExtension(_ reader: inout BitReader) {
    guard signaling == .implicit, reader.remaining >= 16, reader.peek(11) == 0x2B7 else { return }
    reader.skip(11)
    guard Self.readObjectType(&reader) == .spectralBandReplication, reader.readFlag(),
      let rate = Self.readRate(&reader)
    else { return }
    extensionSampleRate = rate
    signaling = .backwardCompatible
    if reader.remaining >= 12, reader.read(11) == 0x548 {
      hasParametricStereo = reader.readFlag()
    }
  }

  private static func hasGeneralAudioConfig(_ type: AudioObjectType) -> Bool {
    [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23].contains(type.rawValue)
  }

  private static func readObjectType(_ reader: inout BitReader) -> AudioObjectType {
    let type = reader.readInt(5)
    return AudioObjectType(rawValue: UInt8(type == 31 ? 32 + reader.readInt(6) : type))
  }

  private static func readRate(_ reader: inout BitReader) -> Int? {
    let index = reader.readInt(4)
    if index == 15 {
      let hertz = reader.readInt(24)
      return hertz > 0 ? hertz : nil
    }
    return SamplingFrequency(index: index)?.hertz
  }

  private static func put(type: AudioObjectType, into sink: inout some BitSink) {
    if type.rawValue >= 32 {
      sink.put(31, count: 5)
      sink.put(nearest: Int(type.rawValue) - 32, count: 6)
    } else {
      sink.put(UInt32(type.rawValue), count: 5)
    }
  }

  private static func put(rate: Int, into sink: inout some BitSink) {
    if let frequency = SamplingFrequency(hertz: rate) {
      sink.put(UInt32(frequency.index), count: 4)
    } else {
      sink.put(15, count: 4)
      sink.put(nearest: rate, count: 24)
    }
  }
}

extension AudioSpecificConfig {
  /// The distance, in units, between the units of this encoder at which decoding can begin.
  ///
  /// With band replication, decoding begins at a header. The encoder sends a header every
  /// `entryDistance` units, counted from its first unit.
  package var entryDistance: Int {
    guard let rate = extensionSampleRate else { return 1 }
    return SBRSettings.headerDistance(rate: rate)
  }

  /// Channels of the decoded sound.
  package var outputChannelCount: Int { hasParametricStereo ? 2 : channelCount }
}
