import AacornRecording
import AacornSystem
import AacornWeb

extension StudioLibrary {
  // MARK: On the server's thread

  /// Returns the rejection of a piece of an unknown upload, before the body of the request is received.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    let path = request.components
    guard request.method == "PUT", path.count == 3, path.starts(with: ["api", "uploads"]),
      !UploadShelf.isThere(path[2], in: disk)
    else { return nil }
    return UploadShelf.absence.response
  }

  // MARK: On the disk thread

  func beginUpload(_ wish: String?) throws(LibraryFailure) -> JSONValue {
    guard let wish, !wish.isEmpty else {
      throw LibraryFailure(400, "The name of the file is missing. Send it as “name”.")
    }
    let suffix = wish.split(separator: ".").dropFirst().last.map { String($0) } ?? ""
    let format = SoundFileFormat(suffix: suffix)
    guard let format, format == .m4a || format == .aac || format == .wav else {
      throw LibraryFailure(
        400, "“\(displayed(wish))” cannot be uploaded: its name must end in .m4a, .aac or .wav.")
    }
    if let folderProblem, (try? System.status(of: folder))?.kind != .folder { throw folderProblem }
    let name = freeName(wish: wish, suffix: suffix)
    let upload = try shelf.withLock { shelf throws(LibraryFailure) in
      try shelf.uploads.begin(
        name, format, now: System.nanoseconds, wallTime: System.wallNanoseconds)
    }
    noteChange()
    return .object([.init("id", .text(upload.id))])
  }

  /// Stores a piece of an upload.
  func putUpload(
    _ id: String, _ bytes: [UInt8], at offset: String?
  ) throws(LibraryFailure) -> JSONValue {
    guard let offset = offset.flatMap({ Int($0) }), (0..<1 << 60).contains(offset) else {
      throw LibraryFailure(400, "The offset of the piece is missing. Send it as “at”, in bytes.")
    }
    let size = try shelf.withLock { shelf throws(LibraryFailure) in
      let upload = try ongoing(id, &shelf)
      return try shelf.uploads.put(
        bytes, at: offset, to: upload, now: System.nanoseconds,
        wallTime: System.wallNanoseconds)
    }
    return .object([.init("bytes", .integer(size))])
  }

  private func ongoing(
    _ id: String, _ shelf: inout Shelf
  ) throws(LibraryFailure) -> UploadShelf.Upload {
    try shelf.uploads.upload(id, now: System.nanoseconds) { isRecording($0) }
  }

  func cancelUpload(_ id: String) throws(LibraryFailure) -> JSONValue {
    let upload = try shelf.withLock { shelf throws(LibraryFailure) in try ongoing(id, &shelf) }
    shelf.withLock { $0.uploads.remove(upload.id) }
    noteChange()
    return .object([])
  }

  /// Turns an upload into a recording.
  func finishUpload(_ id: String) throws(LibraryFailure) -> JSONValue {
    let upload = try shelf.withLock { shelf throws(LibraryFailure) in try ongoing(id, &shelf) }
    if upload.size == 0 {
      shelf.withLock { $0.uploads.remove(id) }
      noteChange()
      throw LibraryFailure(
        422, "“\(displayed(upload.name.text))” is empty, so it was not stored.")
    }
    return Self.named(try keep(upload))
  }

  private func keep(
    _ upload: UploadShelf.Upload, isRepaired: Bool = false
  ) throws(LibraryFailure) -> RecordingName {
    let name = try shelf.withLock { shelf throws(LibraryFailure) in
      // Another program may have used the reserved name.
      let others = shelf.uploads.uploads.values.filter {
        $0.id != upload.id && !$0.isDisturbed
      }.map(\.name)
      let name = disk.freeName(upload.name) { isRecording($0) || others.contains($0) }
      try shelf.uploads.finish(upload, as: name, isRepaired: isRepaired)
      return name
    }
    noteChange()
    if let item = disk.item(name) { state.withLock { $0.catalog.setComplete(item) } }
    return name
  }

  // MARK: On the analysis thread

  /// Periodically completes abandoned uploads, and purges deleted recordings past their retention time.
  func upkeep() {
    let now = System.nanoseconds
    let wallTime = System.wallNanoseconds
    let (abandoned, isChanged) = shelf.withLock { shelf in
      guard now - shelf.upkeepTime >= limits.upkeepInterval else {
        return ([UploadShelf.Upload](), false)
      }
      shelf.upkeepTime = now
      let isChanged = shelf.deleted.look()
      let time = wallTime / 1_000_000 - limits.keptMilliseconds
      let purgedCount = shelf.deleted.purge(before: time)
      let uploads = shelf.uploads.abandoned(now: now, wallTime: wallTime) { isRecording($0) }
      for upload in uploads { shelf.uploads.setEnding(upload.id, true) }
      return (uploads, isChanged || purgedCount > 0)
    }
    if isChanged { noteChange() }
    for upload in abandoned { complete(upload) }
  }

  /// Turns an abandoned upload into a recording if it contains audio.
  private func complete(_ upload: UploadShelf.Upload) {
    let path = shelf.withLock { $0.uploads.path(of: upload.id) }
    if marks.withLock({ $0.isQuarantined(upload.id, nil) }) { return keepInQuarantine(upload) }
    let hasSound: Bool
    do throws(FileBytes.Failure) {
      hasSound = try marking(upload.id, nil) { () throws(FileBytes.Failure) in
        try repairInPlace(path)
      }
    } catch {
      // The studio is shutting down, or the disk does not respond: retry next time.
      shelf.withLock { $0.uploads.setEnding(upload.id, false) }
      return
    }
    desk.run { [self] in
      if hasSound {
        if (try? keep(upload, isRepaired: true)) == nil {
          shelf.withLock { $0.uploads.setEnding(upload.id, false) }
        }
      } else {
        shelf.withLock { $0.uploads.remove(upload.id) }
        noteChange()
      }
      try? look()
    }
  }

  /// Turns an upload that crashed the process into a recording, unchanged and in quarantine.
  private func keepInQuarantine(_ upload: UploadShelf.Upload) {
    desk.run { [self] in
      if let name = try? keep(upload, isRepaired: true), let item = disk.item(name) {
        marks.withLock { $0.move(upload.id, to: name.text, item.version) }
      } else {
        shelf.withLock { $0.uploads.setEnding(upload.id, false) }
      }
      try? look()
    }
  }
}
