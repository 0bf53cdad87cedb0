import AacornSystem

/// The deleted recordings that can still be restored.
///
/// Each recording is in its own folder, `.aacorn-deleted/ID`, under its own name, with its list of
/// gaps. The ID begins with the time of deletion.
struct DeletedRecordings {
  /// A deleted recording.
  struct Item: Equatable, Sendable {
    var id: String
    var name: RecordingName
    var size: Int
    /// The time of deletion, in milliseconds since the start of 1970.
    var deletedAt: Int64
  }

  private let folder: LibraryFolder
  private var known: [String: Item] = [:]

  /// The name of the folder of deleted recordings inside the library.
  static let folderName = ".aacorn-deleted"

  /// Creates the list of deleted recordings of a library folder.
  init(_ folder: LibraryFolder) { self.folder = folder }

  private var path: String { folder.path(of: Self.folderName) }

  /// The deleted recordings, the most recently deleted first.
  var items: [Item] {
    known.values.sorted { ($0.deletedAt, $0.id) > ($1.deletedAt, $1.id) }
  }

  /// Reads the folder, and returns whether anything has changed.
  mutating func refresh() -> Bool {
    var found: [String: Item] = [:]
    for id in LibraryFolder.names(in: path) {
      // An entry with a known ID has the known contents, so it is not read again.
      if let item = known[id] ?? item(id) { found[id] = item }
    }
    defer { known = found }
    return found != known
  }

  private func item(_ id: String) -> Item? {
    guard let time = Self.time(of: id) else { return nil }
    for text in LibraryFolder.names(in: path + "/" + id) {
      guard let name = RecordingName(text), name.format != nil,
        let status = try? System.statusOfLink(path + "/" + id + "/" + text), status.kind == .file
      else { continue }
      return Item(id: id, name: name, size: status.size, deletedAt: time)
    }
    return nil
  }

  /// Parses the time from an ID such as `1767225600000-0123456789abcdef`; nil if the text is not an
  /// ID of this store.
  static func time(of id: String) -> Int64? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count <= 15, parts[1].utf8.count == 16,
      parts[1].utf8.allSatisfy(RandomIdentifier.isDigit)
    else { return nil }
    return Int64(digits: parts[0])
  }

  /// Moves a recording from the library to the deleted recordings.
  mutating func add(
    _ name: RecordingName, at wallTime: Int64
  ) throws(StudioError) -> Item {
    guard let item = folder.item(name) else { throw .noRecording(name.text) }
    let time = max(0, wallTime / 1_000_000)
    let id = "\(time)-" + RandomIdentifier.make(byteCount: 8)
    let itemPath = path + "/" + id
    try folder.makeHiddenFolder(Self.folderName, toBe: "delete", name)
    do throws(SystemError) {
      try System.makeFolder(itemPath, permissions: System.status(of: path).permissions | 0o700)
      do throws(SystemError) {
        try LibraryFolder.move(folder.path(of: name), to: itemPath + "/" + name.text)
      } catch {
        try? System.removeFolder(itemPath)
        throw error
      }
    } catch {
      throw StudioError(cannot: "delete", name.text, error)
    }
    let deleted = Item(id: id, name: name, size: item.size, deletedAt: time)
    known[id] = deleted
    return deleted
  }

  private func known(_ id: String) throws(StudioError) -> Item {
    guard let item = known[id] ?? item(id) else {
      throw StudioError(
        404, "This recording cannot be restored: it was already restored or erased.")
    }
    return item
  }

  /// Restores a recording under its name, or under a free name if that one is taken.
  mutating func restore(
    _ id: String, besides isReserved: (RecordingName) -> Bool
  ) throws(StudioError) -> RecordingName {
    let item = try known(id)
    let itemPath = path + "/" + id
    let name = folder.freeName(item.name, besides: isReserved)
    do throws(SystemError) {
      try LibraryFolder.move(itemPath + "/" + item.name.text, to: folder.path(of: name))
    } catch {
      throw StudioError(cannot: "restore", item.name.text, error)
    }
    known[id] = nil
    Self.removeFolder(itemPath)
    return name
  }

  /// Removes a recording permanently.
  mutating func erase(_ id: String) throws(StudioError) {
    let item = try known(id)
    let itemPath = path + "/" + id
    do throws(SystemError) {
      try System.remove(itemPath + "/" + item.name.text)
    } catch {
      if error != .notFound { throw StudioError(cannot: "erase", item.name.text, error) }
    }
    known[id] = nil
    Self.removeFolder(itemPath)
  }

  /// Permanently removes the recordings deleted before `time`, in milliseconds, and returns their
  /// number.
  mutating func purge(before time: Int64) -> Int {
    var count = 0
    for item in known.values where item.deletedAt < time {
      if (try? erase(item.id)) != nil { count += 1 }
    }
    return count
  }

  /// Removes a folder of a deleted recording with the files in it.
  private static func removeFolder(_ path: String) {
    for name in LibraryFolder.names(in: path) { try? System.remove(path + "/" + name) }
    try? System.removeFolder(path)
  }
}
