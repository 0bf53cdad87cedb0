/// A converter of the system.
///
/// Calls must not overlap.
///
/// The order of the calls: properties are written, then read, then packets are made from one supply
/// until it has ended. Releasing the object disposes of the converter.
package protocol SystemConverter: AnyObject {
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
package enum ConverterPacket: Equatable, Sendable {
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
  package init(
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
