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
