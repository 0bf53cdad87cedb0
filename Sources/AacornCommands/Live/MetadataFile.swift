import AacornStreaming
import AacornSystem

/// A file with the current title in its first line, which other programs update.
struct MetadataFile: Sendable {
  let path: String

  /// The maximum number of bytes to read.
  private static let maxByteCount = 4096

  init(_ path: String) {
    self.path = path
  }

  /// Returns the current content, or nil if the file cannot be read.
  func read() -> LiveMetadata? {
    // Do not read a named pipe: reading would consume its content.
    guard (try? System.status(of: path))?.kind == .file,
      let file = try? System.open(path, for: .reading, waits: false)
    else { return nil }
    defer { try? System.close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.maxByteCount)
    guard let count = try? System.read(file, into: &bytes, at: 0) else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return Self.metadata(in: text.prefix { !$0.isNewline })
  }

  /// Parses `Artist - Title`, or a title alone.
  static func metadata(in line: some StringProtocol) -> LiveMetadata {
    // Remove a byte order mark, which some editors insert.
    let text = String(line).replacing("\u{FEFF}", with: "").trimmed
    guard let dash = text.firstRange(of: " - ") else {
      return LiveMetadata(title: text.isEmpty ? nil : text)
    }
    let artist = text[..<dash.lowerBound].trimmed
    let title = text[dash.upperBound...].trimmed
    return LiveMetadata(
      title: title.isEmpty ? nil : title, artist: artist.isEmpty ? nil : artist)
  }
}
