/// A number that is four characters, as headers write it.
func fourCharacters(_ text: StaticString) -> UInt32 {
  text.withUTF8Buffer { bytes in
    precondition(bytes.count == 4)
    return unsafe bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// The same as a result of a call.
func status(_ text: StaticString) -> Int32 { Int32(bitPattern: fourCharacters(text)) }
