import AacornSignal

/// The sample formats on the command line, named by type, bits and byte order.
enum RawFormat {
  private static let table: [(name: String, encoding: SampleFormat.Encoding)] = [
    ("s16le", .int16LittleEndian), ("s16be", .int16BigEndian), ("s24le", .int24LittleEndian),
    ("s24be", .int24BigEndian), ("s32le", .int32LittleEndian), ("s32be", .int32BigEndian),
    ("f32le", .float32LittleEndian), ("f32be", .float32BigEndian), ("f64le", .float64LittleEndian),
    ("f64be", .float64BigEndian), ("u8", .unsigned8), ("s8", .signed8), ("ulaw", .muLaw),
    ("alaw", .aLaw),
  ]

  static var names: [String] { table.map(\.name) }

  /// Returns the format with a name.
  static func named(_ name: String) -> SampleFormat? {
    table.first { $0.name == name }.map { SampleFormat($0.encoding) }
  }
}
