import AacornSystem

/// Splits and joins paths as text, without accessing the disk.
package enum FileName {
  /// The part after the last slash.
  package static func last(_ path: String) -> String {
    let trimmed = withoutTrailingSlashes(path)
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return trimmed }
    let rest = trimmed[trimmed.utf8.index(after: slash)...]
    return rest.isEmpty ? trimmed : String(rest)
  }

  /// The part before the last slash: the folder; `.` if there is no slash.
  package static func folder(_ path: String) -> String {
    let trimmed = withoutTrailingSlashes(path)
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let folder = withoutTrailingSlashes(String(trimmed[..<slash]))
    return folder.isEmpty ? "/" : folder
  }

  /// The text after the last dot in lower case; empty if there is none.
  package static func suffix(_ path: String) -> String {
    let name = last(path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return ""
    }
    return name[name.utf8.index(after: dot)...].lowercased()
  }

  /// The same path with another suffix.
  package static func replacingSuffix(_ path: String, with suffix: String) -> String {
    let name = last(path)
    var stem = name
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex {
      stem = String(name[..<dot])
    }
    let newName = stem + "." + suffix
    return path.utf8.contains(UInt8(ascii: "/")) ? joined(folder(path), newName) : newName
  }

  /// The longest name in bytes on every common file system.
  package static let byteLimit = 255

  /// The same path with text between the stem and the suffix of its name, such as `talk-2.m4a`.
  ///
  /// Where a name would be too long for disks, the end of its stem gives way.
  package static func adding(_ text: String, to path: String) -> String {
    let utf8 = path.utf8
    let slash = utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { utf8.index(after: $0) } ?? utf8.startIndex
    // A dot at the beginning of a name does not start a suffix.
    let dot = utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > start ? $0 : nil }
    var (stem, ending) = (path[start..<(dot ?? utf8.endIndex)], text)
    if let dot { ending += path[dot...] }
    // What is as long as a name is no suffix.
    if byteCount(ending) >= byteLimit { (stem, ending) = (path[start...], text) }
    return path[..<start] + shortened(String(stem), to: byteLimit - byteCount(ending)) + ending
  }

  /// As many whole characters of a text as so many bytes of a name have room for.
  package static func shortened(_ text: String, to byteCount: Int) -> String {
    var text = text
    var count = Self.byteCount(text)
    while count > byteCount, let last = text.popLast() { count -= Self.byteCount(String(last)) }
    return text
  }

  private static func byteCount(_ text: String) -> Int { PathText.encode(text).count }

  /// A name appended to a folder.
  package static func joined(_ folder: String, _ name: String) -> String {
    if folder.isEmpty || folder == "." { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// A unique spelling for all paths of a file that need not exist yet.
  ///
  /// The system resolves the part that exists; the rest is taken literally.
  package static func canonical(_ path: String) -> String {
    if let resolved = try? System.resolved(path) { return resolved }
    let folder = folder(path)
    // Neither the root nor the working folder can be split further.
    if folder == path || path == "." || path.isEmpty { return path }
    return joined(canonical(folder), last(path))
  }

  private static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
