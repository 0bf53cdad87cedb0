import AacornContainers
import AacornNetwork
import AacornRecording
import AacornSystem

extension StudioLibrary {
  // MARK: On the server's thread

  /// Returns the rejection of a piece of an unknown upload, before the body of the request is
  /// received.
  func rejection(of request: HTTPRequest) -> HTTPResponse? {
    let path = request.components
    guard request.method == "PUT", path.count == 3, path.starts(with: ["api", "uploads"]),
      !UploadStore.exists(path[2], in: disk)
    else { return nil }
    return UploadStore.missingUpload.response
  }

  // MARK: On the disk thread

  func beginUpload(_ requestedName: String?) throws(StudioError) -> JSONValue {
    guard let requestedName, !requestedName.isEmpty else {
      throw StudioError(400, "The name of the file is missing. Send it as “name”.")
    }
    let suffix = requestedName.split(separator: ".").dropFirst().last.map { String($0) } ?? ""
    let format = SoundFileFormat(suffix: suffix)
    guard let format, format == .m4a || format == .aac || format == .wav else {
      throw StudioError(
        400,
        "“\(displayed(requestedName))” cannot be uploaded: its name must end in .m4a, .aac or .wav."
      )
    }
    if let folderProblem, (try? System.status(of: disk.path))?.kind != .folder {
      throw folderProblem
    }
    let name = freeName(requestedName: requestedName, suffix: suffix)
    let upload = try auxiliaryFiles.withLock { auxiliaryFiles throws(StudioError) in
      try auxiliaryFiles.uploads.begin(
        name, format, now: System.nanoseconds, wallTime: System.wallNanoseconds)
    }
    recordChange()
    return ["id": .text(upload.id)]
  }

  /// Stores a piece of an upload.
  func putUpload(
    _ id: String, _ bytes: [UInt8], at offset: String?
  ) throws(StudioError) -> JSONValue {
    guard let offset = offset.flatMap({ Int($0) }), (0..<1 << 60).contains(offset) else {
      throw StudioError(400, "The offset of the piece is missing. Send it as “at”, in bytes.")
    }
    let size = try auxiliaryFiles.withLock { auxiliaryFiles throws(StudioError) in
      let upload = try ongoing(id, &auxiliaryFiles)
      return try auxiliaryFiles.uploads.put(
        bytes, at: offset, to: upload, now: System.nanoseconds,
        wallTime: System.wallNanoseconds)
    }
    return ["bytes": .integer(size)]
  }

  private func ongoing(
    _ id: String, _ auxiliaryFiles: inout AuxiliaryFiles
  ) throws(StudioError) -> UploadStore.Upload {
    try auxiliaryFiles.uploads.upload(id, now: System.nanoseconds) { isRecording($0) }
  }

  func cancelUpload(_ id: String) throws(StudioError) -> JSONValue {
    let upload = try auxiliaryFiles.withLock { files throws(StudioError) in
      try ongoing(id, &files)
    }
    auxiliaryFiles.withLock { $0.uploads.remove(upload.id) }
    recordChange()
    return .object([])
  }

  /// Turns an upload into a recording.
  func finishUpload(_ id: String) throws(StudioError) -> JSONValue {
    let upload = try auxiliaryFiles.withLock { files throws(StudioError) in
      try ongoing(id, &files)
    }
    if upload.size == 0 {
      auxiliaryFiles.withLock { $0.uploads.remove(id) }
      recordChange()
      throw StudioError(
        422, "“\(displayed(upload.name.text))” is empty, so it was not stored.")
    }
    return Self.named(try storeRecording(upload))
  }

  private func storeRecording(
    _ upload: UploadStore.Upload, isRepaired: Bool = false
  ) throws(StudioError) -> RecordingName {
    let name = try auxiliaryFiles.withLock { auxiliaryFiles throws(StudioError) in
      // Another program may have used the reserved name, so choose a free one.
      let others = auxiliaryFiles.uploads.uploads.values.filter {
        $0.id != upload.id && !$0.wasChanged
      }.map(\.name)
      let name = disk.freeName(upload.name) { isRecording($0) || others.contains($0) }
      try auxiliaryFiles.uploads.finish(upload, as: name, isRepaired: isRepaired)
      return name
    }
    recordChange()
    if let item = disk.item(name) { state.withLock { $0.catalog.setComplete(item) } }
    return name
  }

  // MARK: On the analysis thread

  /// Periodically completes abandoned uploads, and purges deleted recordings past their retention
  /// time.
  func performMaintenance() {
    let now = System.nanoseconds
    let wallTime = System.wallNanoseconds
    let (abandoned, isChanged) = auxiliaryFiles.withLock { auxiliaryFiles in
      guard now - auxiliaryFiles.maintenanceTime >= limits.maintenanceInterval else {
        return ([UploadStore.Upload](), false)
      }
      auxiliaryFiles.maintenanceTime = now
      let isChanged = auxiliaryFiles.deleted.refresh()
      let time = wallTime / 1_000_000 - limits.keptMilliseconds
      let purgedCount = auxiliaryFiles.deleted.purge(before: time)
      let uploads = auxiliaryFiles.uploads.abandoned(now: now, wallTime: wallTime) {
        isRecording($0)
      }
      for upload in uploads { auxiliaryFiles.uploads.setEnding(upload.id, true) }
      return (uploads, isChanged || purgedCount > 0)
    }
    if isChanged { recordChange() }
    for upload in abandoned { complete(upload) }
  }

  /// Turns an abandoned upload into a recording if it contains audio.
  private func complete(_ upload: UploadStore.Upload) {
    let path = auxiliaryFiles.withLock { $0.uploads.path(of: upload.id) }
    if marks.withLock({ $0.isQuarantined(upload.id, nil) }) { return quarantine(upload) }
    let hasSound: Bool
    do throws(SystemError) {
      hasSound = try marking(upload.id, nil) { () throws(SystemError) in
        try repairInPlace(path)
      }
    } catch {
      // The studio is shutting down, or the disk does not respond: retry next time.
      auxiliaryFiles.withLock { $0.uploads.setEnding(upload.id, false) }
      return
    }
    diskWorker.run { [self] in
      if hasSound {
        if (try? storeRecording(upload, isRepaired: true)) == nil {
          auxiliaryFiles.withLock { $0.uploads.setEnding(upload.id, false) }
        }
      } else {
        auxiliaryFiles.withLock { $0.uploads.remove(upload.id) }
        recordChange()
      }
      try? readFolder()
    }
  }

  /// Turns an upload into a recording, unchanged and in quarantine, because completing it crashed
  /// the process.
  private func quarantine(_ upload: UploadStore.Upload) {
    diskWorker.run { [self] in
      if let name = try? storeRecording(upload, isRepaired: true), let item = disk.item(name) {
        marks.withLock { $0.move(upload.id, to: name.text, item.version) }
      } else {
        auxiliaryFiles.withLock { $0.uploads.setEnding(upload.id, false) }
      }
      try? readFolder()
    }
  }
}
