import AacornRecording
import AacornSystem

/// Finds the file that a path names, however its folder is spelled: from the root on, without links
/// and dots.
///
/// Only folders are looked up, and each of many once: their last part is taken as it is written.
struct ManifestPlaces {
  /// By their paths with a slash at the end, of which the working folder's has none.
  private var folders: [ArraySlice<UInt8>: [UInt8]] = [:]
  private var last: (path: ArraySlice<UInt8>, place: [UInt8])?

  /// Folders that are kept.
  private static let keptFolders = 4096
  private static let slash = UInt8(ascii: "/")

  /// The path of the file in bytes.
  mutating func place(of path: String) -> [UInt8] {
    let path = ManifestLine.plain(path)
    let name = path.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return place(ofFolder: path[..<name]) + path[name...]
  }

  private mutating func place(ofFolder path: ArraySlice<UInt8>) -> [UInt8] {
    // Lists of files have those of a folder together.
    if let last, last.path == path { return last.place }
    let place = folders[path] ?? Self.resolved(path)
    if folders.count >= Self.keptFolders { folders = [:] }
    folders[path] = place
    last = (path, place)
    return place
  }

  private static func resolved(_ path: ArraySlice<UInt8>) -> [UInt8] {
    var path = FileName.canonical(path.isEmpty ? "." : PathText.decode(path))
    let parts = path.utf8.split(separator: slash)
    if parts.contains(where: isParent) {
      // What is not there yet will be made as a folder, so what is above it is known.
      var kept: [Substring.UTF8View] = []
      for part in parts {
        if isParent(part) { _ = kept.popLast() } else { kept.append(part) }
      }
      path = FileName.canonical("/" + kept.map { String(Substring($0)) }.joined(separator: "/"))
    }
    let plain = ManifestLine.plain(path)
    return plain.last == slash ? plain : plain + [slash]
  }

  private static func isParent(_ part: Substring.UTF8View) -> Bool { part.elementsEqual("..".utf8) }
}
