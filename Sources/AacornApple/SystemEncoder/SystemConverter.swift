import AacornCodec
import AacornContainers

/// A converter of the system.
///
/// Calls must not overlap.
///
/// The order of the calls: properties are written, then read, then packets are made from one supply
/// until it has ended. Releasing the object disposes of the converter.
protocol SystemConverter: AnyObject {
  /// Returns the value of a property.
  func read(_ property: FourCharacterCode) throws(ConverterStatus) -> [UInt8]

  /// Sets a property.
  func write(_ bytes: [UInt8], to property: FourCharacterCode) throws(ConverterStatus)

  /// Makes one packet of at most `byteCapacity` bytes from the frames that it fetches.
  func makePacket(
    of supply: ConverterSupply, byteCapacity: Int
  ) throws(ConverterStatus) -> ConverterPacket
}

/// The result of a request for a packet.
enum ConverterPacket: Equatable, Sendable {
  /// A packet's bytes.
  case bytes([UInt8])
  /// More samples are needed.
  case nothing
  /// The stream has ended.
  case end

  /// Creates the result of a call from its status, the number of packets, and the position of the
  /// packet in a memory area.
  ///
  /// The converter can finish a packet even if its supply is empty, so both are handled together.
  init(
    status: Int32, packetCount: UInt32, area: [UInt8], offset: Int64, byteCount: UInt32
  ) throws(ConverterStatus) {
    let isStarved = status == ConverterStatus.starved.code
    guard status == 0 || isStarved else { throw ConverterStatus(status) }
    if packetCount == 0 || byteCount == 0 {
      self = isStarved ? .nothing : .end
      return
    }
    guard offset >= 0, offset <= Int64(area.count), Int64(byteCount) <= Int64(area.count) - offset
    else { throw .misplacedPacket }
    let start = Int(offset)
    self = .bytes(Array(area[start..<start + Int(byteCount)]))
  }
}

/// A failure status of a converter call.
struct ConverterStatus: Error, Equatable, Sendable {
  /// The `OSStatus`.
  let code: Int32

  init(_ code: Int32) {
    self.code = code
  }

  /// The status that our callback returns when no samples are available yet.
  ///
  /// The call that requested a packet then returns this status. Zero samples without an error would
  /// end the audio.
  static var starved: ConverterStatus {
    ConverterStatus(FourCharacterCode("m", "o", "r", "e"))
  }

  /// The status for a packet outside the output buffer: an invalid parameter.
  static var misplacedPacket: ConverterStatus { ConverterStatus(-50) }

  private init(_ name: FourCharacterCode) {
    code = Int32(bitPattern: name.rawValue)
  }

  var isUnknownProperty: Bool {
    self == ConverterStatus(FourCharacterCode("p", "r", "o", "p"))
      || self == ConverterStatus(FourCharacterCode("w", "h", "o", "?"))
  }

  func error(
    in call: AACBackEndError.Call, _ configuration: SystemEncoderConfiguration
  ) -> AACBackEndError {
    switch FourCharacterCode(rawValue: UInt32(bitPattern: code)) {
    case FourCharacterCode("f", "m", "t", "?"), FourCharacterCode("!", "d", "a", "t"):
      .unsupportedFormat
    case FourCharacterCode("!", "i", "s", "r"), FourCharacterCode("!", "o", "s", "r"):
      .unsupportedSampleRate(configuration.sampleRate)
    case FourCharacterCode("h", "w", "i", "u"): .hardwareInUse
    case FourCharacterCode("p", "e", "r", "m"): .noHardwarePermission
    default: .call(call, status: code)
    }
  }
}
