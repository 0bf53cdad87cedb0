/// A password or a stream key.
///
/// Printing, interpolating or dumping a secret reveals nothing; read `text` explicitly.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
