import AacornRecording
import AacornSystem

/// A resolver of paths to absolute paths without links and dots in their folders.
///
/// Only folders are resolved, each of them once if it fits into the cache. The last component of a
/// path stays unchanged.
struct PathResolver {
  /// The resolved folders by path, with a trailing slash; the key of the working folder is empty.
  private var folders: [ArraySlice<UInt8>: [UInt8]] = [:]
  private var lastFolder: (path: ArraySlice<UInt8>, place: [UInt8])?

  /// The maximum number of cached folders.
  private static let keptFolders = 4096
  private static let slash = UInt8(ascii: "/")

  /// Returns the resolved path in bytes.
  mutating func resolvedPath(of path: String) -> [UInt8] {
    let path = ManifestLine.normalized(path)
    let name = path.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return resolvedPath(ofFolder: path[..<name]) + path[name...]
  }

  private mutating func resolvedPath(ofFolder path: ArraySlice<UInt8>) -> [UInt8] {
    // Neighboring paths are typically in the same folder.
    if let lastFolder, lastFolder.path == path { return lastFolder.place }
    let folder = folders[path] ?? Self.resolved(path)
    if folders.count >= Self.keptFolders { folders = [:] }
    folders[path] = folder
    lastFolder = (path, folder)
    return folder
  }

  private static func resolved(_ path: ArraySlice<UInt8>) -> [UInt8] {
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
