/// A password or a stream key.
///
/// Printing, interpolating or dumping it reveals nothing; `text` must be read explicitly.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Removes secrets from text that comes from elsewhere: a server may repeat a stream key when it
/// refuses it.
package struct Redactor: Sendable {
  private let secrets: [String]

  /// Shorter ones would occur in ordinary words.
  private static let shortest = 4

  package init(_ secrets: [Secret]) {
    self.secrets = secrets.map(\.text).filter { $0.utf8.count >= Self.shortest }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  /// The text without the secrets.
  package func clean(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: "•••") }
  }
}
