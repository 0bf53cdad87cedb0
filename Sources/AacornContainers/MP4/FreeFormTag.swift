/// A custom tag in the item list: who defined it, its name, and a text.
struct FreeFormTag: Equatable, Sendable {
  /// Who defined the tag, such as "com.apple.iTunes".
  var meaning: [UInt8]
  /// Its name.
  var name: [UInt8]
  /// Its text in UTF-8.
  var text: [UInt8]
}
