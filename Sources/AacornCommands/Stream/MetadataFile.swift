import AacornStreaming
import AacornSystem

/// A file whose first line says what is being played; other programs change it.
struct MetadataFile: Sendable {
  let path: String

  /// More than a line of text is not looked at.
  private static let longest = 4096

  init(_ path: String) {
    self.path = path
  }

  /// What the file says now; nil if it cannot be read.
  func read() -> LiveMetadata? {
    // A named pipe, which would be read empty, is none.
    guard (try? System.status(of: path))?.kind == .file,
      let file = try? System.open(path, for: .reading, waits: false)
    else { return nil }
    defer { try? System.close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    guard let count = try? System.read(file, into: &bytes, at: 0) else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return Self.metadata(in: text.prefix { !$0.isNewline })
  }

  /// `Artist - Title`, or a title alone.
  static func metadata(in line: some StringProtocol) -> LiveMetadata {
    // A mark that some editors put at the start.
    let line = String(line).replacing("\u{FEFF}", with: "")
    let text = trimmed(line[...])
    guard let dash = text.firstRange(of: " - ") else {
      return LiveMetadata(title: text.isEmpty ? nil : String(text))
    }
    let artist = trimmed(text[..<dash.lowerBound])
    let title = trimmed(text[dash.upperBound...])
    return LiveMetadata(
      title: title.isEmpty ? nil : String(title), artist: artist.isEmpty ? nil : String(artist))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
