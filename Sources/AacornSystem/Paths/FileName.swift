/// Splits and joins paths as text, without accessing the disk.
package enum FileName {
  /// Returns the part after the last slash.
  package static func last(_ path: String) -> String {
    let trimmed = withoutTrailingSlashes(path)
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return trimmed }
    let rest = trimmed[trimmed.utf8.index(after: slash)...]
    return rest.isEmpty ? trimmed : String(rest)
  }

  /// Returns the part before the last slash: the folder; `.` if there is no slash.
  package static func folder(_ path: String) -> String {
    let trimmed = withoutTrailingSlashes(path)
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let folder = withoutTrailingSlashes(String(trimmed[..<slash]))
    return folder.isEmpty ? "/" : folder
  }

  /// Returns the text after the last dot in lower case; empty if there is none.
  package static func suffix(_ path: String) -> String {
    let name = last(path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return ""
    }
    return name[name.utf8.index(after: dot)...].lowercased()
  }

  package static func replacingSuffix(_ path: String, with suffix: String) -> String {
    let name = last(path)
    var stem = name
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex {
      stem = String(name[..<dot])
    }
    let newName = stem + "." + suffix
    return path.utf8.contains(UInt8(ascii: "/")) ? joined(folder(path), newName) : newName
  }

  /// The maximum length of a name in bytes on common file systems.
  package static let byteLimit = 255

  /// Returns the path with text between the stem and the suffix of its name, such as `talk-2.m4a`.
  ///
  /// If the name would be too long for file systems, its stem is shortened.
  package static func adding(_ text: String, to path: String) -> String {
    let utf8 = path.utf8
    let slash = utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { utf8.index(after: $0) } ?? utf8.startIndex
    // A dot at the beginning of a name does not start a suffix.
    let dot = utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > start ? $0 : nil }
    var (stem, ending) = (path[start..<(dot ?? utf8.endIndex)], text)
    if let dot { ending += path[dot...] }
    // A suffix that leaves no room for a stem counts as a part of the stem.
    if byteCount(ending) >= byteLimit { (stem, ending) = (path[start...], text) }
    return path[..<start] + shortened(String(stem), to: byteLimit - byteCount(ending)) + ending
  }

  /// Returns the longest prefix of complete characters that fits in `byteCount` bytes of a name.
  package static func shortened(_ text: String, to byteCount: Int) -> String {
    var text = text
    var count = Self.byteCount(text)
    while count > byteCount, let last = text.popLast() { count -= Self.byteCount(String(last)) }
    return text
  }

  private static func byteCount(_ text: String) -> Int { PathText.encode(text).count }

  package static func joined(_ folder: String, _ name: String) -> String {
    if folder.isEmpty || folder == "." { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// Returns the same spelling for all paths of a file, which need not exist yet.
  ///
  /// The system resolves the existing part; the remainder is taken literally, except for “.” and “..”.
  package static func canonical(_ path: String) -> String {
    if let resolved = try? System.resolved(path) { return resolved }
    let folder = folder(path)
    // Neither the root nor the working folder can be split further.
    if folder == path || path == "." || path.isEmpty { return path }
    let (parent, name) = (canonical(folder), last(path))
    // A missing folder will be created as a folder and not as a link, so “..” leads back from it.
    let absolute =
      switch name {
      case ".": parent
      case ".." where parent.hasPrefix("/"): Self.folder(parent)
      default: joined(parent, name)
      }
    return absolute == path ? path : (try? System.resolved(absolute)) ?? absolute
  }

  private static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
