/// Case-insensitive tag names in ASCII.
enum TagNames {
  /// Returns whether two names are equal except for the case of ASCII letters.
  static func isSame(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8>) -> Bool {
    first.elementsEqual(second) { uppercasedByte($0) == uppercasedByte($1) }
  }

  /// Returns a name in ASCII capitals.
  static func uppercased(_ name: some Sequence<UInt8>) -> [UInt8] { name.map(uppercasedByte) }

  /// Returns whether a tag describes the previous encoding, so it must not be copied to a new file.
  static func describesEncoding(_ name: [UInt8]) -> Bool {
    // A quick check of the first letter excludes most names.
    guard let first = name.first, "ACEILMTWV".utf8.contains(uppercasedByte(first)) else {
      return false
    }
    return ofEncoding.contains { isSame($0.utf8, name) }
  }

  private static let ofEncoding = [
    "ENCODER", "ENCODED-BY", "ENCODED BY", "ENCODED_BY", "ENCODEDBY", "ENCODER OPTIONS",
    "ENCODER_OPTIONS", "ENCODER SETTINGS", "ENCODERSETTINGS", "ENCODER_SETTINGS", "ENCODING",
    "ENCODING PARAMS", "ENCODING SETTINGS", "ENCODINGTIME", "ENCODING_TIME", "TSSE", "TENC", "TDEN",
    "TLEN", "LENGTH", "TSIZ", "TFLT", "TDLY", "ITUNSMPB", "ITUNNORM", "ITUNPGAP",
    "MP3GAIN_MINMAX", "MP3GAIN_ALBUM_MINMAX", "MP3GAIN_UNDO",
    "WAVEFORMATEXTENSIBLE_CHANNEL_MASK", "VENDOR",
  ]

  private static func uppercasedByte(_ byte: UInt8) -> UInt8 {
    (0x61...0x7A).contains(byte) ? byte & 0xDF : byte
  }
}
