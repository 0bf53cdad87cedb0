import AacornContainers
package import AacornSystem

/// Properties of an MP4 file, read from its tables.
package struct MovieSummary {
  /// Whether the audio is lossless (ALAC), which cannot be decoded.
  package let isLossless: Bool

  /// Reads the tables; nil if the file cannot be read.
  package init?(_ path: String, _ interruption: Interruption) {
    guard let file = try? InputFile(path, interruption: interruption), let size = file.size else {
      return nil
    }
    var reader = MP4Reader(byteCount: UInt64(size))
    while case .need(let offset, let count) = reader.step() {
      guard let bytes = try? file.bytes(at: Int(clamping: offset), count: count) else {
        return nil
      }
      reader.supply(bytes)
    }
    isLossless =
      reader.audioError == .unsupportedCodec(.sampleEntry(FourCharacterCode("a", "l", "a", "c")))
  }
}
