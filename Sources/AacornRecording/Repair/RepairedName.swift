/// The names of new files with repaired audio.
package enum RepairedName {
  /// `talk-repaired.m4a` for `talk.m4a`, with or without folders in front.
  package static func of(_ path: String) -> String {
    let utf8 = path.utf8
    let start = utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) }
    // A dot at the beginning of a name does not start a suffix.
    guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")), dot > start ?? utf8.startIndex else {
      return path + "-repaired"
    }
    return String(path[..<dot]) + "-repaired" + String(path[dot...])
  }
}
