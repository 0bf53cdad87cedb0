/// One coded frame of a file.
public struct CodedUnit: Equatable, Sendable {
  /// The raw_data_block, byte-aligned; other bytes may follow it.
  public var bytes: [UInt8]
  /// Where it is in the file, or the frame that holds it and possibly others.
  public var offset: UInt64
  /// The units before it, counting those that are missing where the file tells of them.
  public var index: Int

  /// A unit.
  public init(bytes: [UInt8], offset: UInt64, index: Int) {
    self.bytes = bytes
    self.offset = offset
    self.index = index
  }
}
