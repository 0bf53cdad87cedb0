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
