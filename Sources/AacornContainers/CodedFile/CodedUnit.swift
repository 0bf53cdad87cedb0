/// One coded frame of a file.
public struct CodedUnit: Equatable, Sendable {
  /// The raw_data_block, byte-aligned; other bytes may follow it.
  public var bytes: [UInt8]
  /// The offset in the file of the unit, or of the frame that contains it.
  public var offset: UInt64
  /// The number of preceding units, including missing ones if the file reveals them.
  public var index: Int

  /// Creates a unit.
  public init(bytes: [UInt8], offset: UInt64, index: Int) {
    self.bytes = bytes
    self.offset = offset
    self.index = index
  }
}
