import AacornSystem

/// Known waveforms, and requested ones: the latest request is served first.
struct WaveformStore {
  /// A waveform, or that there is none.
  enum Waveform: Equatable {
    case levels([UInt8])
    case none(LibraryFailure)
    /// It could not be computed; a later request may succeed.
    case failure(LibraryFailure)
  }

  private struct Known {
    var size: Int
    var modified: Int64
    var waveform: Waveform
    var age: Int
  }

  private var known: [RecordingName: Known] = [:]
  /// The latest request comes last.
  private var wishes: [LibraryFolder.Item] = []
  private var clock = 0

  /// The most waveforms kept: about one megabyte of them.
  static let limit = 2000
  /// The most requests kept; a page that shows more asks again.
  static let wishLimit = 500

  /// Whether there are requests.
  var hasWishes: Bool { !wishes.isEmpty }

  /// The number of waveforms kept now.
  var count: Int { known.count }

  /// The waveform of a file in its current state; nil if it must be computed.
  ///
  /// A failure is returned only once.
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

  /// Records a request for a waveform.
  mutating func wish(_ item: LibraryFolder.Item) {
    wishes.removeAll { $0.name == item.name }
    wishes.append(item)
    if wishes.count > Self.wishLimit { wishes.removeFirst() }
  }

  /// The request to serve next.
  mutating func nextWish() -> LibraryFolder.Item? { wishes.popLast() }

  /// Stores a waveform, and drops the least recently requested one if there are many.
  mutating func keep(_ waveform: Waveform, of item: LibraryFolder.Item) {
    clock += 1
    known[item.name] = Known(
      size: item.size, modified: item.modified, waveform: waveform, age: clock)
    guard known.count > Self.limit else { return }
    let ages = known.values.map(\.age).sorted()
    let oldest = ages[known.count - Self.limit * 9 / 10]
    known = known.filter { $0.value.age >= oldest }
  }

  /// Records that a file was renamed.
  mutating func rename(_ name: RecordingName, to newName: RecordingName) {
    if let entry = known.removeValue(forKey: name) { known[newName] = entry }
  }
}
