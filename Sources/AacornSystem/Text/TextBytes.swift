extension String {
  /// Creates the text of UTF-8 bytes; nil if they are not valid UTF-8.
  ///
  /// The standard library's initializer is available on Apple's systems only since iOS 18 and macOS
  /// 15.
  package init?(utf8 bytes: some Collection<UInt8>) {
    // Invalid bytes become U+FFFD, so that the bytes of the text differ from the input.
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
