import AacornSystem

/// The computed waveforms and the pending requests.
///
/// The latest request is served first.
struct WaveformStore {
  /// A waveform, or the reason for its absence.
  enum Waveform: Equatable {
    case levels([UInt8])
    case none(LibraryFailure)
    /// The waveform could not be computed; a later request may succeed.
    case failure(LibraryFailure)
  }

  private struct Known {
    var size: Int
    var modified: Int64
    var waveform: Waveform
    var age: Int
  }

  private var known: [RecordingName: Known] = [:]
  /// The pending requests, the latest one last.
  private var requests: [LibraryFolder.Item] = []
  private var clock = 0

  /// The maximum number of stored waveforms, about one megabyte in total.
  static let limit = 2000
  /// The maximum number of pending requests; a page that shows more recordings repeats its
  /// requests.
  static let requestLimit = 500

  /// Whether requests are pending.
  var hasRequests: Bool { !requests.isEmpty }

  /// The number of stored waveforms.
  var count: Int { known.count }

  /// Returns the waveform of a file in its current state; nil if it must be computed.
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
  mutating func request(_ item: LibraryFolder.Item) {
    requests.removeAll { $0.name == item.name }
    requests.append(item)
    if requests.count > Self.requestLimit { requests.removeFirst() }
  }

  /// Removes and returns the request to serve next.
  mutating func nextRequest() -> LibraryFolder.Item? { requests.popLast() }

  /// Stores a waveform; beyond the maximum, drops the least recently requested ones.
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
