import AacornSystem

/// The folder of a recording's files, which may be renamed or removed during the recording.
struct OutputFolder: Sendable {
  /// The given path of the folder, with a trailing slash; empty for the working folder.
  private let name: String
  /// The open folder, which can be found after a move.
  private let handle: OpenFile?
  /// The initial path of the folder, absolute if it is known, without a trailing slash.
  private let firstPath: String

  init(of path: String) {
    name = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    handle = (try? System.open(name.isEmpty ? "." : name, for: .reading)).map(OpenFile.init)
    firstPath = handle.flatMap { System.path(of: $0.descriptor) } ?? String(name.dropLast())
  }

  /// The current path of the folder, with a trailing slash; empty for the working folder, and nil
  /// if the folder was removed.
  var current: String? {
    let present = try? System.status(of: name.isEmpty ? "." : name)
    guard let handle, let own = try? System.status(of: handle.descriptor) else {
      return present?.kind == .folder ? name : nil
    }
    // The path `.` leads to the working folder even if the folder was removed.
    if own.linkCount == 0 { return nil }
    // Prefer the given path as long as it leads to the folder.
    if present?.identity == own.identity { return name }
    return System.path(of: handle.descriptor).map { $0 + "/" }
  }

  /// The parent folders, the nearest first.
  var ancestorPaths: [String] {
    var folders: [String] = []
    var rest = firstPath[...]
    while let slash = rest.lastIndex(of: "/") {
      folders.append(String(rest[...slash]))
      rest = rest[..<slash]
    }
    return folders
  }
}
