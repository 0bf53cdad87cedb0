import AacornSystem

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
    let names =
      (try? System.statusOfLink(path))?.kind == .folder
      ? (try? System.names(inFolder: path)) ?? [] : []
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
