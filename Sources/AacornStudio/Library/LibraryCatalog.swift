import AacornContainers
import AacornRecording
import AacornSystem

/// The known properties of the library's files, readable without disk access.
struct LibraryCatalog {
  /// A file and its known properties.
  struct Entry {
    var item: LibraryFolder.Item
    var facts: RecordingFacts?
    /// The last time at which the file was seen to grow, in nanoseconds on the monotonic clock.
    var growthTime: Int64?
    /// The time at which to examine the file again even if unchanged, on the monotonic clock.
    var retryTime: Int64?
    /// The damaged file from which a repair has made this one.
    var original: RecordingVersion?
  }

  /// The state of a file as shown on the page.
  enum Status: String {
    case fine, recording, uploading, unknown
    /// The file is a recording that was not completed: it can be played, and repaired without loss.
    case unfinished
    /// The file can be repaired.
    case damaged
    /// The file contains no audio that this program can recover.
    case unreadable
    /// The studio crashed while it was working on the file, and has not opened the file since.
    case quarantined
    /// Another program is writing the file, or was a moment ago.
    case growing
  }

  /// The displayed properties of a file, compared to detect changes.
  private struct DisplayedProperties: Equatable {
    var status: Status
    var size: Int
    var modified: Int64
  }

  private(set) var entries: [RecordingName: Entry] = [:]
  /// The names of audio and video files in unsupported formats, sorted by bytes.
  private(set) var others: [String] = []
  /// The files that the studio's recorder is writing.
  private(set) var recording: Set<RecordingName> = []
  /// The files known to be finished, with their modification times at that point.
  private var complete: [RecordingName: Int64] = [:]
  private var shown: [RecordingName: DisplayedProperties] = [:]
  /// The time at which the folder was last read, on the monotonic clock.
  private var readTime: Int64?
  /// The number of changes, sent to pages so that they detect a new one.
  private(set) var revision = 1

  /// The time in nanoseconds for which a file that grew or changed counts as being written.
  static let growthTime: Int64 = 3_000_000_000
  /// The time in nanoseconds before reading an unreadable file is retried.
  static let retryDelay: Int64 = 30_000_000_000

  /// Counts a change.
  mutating func change() { revision += 1 }

  /// Updates the entries to the current contents of the folder.
  ///
  /// `now` is on the monotonic clock, `wallTime` on the wall clock.
  mutating func update(_ items: [LibraryFolder.Item], now: Int64, wallTime: Int64) {
    var entries: [RecordingName: Entry] = [:]
    entries.reserveCapacity(items.count)
    for item in items { entries[item.name] = entry(of: item, now: now, wallTime: wallTime) }
    self.entries = entries
    readTime = now
    complete = complete.filter { entries[$0.key]?.item.modified == $0.value }
    compare(now: now, wallTime: wallTime)
  }

  /// Sets the names of audio and video files in unsupported formats.
  mutating func setOthers(_ names: [RecordingName]) {
    let others = names.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    if others == self.others { return }
    self.others = others
    revision += 1
  }

  /// Returns the entry for the current state of a file.
  private func entry(of item: LibraryFolder.Item, now: Int64, wallTime: Int64) -> Entry {
    guard var entry = entries[item.name] else { return Entry(item: item) }
    if entry.item == item { return entry }
    entry = Entry(item: item, growthTime: now)
    // After a long time without reading the folder, only the modification time shows when the file
    // changed.
    if let readTime, now - readTime > 2 * Self.growthTime {
      entry.growthTime = now - max(0, wallTime - item.modified)
    }
    return entry
  }

  /// Updates the entry of a changed file; a nil `item` removes the entry.
  mutating func update(
    _ name: RecordingName, to item: LibraryFolder.Item?, now: Int64, wallTime: Int64
  ) {
    if let item {
      entries[name] = entry(of: item, now: now, wallTime: wallTime)
    } else {
      entries[name] = nil
    }
    compare(now: now, wallTime: wallTime)
  }

  /// Counts a change if it is visible on the page.
  private mutating func compare(now: Int64, wallTime: Int64) {
    var shown: [RecordingName: DisplayedProperties] = [:]
    shown.reserveCapacity(entries.count)
    for (name, entry) in entries {
      shown[name] = self.shown(entry, now: now, wallTime: wallTime)
    }
    if shown != self.shown { revision += 1 }
    self.shown = shown
  }

  private func shown(_ entry: Entry, now: Int64, wallTime: Int64) -> DisplayedProperties {
    let status = status(of: entry, now: now, wallTime: wallTime)
    // The page follows growing files by other events, so their size is not compared.
    let isGrowing = status == .recording || status == .growing
    return DisplayedProperties(
      status: status, size: isGrowing ? 0 : entry.item.size,
      modified: isGrowing ? 0 : entry.item.modified)
  }

  /// Returns the displayed state of a file.
  func status(of entry: Entry, now: Int64, wallTime: Int64) -> Status {
    let item = entry.item
    if recording.contains(item.name) { return .recording }
    if complete[item.name] != item.modified {
      if hasGrown(item.name, now: now) { return .growing }
      if Self.isRecent(item, wallTime), let facts = entry.facts, !facts.isComplete {
        return .growing
      }
    }
    return entry.facts?.status ?? .unknown
  }

  /// Whether a file is so new that another program may still be writing it.
  ///
  /// Files with a modification time in the future do not count as new.
  private static func isRecent(_ item: LibraryFolder.Item, _ wallTime: Int64) -> Bool {
    let age = wallTime - item.modified
    return age >= 0 && age < growthTime
  }

  /// Whether another program may be writing a file, judged by its last growth and its age.
  func mayGrow(_ name: RecordingName, now: Int64, wallTime: Int64) -> Bool {
    guard let entry = entries[name], complete[name] != entry.item.modified else { return false }
    if hasGrown(name, now: now) { return true }
    return Self.isRecent(entry.item, wallTime) && entry.facts?.isComplete != true
  }

  /// Whether a file was recently seen growing.
  func hasGrown(_ name: RecordingName, now: Int64) -> Bool {
    guard let entry = entries[name], let time = entry.growthTime,
      complete[name] != entry.item.modified
    else { return false }
    return now - time < Self.growthTime
  }

  /// Records whether the recorder is writing a file.
  mutating func setRecording(_ name: RecordingName, _ isRecording: Bool) {
    let isNew = isRecording ? recording.insert(name).inserted : recording.remove(name) != nil
    if isNew { revision += 1 }
  }

  /// Records that a file is finished.
  mutating func setComplete(_ item: LibraryFolder.Item) {
    complete[item.name] = item.modified
  }

  /// Records that a repair has made a file from a damaged one.
  mutating func recordRepair(
    _ item: LibraryFolder.Item, of original: RecordingVersion, now: Int64, wallTime: Int64
  ) {
    update(item.name, to: item, now: now, wallTime: wallTime)
    entries[item.name]?.original = original
    revision += 1
  }

  /// The names of the intact files that repairs have made, by the damaged files.
  private var repairedCopies: [RecordingVersion: RecordingName] {
    var copies: [RecordingVersion: RecordingName] = [:]
    for (name, entry) in entries where entry.facts?.status ?? .fine == .fine {
      if let original = entry.original { copies[original] = name }
    }
    return copies
  }

  /// Returns the name of the intact file that a repair has made from this one; nil if there is none.
  func repairedName(of name: RecordingName) -> RecordingName? {
    entries[name].flatMap { repairedCopies[$0.item.version] }
  }

  /// Moves the known properties of a file to its new name.
  mutating func rename(_ name: RecordingName, to newName: RecordingName) {
    guard var entry = entries.removeValue(forKey: name), let format = newName.format else { return }
    entry.item.name = newName
    entry.item.format = format
    entries[newName] = entry
    if let modified = complete.removeValue(forKey: name) { complete[newName] = modified }
  }

  /// Drops the known properties of a file, so that the file is examined again.
  mutating func dropFacts(of name: RecordingName) {
    entries[name]?.facts = nil
    entries[name]?.retryTime = nil
    revision += 1
  }

  /// The files that are still unknown, or were unreadable a while ago, at most `limit`.
  ///
  /// The newest come first, and long ones at the end, so that no file waits for minutes of reading.
  func unexamined(_ limit: Int, now: Int64, wallTime: Int64) -> [LibraryFolder.Item] {
    let items = entries.values.filter { entry in
      if let time = entry.retryTime { return now >= time }
      return entry.facts == nil && status(of: entry, now: now, wallTime: wallTime) == .unknown
    }
    return Array(items.map(\.item).sorted(by: LibraryFolder.Item.isSooner).prefix(limit))
  }

  /// Stores the properties of an examined file, unless the file has changed since.
  mutating func setFacts(
    _ facts: RecordingFacts, of item: LibraryFolder.Item, now: Int64, wallTime: Int64
  ) {
    guard var entry = entries[item.name], entry.item == item else { return }
    let isChanged = entry.facts != facts
    entry.facts = facts
    entry.original = facts.original ?? entry.original
    entry.retryTime = facts.mayBeTemporary ? now + Self.retryDelay : nil
    entries[item.name] = entry
    guard isChanged else { return }
    // Compare only this file, since there may be thousands.
    shown[item.name] = shown(entry, now: now, wallTime: wallTime)
    revision += 1
  }
}

extension LibraryFolder.Item {
  /// Whether the file is so long that reading it may take seconds.
  var isLong: Bool { size > 256 << 20 }

  /// Whether the first file is examined before the second one.
  fileprivate static func isSooner(_ first: Self, _ second: Self) -> Bool {
    if first.isLong || second.isLong, first.size != second.size { return first.size < second.size }
    return isNewer(first, second)
  }

  /// Whether the first file precedes the second one in the list.
  static func isNewer(_ first: Self, _ second: Self) -> Bool {
    if first.modified != second.modified { return first.modified > second.modified }
    return first.name.text.utf8.lexicographicallyPrecedes(second.name.text.utf8)
  }
}

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
    let copies = repairedCopies
    return shown.map { entry in
      let status = status(of: entry, now: now, wallTime: wallTime)
      // Properties from before the file grew are outdated, so omit them.
      let isChanging = status == .recording || status == .growing
      let isDamaged = status == .unfinished || status == .damaged
      return Self.json(
        entry.item, status, isChanging ? nil : entry.facts,
        repaired: isDamaged ? copies[entry.item.version] : nil)
    }
  }

  /// Returns the page's description of a file; `repaired` is the name of its repaired copy.
  static func json(
    _ item: LibraryFolder.Item, _ status: Status, _ facts: RecordingFacts?,
    repaired: RecordingName? = nil
  ) -> JSONValue {
    [
      "name": .text(item.name.text), "bytes": .integer(item.size),
      "modified": .integer(Int(item.modified / 1_000_000)),
      "format": .text(item.format.rawValue),
      "seconds": facts?.seconds.map { .decimal($0, 3) } ?? .null,
      "sampleRate": .optional(facts?.sampleRate),
      "channels": .optional(facts?.channelCount),
      "bitrate": .optional(facts?.bitrate),
      "status": .text(status.rawValue), "problem": .optional(facts?.problem),
      "repairedName": .optional(repaired?.text),
      "gapCount": .integer(facts?.gapCount ?? 0),
    ]
  }
}
