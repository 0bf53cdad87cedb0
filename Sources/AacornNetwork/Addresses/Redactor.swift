/// A filter that removes secrets from text of other programs.
///
/// A server may repeat a stream key when it rejects the key.
package struct Redactor: Sendable {
  private let secrets: [String]

  /// The minimum length of a secret in bytes.
  ///
  /// Shorter ones would occur in ordinary words.
  private static let minLength = 4

  package init(_ secrets: [Secret]) {
    self.secrets = secrets.map(\.text).filter { $0.utf8.count >= Self.minLength }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Returns the text with all secrets masked.
  package func clean(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: "•••") }
  }
}
