/// Splits a JSON array without parsing its elements.
///
/// MP4 files store gap entries in such an array. The recorder defines their content.
public enum JSONArray {
  /// Returns the ranges of an array's elements in a text; empty if the text is not an array.
  ///
  /// If the text is truncated, returns the elements before the last comma.
  ///
  /// Only brackets, commas and quotation marks matter, so the time is linear in the length of the
  /// text. Nesting is counted without recursion, so deep nesting cannot overflow the stack.
  public static func elements(of text: ArraySlice<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    // The first and last bytes of an element that are not whitespace.
    var first: Int?
    var last = 0
    for index in text.indices {
      let byte = text[index]
      let isBlank = byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
      var isOutside = false
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          isOutside = depth == 1
          if isOutside && byte != UInt8(ascii: "[") { return [] }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          depth -= 1
          isOutside = depth == 0
        case UInt8(ascii: ","): isOutside = depth == 1
        default: break
        }
      }
      // Only whitespace may precede the array.
      if depth == 0 && !isOutside && !isBlank { return [] }
      if isOutside {
        if let start = first { ranges.append(start..<last + 1) }
        first = nil
        if depth == 0 { return ranges }
      } else if !isBlank || isInString {
        if first == nil { first = index }
        last = index
      }
    }
    return ranges
  }
}
