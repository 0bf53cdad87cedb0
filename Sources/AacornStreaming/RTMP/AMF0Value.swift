/// A value in an RTMP command, in Action Message Format 0.
enum AMF0Value: Equatable, Sendable {
  case number(Double)
  case boolean(Bool)
  case string(String)
  case object([AMF0Property])
  case null
  case undefined
  case ecmaArray([AMF0Property])
  case strictArray([AMF0Value])
  /// Milliseconds since 1970.
  ///
  /// The time zone is reserved and always 0 (AMF 0, 2.13).
  case date(Double)

  /// The type byte that precedes a value (AMF 0, 2.1).
  enum Marker {
    static let number: UInt8 = 0x00
    static let boolean: UInt8 = 0x01
    static let string: UInt8 = 0x02
    static let object: UInt8 = 0x03
    static let null: UInt8 = 0x05
    static let undefined: UInt8 = 0x06
    static let ecmaArray: UInt8 = 0x08
    static let objectEnd: UInt8 = 0x09
    static let strictArray: UInt8 = 0x0A
    static let date: UInt8 = 0x0B
    static let longString: UInt8 = 0x0C
    static let unsupported: UInt8 = 0x0D
    static let xmlDocument: UInt8 = 0x0F
    static let typedObject: UInt8 = 0x10
  }
}

/// A name and its value in an object.
struct AMF0Property: Equatable, Sendable {
  var name: String
  var value: AMF0Value

  init(_ name: String, _ value: AMF0Value) {
    self.name = name
    self.value = value
  }
}

extension AMF0Value {
  /// The number; nil for other types.
  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The text; nil for other types.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// Accesses a property of an object or an associative array.
  subscript(name: String) -> AMF0Value? {
    switch self {
    case .object(let properties), .ecmaArray(let properties):
      properties.first { $0.name == name }?.value
    default: nil
    }
  }

  /// Returns the concatenated bytes of values.
  static func bytes(_ values: [AMF0Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { value.write(to: &bytes) }
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .number(let number):
      bytes.append(Marker.number)
      bytes.append(bigEndian: number.bitPattern)
    case .boolean(let flag): bytes += [Marker.boolean, flag ? 1 : 0]
    case .string(let text):
      let characters = Array(text.utf8)
      if characters.count <= 0xFFFF {
        bytes.append(Marker.string)
        bytes.append(bigEndian: UInt16(characters.count))
      } else {
        bytes.append(Marker.longString)
        bytes.append(bigEndian: UInt32(clamping: characters.count))
      }
      bytes += characters
    case .object(let properties):
      bytes.append(Marker.object)
      Self.write(properties, to: &bytes)
    case .null: bytes.append(Marker.null)
    case .undefined: bytes.append(Marker.undefined)
    case .ecmaArray(let properties):
      bytes.append(Marker.ecmaArray)
      bytes.append(bigEndian: UInt32(clamping: properties.count))
      Self.write(properties, to: &bytes)
    case .strictArray(let values):
      bytes.append(Marker.strictArray)
      bytes.append(bigEndian: UInt32(clamping: values.count))
      for value in values { value.write(to: &bytes) }
    case .date(let milliseconds):
      bytes.append(Marker.date)
      bytes.append(bigEndian: milliseconds.bitPattern)
      bytes += [0, 0]
    }
  }

  /// Writes names without a marker, each followed by its value.
  ///
  /// An empty name and the end marker end the list (AMF 0, 2.5).
  private static func write(_ properties: [AMF0Property], to bytes: inout [UInt8]) {
    for property in properties {
      let name = property.name.utf8.prefix(0xFFFF)
      bytes.append(bigEndian: UInt16(name.count))
      bytes += name
      property.value.write(to: &bytes)
    }
    bytes += [0, 0, Marker.objectEnd]
  }
}

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
