import AacornSystem

// What a page or a former run of the studio has left behind.
extension UploadShelf {
  /// An upload that is on the disk only.
  mutating func adopt(
    _ id: String, now: Int64, _ isTaken: (RecordingName) -> Bool
  ) -> Upload? {
    guard Self.isIdentifier(id),
      (try? System.statusOfLink(path))?.kind == .folder,
      let status = try? System.statusOfLink(path(of: id)), status.kind == .file,
      let file = try? FileBytes(namePath(of: id)),
      let bytes = try? file.read(0, RecordingName.byteLimit),
      let name = String(validating: bytes, as: UTF8.self).flatMap({ RecordingName($0) }),
      let format = name.format
    else { return nil }
    let free = folder.freeName(name) { isTaken($0) || isReserved($0) }
    let upload = Upload(
      id: id, name: free, format: format, size: status.size, modified: status.modified,
      newsTime: now)
    uploads[id] = upload
    return upload
  }

  /// Uploads of which nothing was heard for a long time, those of former runs included.
  mutating func abandoned(
    now: Int64, wallTime: Int64, _ isTaken: (RecordingName) -> Bool
  ) -> [Upload] {
    let names =
      (try? System.statusOfLink(path))?.kind == .folder
      ? (try? System.names(inFolder: path)) ?? [] : []
    for name in names where uploads[name] == nil {
      // Another studio may be at work in this folder, so only what is old was left behind.
      guard let status = try? System.statusOfLink(path(of: name)),
        wallTime - status.modified >= limits.silence
      else { continue }
      if adopt(name, now: now - limits.silence, isTaken) == nil, isRest(name, names) {
        try? System.remove(path(of: name))
      }
    }
    return uploads.values.filter { !$0.isEnding && now - $0.newsTime >= limits.silence }
  }

  /// Whether something in the folder belongs to no upload: half a repair, a name alone.
  private func isRest(_ name: String, _ names: [String]) -> Bool {
    if name.hasSuffix(".name") { return !names.contains(String(name.dropLast(5))) }
    return name.hasPrefix(Self.repairPrefix)
  }

  /// How files begin that become repaired ones.
  static let repairPrefix = "repair-"
}
