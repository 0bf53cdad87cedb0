import AacornContainers
import AacornNetwork
import AacornSystem

// All methods here run on the library's disk thread.
extension StudioLibrary {
  /// Parses the name of a recording in a request.
  func name(_ text: String) throws(StudioError) -> RecordingName {
    guard let name = RecordingName(text), name.format != nil else { throw .noRecording(text) }
    if auxiliaryFiles.withLock({ $0.uploads.isReserved(name) }), disk.item(name) == nil {
      throw StudioError(
        409, "“\(displayed(text))” is still being uploaded. Wait until it is complete.")
    }
    return name
  }

  /// The maximum number of unsupported files to list by name; further files are only counted.
  private static let maxListedOtherCount = 20

  /// The contents of the library for the page.
  func list() throws(StudioError) -> JSONValue {
    try readFolder()
    waitForFacts()
    let free = disk.freeBytes
    let now = System.nanoseconds
    let wallTime = System.wallNanoseconds
    let (uploads, deleted) = auxiliaryFiles.withLock { auxiliaryFiles in
      (
        auxiliaryFiles.uploads.uploads.values.sorted {
          ($0.modified, $0.id) > ($1.modified, $1.id)
        },
        auxiliaryFiles.deleted.items
      )
    }
    return state.withLock { state in
      let recordings =
        uploads.map {
          LibraryCatalog.json(
            LibraryFolder.Item(
              name: $0.name, format: $0.format, size: $0.size, modified: $0.modified),
            .uploading, nil)
        } + state.catalog.list(now: now, wallTime: wallTime)
      return [
        "revision": .integer(state.catalog.revision), "folder": .text(disk.path),
        "freeBytes": .optional(free), "recordings": .list(recordings),
        "otherCount": .integer(state.catalog.others.count),
        "others": .list(state.catalog.others.prefix(Self.maxListedOtherCount).map { .text($0) }),
        "deleted": .list(
          deleted.map { item in
            [
              "id": .text(item.id), "name": .text(item.name.text),
              "bytes": .integer(item.size),
              "deletedAt": .integer(Int(item.deletedAt)),
            ]
          }),
      ]
    }
  }

  /// Returns a recording's waveform, or status 202 while it is being computed.
  func waveform(_ text: String) throws(StudioError) -> HTTPResponse {
    let name = try name(text)
    guard let item = disk.item(name) else { throw .noRecording(text) }
    let now = System.nanoseconds
    var isRecording = false
    var isGrowing = false
    let waveform: WaveformStore.Waveform? = state.withLock { state in
      isRecording = state.catalog.recording.contains(name)
      isGrowing = isRecording || state.catalog.hasGrown(name, now: now)
      if isGrowing { return nil }
      if let waveform = state.waveforms.waveform(of: item) { return waveform }
      state.waveforms.request(item)
      return nil
    }
    if isGrowing {
      let reason = isRecording ? "is being recorded. " : Self.beingWritten(disk.path(of: name))
      throw StudioError(
        409, "“\(displayed(text))” \(reason)Its waveform will be available afterwards.")
    }
    switch waveform {
    case .levels(let levels):
      return HTTPResponse(
        headers: [
          HTTPField("Content-Type", "application/octet-stream"),
          HTTPField("ETag", item.version.tag),
          HTTPField("Cache-Control", "no-cache"),
        ], body: levels)
    case .none(let failure)?, .failure(let failure)?: throw failure
    case nil:
      analyst.wake()
      return HTTPResponse(
        status: 202,
        headers: [HTTPField("Cache-Control", "no-store"), HTTPField("Retry-After", "1")])
    }
  }

  /// Renames a recording; the suffix does not change.
  func rename(_ text: String, to requestedName: String?) throws(StudioError) -> JSONValue {
    guard let requestedName else {
      throw StudioError(400, "The new name is missing. Send it as “to”.")
    }
    let item = try idleItem(text)
    let newName = try Self.newName(for: item.name, requestedName)
    if newName == item.name { return Self.named(newName) }
    let path = disk.path(of: item.name)
    let newPath = disk.path(of: newName)
    do throws(SystemError) {
      if isReserved(newName) { throw .exists }
      if newName.text.lowercased() == item.name.text.lowercased(),
        let one = try? System.statusOfLink(path), let other = try? System.statusOfLink(newPath),
        one.identity == other.identity
      {
        // On a disk that ignores case, the file itself already has that name.
        try System.rename(path, to: newPath)
      } else if disk.isTaken(newName) {
        throw .exists
      } else {
        try LibraryFolder.move(path, to: newPath)
      }
    } catch {
      if error == .exists {
        throw StudioError(
          409,
          "There is already a file “\(displayed(newName.text))” in the library. Choose another"
            + " name.")
      }
      throw StudioError(cannot: "rename", text, error)
    }
    marks.withLock { $0.move(item.name.text, to: newName.text, item.version) }
    state.withLock { state in
      state.catalog.rename(item.name, to: newName)
      state.waveforms.rename(item.name, to: newName)
    }
    return Self.named(newName)
  }

  static func named(_ name: RecordingName) -> JSONValue {
    ["name": .text(name.text)]
  }

  /// Returns the new name for a recording, with the old suffix.
  private static func newName(
    for name: RecordingName, _ requestedName: String
  ) throws(StudioError) -> RecordingName {
    var text = requestedName
    while let last = text.last, last == " " { text.removeLast() }
    while let first = text.first, first == " " { text.removeFirst() }
    if text.isEmpty { throw StudioError(400, "The new name is empty. Type one.") }
    let ending = "." + name.suffix
    let hasEnding = text.lowercased().hasSuffix(ending.lowercased())
    let stem = hasEnding ? String(text.dropLast(ending.count)) : text
    if stem.isEmpty { throw StudioError(400, "The new name has only a suffix. Type a name.") }
    if let problem = RecordingName.problem(withNew: stem + ending) {
      throw StudioError(
        400,
        "“\(displayed(requestedName))” cannot be the name of a recording: \(problem). Choose another"
          + " one.")
    }
    guard let newName = RecordingName(stem + ending) else { throw .noRecording(requestedName) }
    return newName
  }

  /// Moves a recording to the deleted recordings.
  func delete(_ text: String) throws(StudioError) -> JSONValue {
    let item = try idleItem(text)
    let wallTime = System.wallNanoseconds
    let deleted = try auxiliaryFiles.withLock { auxiliaryFiles throws(StudioError) in
      try auxiliaryFiles.deleted.add(item.name, at: wallTime)
    }
    recordChange()
    return ["id": .text(deleted.id)]
  }

  /// Restores a deleted recording.
  func restore(_ id: String) throws(StudioError) -> JSONValue {
    let name = try auxiliaryFiles.withLock { auxiliaryFiles throws(StudioError) in
      let uploads = auxiliaryFiles.uploads
      return try auxiliaryFiles.deleted.restore(id) { isRecording($0) || uploads.isReserved($0) }
    }
    recordChange()
    // No program has written to the file since its deletion, so it is complete, however new it is.
    if let item = disk.item(name) { state.withLock { $0.catalog.setComplete(item) } }
    return Self.named(name)
  }

  /// Removes a deleted recording permanently.
  func erase(_ id: String) throws(StudioError) -> JSONValue {
    try auxiliaryFiles.withLock { files throws(StudioError) in try files.deleted.erase(id) }
    recordChange()
    return .object([])
  }
}
