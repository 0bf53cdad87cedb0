import AacornSystem

/// Waveforms that are known, and those that somebody waits for: who asked last is served first.
struct WaveformStore {
  /// A waveform, or that there is none.
  enum Waveform: Equatable {
    case levels([UInt8])
    case none(LibraryFailure)
    /// It could not be found out; who asks again may have more luck.
    case failure(LibraryFailure)
  }

  private struct Known {
    var size: Int
    var modified: Int64
    var waveform: Waveform
    var age: Int
  }

  private var known: [RecordingName: Known] = [:]
  /// The latest wish last.
  private var wishes: [LibraryFolder.Item] = []
  private var clock = 0

  /// Waveforms that are kept: about one megabyte of them.
  static let limit = 2000
  /// Wishes that are kept; a page that shows more asks again.
  static let wishLimit = 500

  /// Whether somebody waits.
  var hasWishes: Bool { !wishes.isEmpty }

  /// Waveforms that are kept just now.
  var count: Int { known.count }

  /// The waveform of a file as it is now; nil if it has to be found out.
  ///
  /// A failure is told once.
  mutating func waveform(of item: LibraryFolder.Item) -> Waveform? {
    guard let entry = known[item.name], entry.size == item.size, entry.modified == item.modified
    else { return nil }
    if case .failure = entry.waveform {
      known[item.name] = nil
      return entry.waveform
    }
    clock += 1
    known[item.name]?.age = clock
    return entry.waveform
  }

  /// Somebody wants to know a waveform.
  mutating func wish(_ item: LibraryFolder.Item) {
    wishes.removeAll { $0.name == item.name }
    wishes.append(item)
    if wishes.count > Self.wishLimit { wishes.removeFirst() }
  }

  /// The wish that is to be fulfilled next.
  mutating func nextWish() -> LibraryFolder.Item? { wishes.popLast() }

  /// Keeps a waveform, and forgets what nobody has asked for the longest time if there are many.
  mutating func keep(_ waveform: Waveform, of item: LibraryFolder.Item) {
    clock += 1
    known[item.name] = Known(
      size: item.size, modified: item.modified, waveform: waveform, age: clock)
    guard known.count > Self.limit else { return }
    let ages = known.values.map(\.age).sorted()
    let oldest = ages[known.count - Self.limit * 9 / 10]
    known = known.filter { $0.value.age >= oldest }
  }

  /// A file has another name.
  mutating func rename(_ name: RecordingName, to newName: RecordingName) {
    if let entry = known.removeValue(forKey: name) { known[newName] = entry }
  }
}
