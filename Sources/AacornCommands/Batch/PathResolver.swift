import AacornRecording
import AacornSystem

/// A resolver of paths to absolute paths without links and dots in their folders.
///
/// The last component of a path stays unchanged. The resolved folders are cached.
struct PathResolver {
  /// The resolved folders by path, with a trailing slash; the key of the working folder is empty.
  private var folders: [ArraySlice<UInt8>: [UInt8]] = [:]

  /// The maximum number of cached folders.
  private static let maxFolderCount = 4096
  private static let slash = UInt8(ascii: "/")

  /// Returns the resolved path in bytes.
  mutating func resolvedPath(of path: String) -> [UInt8] {
    let path = ManifestLine.normalized(path)
    let name = path.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    let folder = folders[path[..<name]] ?? Self.resolvedFolder(path[..<name])
    if folders.count >= Self.maxFolderCount { folders = [:] }
    folders[path[..<name]] = folder
    return folder + path[name...]
  }

  private static func resolvedFolder(_ path: ArraySlice<UInt8>) -> [UInt8] {
    var path = FileName.canonical(path.isEmpty ? "." : PathText.decode(path))
    let parts = path.utf8.split(separator: slash)
    if parts.contains(where: isParent) {
      // Remove “..” and the component before it: missing components will be created as folders, not
      // links.
      var kept: [Substring.UTF8View] = []
      for part in parts {
        if isParent(part) { _ = kept.popLast() } else { kept.append(part) }
      }
      path = FileName.canonical("/" + kept.map { String(Substring($0)) }.joined(separator: "/"))
    }
    let normalized = ManifestLine.normalized(path)
    return normalized.last == slash ? normalized : normalized + [slash]
  }

  private static func isParent(_ part: Substring.UTF8View) -> Bool { part.elementsEqual("..".utf8) }
}
