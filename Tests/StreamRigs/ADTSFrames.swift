/// The frames of a stream that has no other bytes than ADTS and ID3 tags.
package struct ADTSFrames {
  package private(set) var complete: [[UInt8]] = []
  package private(set) var rest: ArraySlice<UInt8>
  /// Whether the rest does not begin with a header.
  package private(set) var isDamaged = false

  /// Splits the bytes from an index on.
  package init(_ bytes: [UInt8], from start: Int = 0) {
    rest = bytes[start...]
    while rest.count >= 10 {
      let start = rest.startIndex
      let length: Int
      if rest.starts(with: Array("ID3".utf8)) {
        length = 10 + rest[start + 6..<start + 10].reduce(0) { $0 << 7 | Int($1) }
      } else if rest[start] == 0xFF && rest[start + 1] & 0xF6 == 0xF0 {
        length =
          Int(rest[start + 3] & 3) << 11 | Int(rest[start + 4]) << 3 | Int(rest[start + 5] >> 5)
        isDamaged = length < 7
        if isDamaged || rest.count < length { return }
        complete.append(Array(rest[start + 7..<start + length]))
      } else {
        isDamaged = true
        return
      }
      rest = rest.dropFirst(length)
    }
  }
}
