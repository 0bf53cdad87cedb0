/// Reads Action Message Format 0 values from untrusted bytes.
struct AMF0Reader {
  /// The maximum nesting depth of values, so that hostile messages cannot exhaust the stack.
  static let depthLimit = 16
  /// The maximum number of values in a message.
  ///
  /// Commands have about a dozen.
  static let countLimit = 10_000

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0

  /// Creates a reader that starts at the first of `bytes`.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns all values in `bytes`.
  static func values(in bytes: [UInt8]) throws(RTMPFault) -> [AMF0Value] {
    var reader = AMF0Reader(bytes)
    var values: [AMF0Value] = []
    while !reader.isAtEnd { values.append(try reader.next()) }
    return values
  }

  /// Whether the reader has reached the end.
  var isAtEnd: Bool { position == bytes.count }

  /// Returns the next value, which must exist.
  mutating func next() throws(RTMPFault) -> AMF0Value { try value(depth: 0) }

  private mutating func value(depth: Int) throws(RTMPFault) -> AMF0Value {
    guard depth < Self.depthLimit else { throw RTMPFault("values are nested too deeply") }
    count += 1
    guard count <= Self.countLimit else { throw RTMPFault("a message has too many values") }
    let marker = UInt8(try number(1))
    switch marker {
    case AMF0Value.Marker.number: return .number(Double(bitPattern: try number(8)))
    case AMF0Value.Marker.boolean: return .boolean(try number(1) != 0)
    case AMF0Value.Marker.string: return .string(try text(Int(try number(2))))
    case AMF0Value.Marker.longString, AMF0Value.Marker.xmlDocument:
      return .string(try text(Int(try number(4))))
    case AMF0Value.Marker.object: return .object(try properties(depth))
    case AMF0Value.Marker.typedObject:
      _ = try text(Int(try number(2)))
      return .object(try properties(depth))
    case AMF0Value.Marker.null: return .null
    case AMF0Value.Marker.undefined, AMF0Value.Marker.unsupported: return .undefined
    case AMF0Value.Marker.ecmaArray:
      // The count is only a hint: the end marker determines the end (AMF 0, 2.10).
      _ = try number(4)
      return .ecmaArray(try properties(depth))
    case AMF0Value.Marker.strictArray:
      // Every value has at least one byte, so a false count fails at the end of the bytes.
      var values: [AMF0Value] = []
      for _ in 0..<(try number(4)) { values.append(try value(depth: depth + 1)) }
      return .strictArray(values)
    case AMF0Value.Marker.date:
      let milliseconds = Double(bitPattern: try number(8))
      _ = try number(2)
      return .date(milliseconds)
    default: throw RTMPFault("a value is of the unknown type \(marker)")
    }
  }

  private mutating func properties(_ depth: Int) throws(RTMPFault) -> [AMF0Property] {
    var properties: [AMF0Property] = []
    while true {
      let name = try text(Int(try number(2)))
      if name.isEmpty {
        guard try number(1) == AMF0Value.Marker.objectEnd else {
          throw RTMPFault("a property has no name")
        }
        return properties
      }
      properties.append(AMF0Property(name, try value(depth: depth + 1)))
    }
  }

  private mutating func number(_ byteCount: Int) throws(RTMPFault) -> UInt64 {
    guard bytes.count - position >= byteCount else { throw RTMPFault("a value is cut off") }
    defer { position += byteCount }
    return bytes.bigEndian(at: position, byteCount: byteCount)
  }

  private mutating func text(_ byteCount: Int) throws(RTMPFault) -> String {
    guard bytes.count - position >= byteCount else { throw RTMPFault("a string is cut off") }
    defer { position += byteCount }
    return String(decoding: bytes[position..<position + byteCount], as: UTF8.self)
  }
}
