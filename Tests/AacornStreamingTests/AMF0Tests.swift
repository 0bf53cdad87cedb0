import TestSignals
import Testing

@testable import AacornStreaming

@Suite struct AMF0Tests {
  @Test func valuesHaveTheBytesOfTheFormat() {
    #expect(AMF0Value.bytes([.number(1)]) == [0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
    #expect(AMF0Value.bytes([.boolean(true), .boolean(false)]) == [1, 1, 1, 0])
    #expect(AMF0Value.bytes([.string("live")]) == [2, 0, 4] + Array("live".utf8))
    #expect(AMF0Value.bytes([.null, .undefined]) == [5, 6])
    let properties = [AMF0Property("a", .null), AMF0Property("bc", .boolean(true))]
    let body: [UInt8] = [0, 1, 0x61, 5, 0, 2, 0x62, 0x63, 1, 1, 0, 0, 9]
    #expect(AMF0Value.bytes([.object(properties)]) == [3] + body)
    #expect(AMF0Value.bytes([.ecmaArray(properties)]) == [8, 0, 0, 0, 2] + body)
    #expect(AMF0Value.bytes([.strictArray([.null, .null])]) == [10, 0, 0, 0, 2, 5, 5])
    #expect(AMF0Value.bytes([.date(-1)]) == [11, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func longTextHasOwnMarker() throws {
    let text = String(repeating: "ä", count: 40_000)
    let bytes = AMF0Value.bytes([.string(text)])
    #expect(bytes.starts(with: [12, 0, 1, 0x38, 0x80]))
    #expect(try AMF0Reader.values(in: bytes) == [.string(text)])
  }

  @Test func randomValuesRoundTrip() throws {
    var random = SeededNumbers(seed: 1)
    for _ in 0..<2000 {
      let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Self.value(depth: 0, &random)
      }
      #expect(try AMF0Reader.values(in: AMF0Value.bytes(values)) == values)
    }
  }

  private static func value(depth: Int, _ random: inout SeededNumbers) -> AMF0Value {
    switch Int.random(in: 0...(depth < 5 ? 8 : 5), using: &random) {
    case 0: return .number(Double.random(in: -1e9...1e9, using: &random))
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .string(text(&random))
    case 3: return .null
    case 4: return .undefined
    case 5: return .date(Double.random(in: 0...2e12, using: &random))
    case 6: return .object(properties(depth: depth, &random))
    case 7: return .ecmaArray(properties(depth: depth, &random))
    default:
      return .strictArray(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth + 1, &random) })
    }
  }

  private static func properties(depth: Int, _ random: inout SeededNumbers) -> [AMF0Property] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      AMF0Property("p" + text(&random), value(depth: depth + 1, &random))
    }
  }

  private static func text(_ random: inout SeededNumbers) -> String {
    String(
      (0..<Int.random(in: 0...20, using: &random)).map { _ in
        "aé東🎵 \0".randomElement(using: &random) ?? "x"
      })
  }

  @Test func lessCommonValueTypesAreRead() throws {
    // An XML document is encoded like a long text, and a typed object like an object after a name.
    #expect(try AMF0Reader.values(in: [15, 0, 0, 0, 1, 0x61]) == [.string("a")])
    #expect(
      try AMF0Reader.values(in: [16, 0, 1, 0x54, 0, 1, 0x61, 5, 0, 0, 9])
        == [.object([AMF0Property("a", .null)])])
    // The count of an associative array may be wrong.
    #expect(
      try AMF0Reader.values(in: [8, 0, 0, 0, 0, 0, 1, 0x61, 5, 0, 0, 9])
        == [.ecmaArray([AMF0Property("a", .null)])])
  }

  @Test(
    arguments: [
      [0, 1, 2], [1], [2, 0, 5, 0x61], [3, 0, 1, 0x61], [3, 0, 0, 5], [8, 0, 0], [12, 0xFF, 0xFF],
      [10, 0xFF, 0xFF, 0xFF, 0xFF, 5], [7, 0, 0], [17, 1], [0x80], [3], [11, 0, 0],
    ] as [[UInt8]])
  func truncatedOrUnknownValueThrows(_ bytes: [UInt8]) {
    #expect(throws: RTMPFault.self) { try AMF0Reader.values(in: bytes) }
  }

  @Test func depthAndCountHaveBounds() throws {
    let nested: [UInt8] = [10, 0, 0, 0, 1]
    let deep = [[UInt8]](repeating: nested, count: 100_000).flatMap(\.self)
    #expect(throws: RTMPFault("values are nested too deeply")) {
      try AMF0Reader.values(in: deep)
    }
    #expect(throws: RTMPFault("a message has too many values")) {
      try AMF0Reader.values(in: [UInt8](repeating: 5, count: 1 << 20))
    }
    let allowed = [[UInt8]](repeating: nested, count: 15).flatMap(\.self) + [5]
    #expect(try AMF0Reader.values(in: allowed).count == 1)
  }
}
