public import AacornCodec

/// Writes access units as LATM in LOAS frames (ISO/IEC 14496-3, 1.7.2, AudioSyncStream).
///
///     sync 0x2B7:11 | audioMuxLengthBytes:13 | AudioMuxElement, padded to whole bytes
///
/// Each frame has one program, one layer and one unit, with audioMuxVersion 0, as receivers expect.
/// By default, every eighth frame contains the configuration, so a receiver that joins late waits
/// at most eight frames.
public struct LATMWriter: Sendable {
  /// The maximum length of an AudioMuxElement with its 13-bit length field, in bytes.
  public static let maxElementByteCount = 0x1FFF

  /// The number of frames written.
  public private(set) var frameCount = 0

  private let configuration: AudioSpecificConfig
  private let configurationInterval: Int
  private let fullness: BufferFullness
  private var element = BitWriter()

  /// Creates a writer that sends the configuration in every `configurationInterval`-th frame.
  ///
  /// audioMuxVersion 0 does not contain the length of the configuration. Therefore, SBR can only be
  /// signaled hierarchically, or it stays implicit if the configuration specifies
  /// `backwardCompatible`.
  public init(
    configuration: AudioSpecificConfig, configurationInterval: Int = 8
  ) throws(ContainerError) {
    let type = Int(configuration.objectType.rawValue)
    guard (1...4).contains(type) else { throw .unsupportedObjectType(type) }
    for rate in [configuration.sampleRate, configuration.outputSampleRate] {
      guard (1...0xFF_FFFF).contains(rate) else { throw .unsupportedSampleRate(rate) }
    }
    guard configuration.frameLength == 1024 || configuration.frameLength == 960 else {
      throw .unsupportedFrameLength(configuration.frameLength)
    }
    let channels = configuration.channelConfiguration
    let isKnown =
      channels == 0
      ? configuration.programConfig?.isEncodable ?? false
      : (1...15).contains(channels) && configuration.channelCount > 0
    guard isKnown else { throw .unsupportedChannelConfiguration(channels) }
    self.configuration = configuration
    self.configurationInterval = max(1, configurationInterval)
    fullness = BufferFullness(configuration)
  }

  /// Appends `unit` as one frame; on an error `bytes` is unchanged.
  public mutating func append(
    _ unit: AccessUnit, to bytes: inout [UInt8]
  ) throws(ContainerError) {
    guard unit.bytes.count <= Self.maxElementByteCount else {
      throw .frameTooLong(byteCount: unit.bytes.count, limit: Self.maxElementByteCount)
    }
    element.removeAll()
    putConfiguration(reservoirBits: unit.reservoirBits)
    putPayload(unit.bytes)
    let length = (element.bitCount + 7) / 8
    guard length <= Self.maxElementByteCount else {
      throw .frameTooLong(byteCount: length, limit: Self.maxElementByteCount)
    }
    bytes.append(0x56)
    bytes.append(0xE0 | UInt8(truncatingIfNeeded: length >> 8))
    bytes.append(UInt8(truncatingIfNeeded: length))
    element.append(to: &bytes)
    frameCount += 1
  }

  private mutating func putConfiguration(reservoirBits: Int?) {
    let usesSameStreamMux = frameCount % configurationInterval != 0
    element.put(usesSameStreamMux ? 1 : 0, count: 1)
    if usesSameStreamMux { return }
    element.put(0, count: 1)  // audioMuxVersion
    element.put(1, count: 1)  // allStreamsSameTimeFraming
    element.put(0, count: 6)  // numSubFrames, minus one
    element.put(0, count: 4)  // numProgram, minus one
    element.put(0, count: 3)  // numLayer, minus one
    configuration.write(to: &element)
    element.put(0, count: 3)  // frameLengthType: every frame contains its length
    let code = fullness.code(reservoirBits: reservoirBits, variableRate: 0xFF)
    element.put(UInt32(code), count: 8)  // latmBufferFullness
    element.put(0, count: 1)  // otherDataPresent
    element.put(0, count: 1)  // crcCheckPresent
  }

  private mutating func putPayload(_ payload: [UInt8]) {
    // The length is the sum of bytes up to the first that is not 255.
    var length = payload.count
    while length >= 255 {
      element.put(255, count: 8)
      length -= 255
    }
    element.put(UInt32(length), count: 8)
    for byte in payload { element.put(UInt32(byte), count: 8) }
  }
}
