import AacornRecording
import AacornSystem

/// The name of a file in the library, without path separators and without a leading dot.
///
/// Two names are equal only if their bytes are equal. Text that only looks equal, such as an umlaut
/// in one character or in two, names two files on most systems.
struct RecordingName: Hashable, Sendable, CustomStringConvertible {
  /// The file name with its suffix.
  let text: String

  /// The maximum length of a name in bytes.
  static let byteLimit = FileName.byteLimit

  /// Creates a name; nil if no file in the library can have the name.
  init?(_ text: String) {
    guard Self.problem(with: text) == nil else { return nil }
    self.text = text
  }

  /// Returns why a new recording cannot have this name, as the end of a sentence; nil if the name
  /// is valid.
  ///
  /// Files from other programs may still have such a name; pages show it.
  static func problem(withNew text: String) -> String? {
    if let problem = problem(with: text) { return problem }
    return text.hasUnseen
      ? "it contains invisible characters, or characters that change the direction of writing" : nil
  }

  /// Returns why no file in the library can have this name, as the end of a sentence; nil if a file
  /// can have it.
  static func problem(with text: String) -> String? {
    if text.isEmpty { return "it is empty" }
    if text.utf8.first == UInt8(ascii: ".") {
      return "names that begin with a dot are for hidden files"
    }
    if text.utf8.count > byteLimit {
      return "it has more than the \(byteLimit) bytes that disks allow"
    }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        return "it contains control characters"
      default: break
      }
      // Backslashes separate folders on other systems, to which the user may copy a recording.
      if scalar == "/" || scalar == "\\" { return "it contains a slash, which separates folders" }
      // The character represents a byte that is not valid UTF-8, which an address cannot contain.
      if PathText.rawByte(scalar) != nil { return "it is not valid UTF-8" }
    }
    return nil
  }

  var description: String { text }

  static func == (first: Self, second: Self) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    // Names that only look equal have the same hash, and `==` distinguishes them.
    hasher.combine(text)
  }

  /// The position of the dot before the suffix; a dot at the end does not start one.
  private var dot: String.Index? {
    guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), dot > text.startIndex,
      text.utf8.index(after: dot) < text.endIndex
    else { return nil }
    return dot
  }

  /// The text after the last dot, as written; may be empty.
  var suffix: String { dot.map { String(text[text.utf8.index(after: $0)...]) } ?? "" }

  /// The text before the suffix and its dot.
  var stem: String { dot.map { String(text[..<$0]) } ?? text }

  /// The file's format by its suffix; nil if the library does not support the format.
  var format: SoundFileFormat? { SoundFileFormat(suffix: suffix) }
}

extension RecordingName {
  /// Creates the valid name with this suffix that is closest to the requested one; nil if no
  /// characters remain.
  init?(requestedName: String, suffix: String) {
    var stem = String.UnicodeScalarView()
    for scalar in requestedName.replacingUnseen({ _ in "" }).unicodeScalars
    where PathText.rawByte(scalar) == nil {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: stem.append(" ")
      default: stem.append(scalar == "/" || scalar == "\\" ? "-" : scalar)
      }
    }
    var text = String(stem)
    while let last = text.last, last == " " { text.removeLast() }
    let ending = "." + suffix
    if text.lowercased().hasSuffix(ending.lowercased()) { text.removeLast(ending.count) }
    while let first = text.first, first == "." || first == " " { text.removeFirst() }
    while let last = text.last, last == " " { text.removeLast() }
    if text.isEmpty { return nil }
    self.init(FileName.shortened(text, to: Self.byteLimit - ending.utf8.count) + ending)
  }

  /// Returns this name with text added between its stem and its suffix.
  func adding(_ addition: String) -> RecordingName? {
    let ending = addition + (suffix.isEmpty ? "" : "." + suffix)
    return RecordingName(FileName.shortened(stem, to: Self.byteLimit - ending.utf8.count) + ending)
  }
}
