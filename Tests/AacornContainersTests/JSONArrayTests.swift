import AacornContainers
import Testing

struct JSONArrayTests {
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
    return JSONArray.elements(of: bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  @Test(arguments: cases)
  func jsonArraysAreSplitIntoElements(text: String, expected: [String]) {
    #expect(elements(text) == expected)
  }

  @Test func deepNestingDoesNotCrash() {
    let text = "[" + String(repeating: "[", count: 100_000) + "]"
    #expect(elements(text) == [])
  }

  @Test func aSliceKeepsItsIndices() {
    let bytes = Array("xx[10,20]".utf8)
    #expect(JSONArray.elements(of: bytes[2...]) == [3..<5, 6..<8])
  }
}
