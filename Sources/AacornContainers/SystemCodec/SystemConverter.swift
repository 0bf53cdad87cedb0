/// A converter of the system's, one call of it at a time.
///
/// Calls come in this order: properties are told, then asked, then packets are made of one supply until
/// it has ended. A converter that is released is disposed of.
package protocol SystemConverter: AnyObject {
  /// What a property is.
  func read(_ property: FourCharacterCode) throws(ConverterStatus) -> [UInt8]

  /// Tells what a property is to be.
  func write(_ bytes: [UInt8], to property: FourCharacterCode) throws(ConverterStatus)

  /// Makes one packet, of at most so many bytes, of what it fetches.
  func makePacket(
    of supply: ConverterSupply, byteCapacity: Int
  ) throws(ConverterStatus) -> ConverterPacket
}

/// What a converter makes when it is asked for a packet.
package enum ConverterPacket: Equatable, Sendable {
  /// A packet's bytes.
  case bytes([UInt8])
  /// Nothing until more samples come.
  case nothing
  /// Nothing any more.
  case end

  /// What a call has made, by its status, the number of packets, and where in an area of memory the
  /// packet is.
  ///
  /// A packet may be finished by the samples before those that are missing.
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
