import AacornRecording
import AacornSystem

/// The files being uploaded by pages.
///
/// Each upload grows in `.aacorn-uploads/ID` inside the library, with its name in `ID.name` beside
/// it. All state is also on disk, so that a page can continue after a restart of the studio, and
/// the studio finds abandoned uploads.
struct UploadStore {
  /// A file being uploaded.
  struct Upload: Equatable, Sendable {
    let id: String
    /// The final name, if it is still free at the end.
    var name: RecordingName
    var format: SoundFileFormat
    var size: Int
    /// The modification time, in nanoseconds since the start of 1970.
    var modified: Int64
    /// The last time at which the page was active, on the monotonic clock.
    var lastActivityTime: Int64
    /// Whether the upload is being turned into a recording, and accepts no more pieces.
    var isEnding = false
    /// Whether another program has changed the file.
    ///
    /// The page then uploads it again, under the same name.
    var wasChanged = false
  }

  let folder: LibraryFolder
  let limits: StudioLibrary.Limits
  var uploads: [String: Upload] = [:]

  /// The name of the folder of uploads inside the library.
  static let folderName = ".aacorn-uploads"
  /// The maximum size of a piece in bytes.
  static let pieceLimit = 1 << 20

  /// Creates the uploads of a library folder.
  init(_ folder: LibraryFolder, _ limits: StudioLibrary.Limits) {
    self.folder = folder
    self.limits = limits
  }

  /// The path of the folder that contains the uploads.
  var path: String { folder.path(of: Self.folderName) }

  /// The path of an upload's data.
  func path(of id: String) -> String { path + "/" + id }

  func namePath(of id: String) -> String { path(of: id) + ".name" }

  /// Whether a name is reserved for an upload.
  func isReserved(_ name: RecordingName) -> Bool {
    uploads.values.contains { $0.name == name && !$0.wasChanged }
  }

  /// Begins an upload with a name that is free and not reserved.
  mutating func begin(
    _ name: RecordingName, _ format: SoundFileFormat, now: Int64, wallTime: Int64
  ) throws(StudioError) -> Upload {
    if uploads.count >= limits.uploadCount {
      throw StudioError(
        429,
        "\(uploads.count) uploads are already in progress, which is the limit. Wait until one has"
          + " ended.")
    }
    try checkRoom(for: 0)
    let id = RandomIdentifier.make(byteCount: 16)
    try folder.makeHiddenFolder(Self.folderName, toBe: "upload", name)
    do throws(SystemError) {
      try Self.write(Array(name.text.utf8), to: namePath(of: id))
      try Self.write([], to: path(of: id))
    } catch {
      try? System.remove(namePath(of: id))
      throw StudioError(cannot: "upload", name.text, error)
    }
    let upload = Upload(
      id: id, name: name, format: format, size: 0, modified: wallTime, lastActivityTime: now)
    uploads[id] = upload
    return upload
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = try System.open(path, for: .creating)
    defer { try? System.close(descriptor) }
    try System.write(descriptor, bytes, at: 0)
  }

  private func checkRoom(for byteCount: Int) throws(StudioError) {
    guard let free = folder.freeBytes else { return }
    if free - byteCount < limits.reservedByteCount {
      throw StudioError(
        507,
        "The disk has no room for this upload: \(QuantityText.size(max(0, free))) are free, and"
          + " \(QuantityText.size(limits.reservedByteCount)) are reserved for other purposes."
          + " Delete recordings, and erase the deleted ones.")
    }
  }

  /// The error for an upload that does not exist.
  static let missingUpload = StudioError(
    404,
    "This upload no longer exists. After a long pause, the received part is moved to the"
      + " library.")

  /// Whether an upload exists in a folder, perhaps from an earlier run of the studio.
  ///
  /// The function checks only the name and kind of the file, without taking the lock of the
  /// uploads.
  static func exists(_ id: String, in folder: LibraryFolder) -> Bool {
    isIdentifier(id)
      && (try? System.statusOfLink(folder.path(of: folderName) + "/" + id))?.kind == .file
  }

  static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy(RandomIdentifier.isDigit)
  }

  /// Returns an upload, including one left by an earlier run of the studio.
  mutating func upload(
    _ id: String, now: Int64, _ isTaken: (RecordingName) -> Bool
  ) throws(StudioError) -> Upload {
    guard let upload = uploads[id] ?? adopt(id, now: now, isTaken) else { throw Self.missingUpload }
    if upload.isEnding {
      throw StudioError(409, "“\(displayed(upload.name.text))” is already being completed.")
    }
    return upload
  }

  /// Stores a piece at an offset that leaves no gap, and returns the new length.
  mutating func put(
    _ bytes: [UInt8], at offset: Int, to upload: Upload, now: Int64, wallTime: Int64
  ) throws(StudioError) -> Int {
    if bytes.count > Self.pieceLimit {
      throw StudioError(
        413, "A piece may have at most \(Self.pieceLimit) bytes. Send several pieces.")
    }
    if offset > upload.size {
      throw StudioError(
        409,
        "A piece for byte \(offset) was received, but the upload has only \(upload.size) bytes."
          + " Continue at byte \(upload.size).")
    }
    uploads[upload.id]?.lastActivityTime = now
    let size = max(upload.size, offset + bytes.count)
    try checkRoom(for: size - upload.size)
    let oldSize: Int
    do throws(SystemError) {
      let descriptor = try System.open(path(of: upload.id), for: .changing)
      defer { try? System.close(descriptor) }
      try System.lock(descriptor)
      oldSize = try System.status(of: descriptor).size
      if oldSize == upload.size {
        do throws(SystemError) {
          try System.write(descriptor, bytes, at: offset)
        } catch {
          // The page sends an incomplete piece again, so discard its bytes.
          try? System.truncate(descriptor, to: upload.size)
          throw error
        }
      }
    } catch {
      throw StudioError(cannot: "upload", upload.name.text, error)
    }
    if oldSize != upload.size { throw markAsChanged(upload) }
    uploads[upload.id]?.size = size
    uploads[upload.id]?.modified = wallTime
    return size
  }

  /// Sets whether an upload is being completed, and so accepts no more pieces.
  mutating func setEnding(_ id: String, _ isEnding: Bool) { uploads[id]?.isEnding = isEnding }

  /// Turns an upload into a recording under a free name.
  ///
  /// A repaired upload may have any length.
  mutating func finish(
    _ upload: Upload, as name: RecordingName, isRepaired: Bool = false
  ) throws(StudioError) {
    let isComplete: Bool
    do throws(SystemError) {
      let descriptor = try System.open(path(of: upload.id), for: .changing)
      defer { try? System.close(descriptor) }
      try System.lock(descriptor)
      try System.synchronize(descriptor)
      let own = try System.status(of: descriptor)
      let there = try System.status(of: path(of: upload.id))
      isComplete = (isRepaired || own.size == upload.size) && there.identity == own.identity
      if isComplete { try System.move(path(of: upload.id), to: folder.path(of: name)) }
    } catch {
      throw StudioError(cannot: "complete", name.text, error)
    }
    if !isComplete { throw markAsChanged(upload) }
    try? System.synchronizeFolder(of: folder.path(of: name))
    try? System.remove(namePath(of: upload.id))
    uploads[upload.id] = nil
  }

  /// Records that a file's length differs from the received length, and returns the error.
  private mutating func markAsChanged(_ upload: Upload) -> StudioError {
    uploads[upload.id]?.wasChanged = true
    return StudioError(
      409,
      "“\(displayed(upload.name.text))” was changed by another program while it was being uploaded,"
        + " so it is not complete. Send it again.")
  }

  /// Cancels an upload.
  mutating func remove(_ id: String) {
    try? System.remove(path(of: id))
    try? System.remove(namePath(of: id))
    uploads[id] = nil
  }
}

// Uploads left by a page or by an earlier run of the studio.
extension UploadStore {
  /// Adopts an upload that exists only on disk.
  mutating func adopt(
    _ id: String, now: Int64, _ isTaken: (RecordingName) -> Bool
  ) -> Upload? {
    guard Self.isIdentifier(id),
      (try? System.statusOfLink(path))?.kind == .folder,
      let status = try? System.statusOfLink(path(of: id)), status.kind == .file,
      let file = try? FileBytes(namePath(of: id)),
      let bytes = try? file.read(0, RecordingName.byteLimit),
      let name = String(utf8: bytes).flatMap({ RecordingName($0) }),
      let format = name.format
    else { return nil }
    let free = folder.freeName(name) { isTaken($0) || isReserved($0) }
    let upload = Upload(
      id: id, name: free, format: format, size: status.size, modified: status.modified,
      lastActivityTime: now)
    uploads[id] = upload
    return upload
  }

  /// Returns the uploads without activity for longer than the limit, including uploads of earlier
  /// runs, the least recently active first.
  mutating func abandoned(
    now: Int64, wallTime: Int64, _ isTaken: (RecordingName) -> Bool
  ) -> [Upload] {
    let names = LibraryFolder.names(in: path)
    for name in names where uploads[name] == nil {
      // Another studio may be using this folder, so only old files are treated as leftovers.
      guard let status = try? System.statusOfLink(path(of: name)),
        case let age = wallTime - status.modified, age >= limits.silence
      else { continue }
      if adopt(name, now: now - age, isTaken) == nil, isLeftover(name, names) {
        try? System.remove(path(of: name))
      }
    }
    return uploads.values.filter { !$0.isEnding && now - $0.lastActivityTime >= limits.silence }
      .sorted { $0.lastActivityTime < $1.lastActivityTime }
  }

  /// Whether a file in the folder belongs to no upload: a partial repair, or a name file without
  /// its upload.
  private func isLeftover(_ name: String, _ names: [String]) -> Bool {
    if name.hasSuffix(".name") { return !names.contains(String(name.dropLast(5))) }
    return name.hasPrefix(Self.repairPrefix) || name.hasSuffix(".tmp")
  }

  /// The prefix of the temporary files of repairs.
  static let repairPrefix = "repair-"
}
