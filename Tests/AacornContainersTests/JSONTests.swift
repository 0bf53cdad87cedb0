import AacornContainers
import Testing

struct JSONTests {
  @Test func reservedAndUnseenCharactersAreEscaped() {
    let value = JSONValue.text("a\"b\\c\n\t\u{1}\u{7F}é😀")
    #expect(value.encoded == #""a\"b\\c\n\t\u0001\u007fé😀""#)
    let ranges: [ClosedRange<UInt32>] = [
      0x80...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069,
    ]
    for number in ranges.joined() {
      let text = Unicode.Scalar(number).map { String(Character($0)) } ?? ""
      let digits = String(number, radix: 16)
      let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      #expect(JSONValue.text(text).encoded == "\"\(escape)\"")
      #expect(JSONReader.value(Array("\"\(escape)\"".utf8)[...])?.text == text)
    }
    for text in ["\u{A0}", "\u{61B}", "\u{61D}", "\u{200D}", "\u{2065}", "\u{10FFFF}"] {
      #expect(JSONValue.text(text).encoded == "\"\(text)\"")
    }
  }

  @Test func membersKeepTheirOrder() {
    let value: JSONValue = [
      "z": .integer(-1), "a": .list([.null, .flag(true), .decimal(0.5, 3)]), "m": [:],
      "n": .decimal(.infinity, 1),
    ]
    #expect(value.encoded == #"{"z":-1,"a":[null,true,0.500],"m":{},"n":null}"#)
  }

  static let decimals: [(Double, Int, String)] = [
    (0, 2, "0.00"), (-0.004, 2, "0.00"), (-0.005, 2, "-0.01"), (0.9996, 3, "1.000"),
    (2.5, 0, "3"), (-2.5, 0, "-3"), (0.499_999_999_999_999_94, 0, "0"),
    (999_999_999_999_999, 6, "999999999999999.000000"), (1e15, 6, "null"), (.nan, 1, "null"),
    (1.05, 2, "1.05"), (12.034, 3, "12.034"),
  ]

  @Test(arguments: decimals)
  func decimalsAreRounded(value: Double, decimals: Int, text: String) {
    #expect(JSONValue.decimal(value, decimals).encoded == text)
  }

  static let texts: [(String, String)] = [
    ("[]", "[]"), (" { } ", "{}"), ("[1,-2 , 3e2,0.5]", "[1,-2,300.000000,0.500000]"),
    (#"{"a":"\u00e4\ud83c\udfb5\ud83c\"\\\/\n"}"#, #"{"a":"ä🎵�\"\\/\n"}"#),
    ("[true,false,null]", "[true,false,null]"), ("99999999999999999999", "null"),
    ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775808", "null"),
    ("1e400", "null"), ("0e999999999999999999999", "0.000000"), ("-25E-1", "-2.500000"),
    ("1234567890123456789012345e-15", "1234567890.123457"),
    ("0.000000000000000000000000000001e+30", "1.000000"), ("1e-400", "0.000000"),
  ]

  @Test(arguments: texts)
  func jsonIsRead(text: String, encoded: String) {
    #expect(JSONReader.value(Array(text.utf8)[...])?.encoded == encoded)
  }

  @Test(arguments: [0.1, 0.3, 1.85, 123.456, 1e-7, 22.05, 1e22])
  func aShortNumberIsReadExactly(number: Double) {
    #expect(JSONReader.value(Array("\(number)".utf8)[...])?.number == number)
  }

  static let wrongTexts: [String] = [
    "", "[", "[1", "[1,]", #"{"a"}"#, #"{"a":}"#, "{a:1}", "\"", "\"\\", "\"\\u12", "\"\\u+123\"",
    "tru",
    "+1", ".5", "inf", "nan", "0x10", "1 2", "[1}", "\"\u{1}\"", "-", "1e", "1e+", "1-2",
    "1.2.3",
    String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
  ]

  @Test(arguments: wrongTexts)
  func invalidJSONIsRejected(text: String) {
    #expect(JSONReader.value(Array(text.utf8)[...]) == nil)
  }

  @Test(arguments: ["[", #"{"a":"#])
  func deepNestingIsRejected(text: String) {
    let deep = Array(String(repeating: text, count: 100_000).utf8)
    #expect(JSONReader.value(deep[...]) == nil)
  }

  static let cases: [(String, [String])] = [
    ("[]", []), ("  [ ]  ", []), ("[1]", ["1"]), ("\n[ 1 , 2 ]\n", ["1", "2"]),
    (#"[{"a":[1,2],"b":"],"},"\"]",[[]]]"#, [#"{"a":[1,2],"b":"],"}"#, #""\"]""#, "[[]]"]),
    (#"["a \\", " b "]"#, [#""a \\""#, #"" b ""#]),
    // Text after the array is ignored.
    ("[1,2],3", ["1", "2"]),
    // A truncated array.
    (#"[{"a":1},{"b":2"#, [#"{"a":1}"#]), ("[1,2", ["1"]), (#"[1,"a]"#, ["1"]), ("[", []),
    ("", []), ("{}", []), ("1,2", []), ("x[1]", []), ("]", []), ("}[1]", []), ("{[1]}", []),
  ]

  private func elements(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return JSONReader.elements(of: bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  @Test(arguments: cases)
  func jsonArraysAreSplitIntoElements(text: String, expected: [String]) {
    #expect(elements(text) == expected)
  }

  @Test func deepNestingOfAnArrayDoesNotCrash() {
    let text = "[" + String(repeating: "[", count: 100_000) + "]"
    #expect(elements(text) == [])
  }

  @Test func aSliceKeepsItsIndices() {
    let bytes = Array("xx[10,20]".utf8)
    #expect(JSONReader.elements(of: bytes[2...]) == [3..<5, 6..<8])
  }
}
