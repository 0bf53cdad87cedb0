import AacornSystem

// The names of an output's files, and their location.
extension FileOutput {
  func fileName(_ number: Int) -> String {
    number == 1 && !options.isNumbered ? path : Self.numbered(path, number)
  }

  mutating func make(
    _ name: String, replacing: Bool, permissions: Int? = nil
  ) throws(OutputError) -> RecordingFile {
    let isOwn = (try? System.status(of: name)).map { ownFiles.contains($0.identity) } ?? false
    let replacing = replacing && !isOwn
    try checkForLedger(beside: name, replacing: replacing)
    let file = try RecordingFile(
      name, replacing: replacing, permissions: permissions, isCancelled: options.isCancelled)
    if replacing { removeLedger(beside: name) }
    if let identity = file.identity { ownFiles.insert(identity) }
    return file
  }

  mutating func openNext(_ index: Int) throws(OutputError) -> RecordingFile {
    if index == 0 { return try make(fileName(1), replacing: options.replacesExisting) }
    if path != "-" {
      return try openFree(from: index + 1, replacing: options.replacesExisting, permissions: nil)
    }
    // On standard output, the next segment follows the previous one. That is possible for ADTS
    // frames, but not for formats with file headers and tables.
    if format == .aac { return try make("-", replacing: false) }
    throw OutputError(.unsupported, "Standard output accepts only one file. Choose a file name.")
  }

  /// Opens a file next to a lost one, with the same permissions.
  mutating func openReplacement(_ index: Int) throws(OutputError) -> RecordingFile {
    try openFree(
      from: index + 2, replacing: false, permissions: file?.permissions ?? lostPermissions)
  }

  /// Opens a file with the first unused number: an existing file does not end a running recording.
  ///
  /// If the folder was renamed, the file is created there. If the folder is missing or not
  /// writable, the file is created in the nearest writable parent folder. Only the owner has access
  /// to a file in a parent folder, because the old folder may have been private.
  private mutating func openFree(
    from first: Int, replacing: Bool, permissions: Int?
  ) throws(OutputError) -> RecordingFile {
    let name = FileName.last(path)
    var firstError: OutputError?
    let own = folder?.current
    if let own {
      do throws(OutputError) {
        return try openFree(own + name, from: first, replacing: replacing, permissions: permissions)
      } catch {
        if error.kind != .cannotWrite { throw error }
        firstError = error
      }
    }
    for parent in folder?.ancestorPaths ?? [] {
      do throws(OutputError) {
        let file = try openFree(parent + name, from: first, replacing: false, permissions: 0o600)
        if own != nil, let firstError {
          let problem = "\(firstError.message) The recording continues in “\(file.path)”."
          incidents.append(.lost(name: path, OutputError(.cannotWrite, problem)))
        }
        return file
      } catch {
        firstError = firstError ?? error
      }
    }
    throw firstError ?? OutputError(.notFound, writing: path)
  }

  private mutating func openFree(
    _ path: String, from first: Int, replacing: Bool, permissions: Int?
  ) throws(OutputError) -> RecordingFile {
    var number = first
    while true {
      do throws(OutputError) {
        return try make(
          Self.numbered(path, number), replacing: replacing, permissions: permissions)
      } catch {
        guard error.kind == .exists || error.kind == .busy, number < first + 10_000 else {
          throw error
        }
        number += 1
      }
    }
  }

  /// Returns a numbered path: `talk-007.m4a` for `talk.m4a`.
  package static func numbered(_ path: String, _ number: Int) -> String {
    FileName.adding("-" + QuantityText.padded(number, to: 3), to: path)
  }
}

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
