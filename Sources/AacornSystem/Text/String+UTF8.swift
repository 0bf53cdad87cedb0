extension String {
  /// The text of bytes; nil if they are not valid UTF-8.
  ///
  /// The standard library's own way is there on Apple's systems from iOS 18 and macOS 15 on only.
  package init?(utf8 bytes: some Collection<UInt8>) {
    // What is not valid is replaced by U+FFFD, and no longer the same bytes.
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
