public import AacornCodec
import AacornSoundFiles

/// Writes access units as ADTS frames, one unit per frame (ISO/IEC 14496-3, 1.A.2.2).
///
/// A frame is appended completely or not at all. A file written one append at a time can therefore
/// be cut off only between frames.
///
/// With channel configuration 0, a program config element specifies the layout. It is written
/// before every unit that does not begin with one, at a cost of about ten bytes per frame. Every
/// frame can then be decoded on its own, after joining a live stream late or seeking in a file. The
/// element ends on a byte boundary of the raw_data_block, so the unit follows unshifted.
public struct ADTSWriter: Sendable {
  /// The maximum length of a frame with its 13-bit length field, in bytes, including the header.
  public static let maxFrameByteCount = 0x1FFF

  /// The number of frames written.
  public private(set) var frameCount = 0

  private let template: UInt64
  private let hasChecksum: Bool
  private let fullness: BufferFullness
  /// The program config element preceded by its id, or empty.
  private let layout: [UInt8]

  /// Creates a writer for a stream; SBR stays implicit, since ADTS cannot signal it.
  public init(
    configuration: AudioSpecificConfig, version: ADTSHeader.Version = .mpeg4,
    hasChecksum: Bool = false
  ) throws(ContainerError) {
    let type = Int(configuration.objectType.rawValue)
    // MPEG-2 has no long term prediction; its fourth profile is reserved (13818-7, 8.1.2).
    guard type >= 1 && type <= (version == .mpeg2 ? 3 : 4) else {
      throw .unsupportedObjectType(type)
    }
    guard let frequency = SamplingFrequency(hertz: configuration.sampleRate) else {
      throw .unsupportedSampleRate(configuration.sampleRate)
    }
    guard configuration.frameLength == 1024 else {
      throw .unsupportedFrameLength(configuration.frameLength)
    }
    let channels = configuration.channelConfiguration
    if channels == 0, let program = configuration.programConfig, program.isEncodable {
      var writer = BitWriter()
      writer.put(UInt32(ElementKind.programConfig.rawValue), count: 3)
      program.write(to: &writer, origin: 0)
      layout = writer.bytes
    } else if ChannelConfiguration(rawValue: channels) != nil {
      layout = []
    } else {
      throw .unsupportedChannelConfiguration(channels)
    }
    self.hasChecksum = hasChecksum
    fullness = BufferFullness(configuration)
    template = ADTSHeader.template(
      version: version, hasChecksum: hasChecksum, objectType: configuration.objectType,
      samplingFrequency: frequency, channelConfiguration: channels)
  }

  /// Appends `unit` as one frame; on an error `bytes` is unchanged.
  ///
  /// A checksum requires the unit's `protectedRegions`. A unit read from another container has
  /// none, and regions that do not match the unit are rejected.
  public mutating func append(
    _ unit: AccessUnit, to bytes: inout [UInt8]
  ) throws(ContainerError) {
    let element = unit.bytes.first.map { $0 >> 5 }
    let needsLayout = element != ElementKind.programConfig.rawValue
    let layoutCount = needsLayout ? layout.count : 0
    let length = (hasChecksum ? 9 : 7) + layoutCount + unit.bytes.count
    guard length <= Self.maxFrameByteCount else {
      throw .frameTooLong(byteCount: length, limit: Self.maxFrameByteCount)
    }
    let code = fullness.code(reservoirBits: unit.reservoirBits, variableRate: 0x7FF)
    let header = template | UInt64(length) << 13 | UInt64(code) << 2
    let checksum = hasChecksum ? try checksum(header, unit, hasLayout: layoutCount > 0) : nil

    for shift in stride(from: 48, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: header >> UInt64(shift)))
    }
    if let checksum { bytes.append(big: checksum) }
    if needsLayout { bytes.append(contentsOf: layout) }
    bytes.append(contentsOf: unit.bytes)
    frameCount += 1
  }

  private func checksum(
    _ header: UInt64, _ unit: AccessUnit, hasLayout: Bool
  ) throws(ContainerError) -> UInt16 {
    // Every element except a fill element has protected bits, so an empty list means that they are
    // missing.
    if unit.protectedRegions.isEmpty, let first = unit.bytes.first,
      first >> 5 < ElementKind.fill.rawValue
    {
      throw .protectedRegionsMissing
    }
    var checksum = CRC16()
    checksum.add(header, count: 56)
    // The checksum covers all of a program config element except its id.
    if hasLayout { checksum.add(layout, from: 3, count: layout.count * 8 - 3) }
    for region in unit.protectedRegions {
      guard checksum.add(region, of: 0..<unit.bytes.count, in: unit.bytes) else {
        throw .protectedRegionsMissing
      }
    }
    return checksum.value
  }
}
