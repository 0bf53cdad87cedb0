import AacornRecording

extension LibraryCatalog {
  /// Returns the files as the page lists them, the newest first.
  func list(now: Int64, wallTime: Int64) -> [JSONValue] {
    var shown = Array(entries.values)
    // The recorder may not have created its file yet, but pages list the recording already.
    for name in recording where entries[name] == nil {
      guard let format = name.format else { continue }
      let item = LibraryFolder.Item(name: name, format: format, size: 0, modified: wallTime)
      shown.append(Entry(item: item))
    }
    shown.sort { LibraryFolder.Item.isNewer($0.item, $1.item) }
    return shown.map { entry in
      let status = status(of: entry, now: now, wallTime: wallTime)
      // Properties from before the file grew are outdated, so omit them.
      let isChanging = status == .recording || status == .growing
      return Self.json(entry.item, status, isChanging ? nil : entry.facts)
    }
  }

  /// Returns the page's description of a file that is still being uploaded.
  static func json(
    uploading name: RecordingName, _ format: SoundFileFormat, size: Int, modified: Int64
  ) -> JSONValue {
    json(
      LibraryFolder.Item(name: name, format: format, size: size, modified: modified), .uploading,
      nil)
  }

  private static func json(
    _ item: LibraryFolder.Item, _ status: Status, _ facts: SoundFacts?
  ) -> JSONValue {
    .object([
      .init("name", .text(item.name.text)), .init("bytes", .integer(item.size)),
      .init("modified", .integer(Int(item.modified / 1_000_000))),
      .init("format", .text(item.format.rawValue)),
      .init("seconds", facts?.seconds.map { .decimal($0, 3) } ?? .null),
      .init("sampleRate", .optional(facts?.sampleRate)),
      .init("channels", .optional(facts?.channelCount)),
      .init("bitrate", .optional(facts?.bitrate)),
      .init("status", .text(status.rawValue)), .init("problem", .optional(facts?.problem)),
      .init("gapCount", .integer(facts?.gapCount ?? 0)),
    ])
  }
}
