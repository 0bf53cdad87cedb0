/// Returns a four-character code, as written in headers.
func fourCharacters(_ text: StaticString) -> UInt32 {
  text.withUTF8Buffer { bytes in
    precondition(bytes.count == 4)
    return unsafe bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// Returns a four-character code as a result code.
func status(_ text: StaticString) -> Int32 { Int32(bitPattern: fourCharacters(text)) }
