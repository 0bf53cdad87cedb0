import AacornCodec
import AacornContainers
import AacornInspection
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// The computed waveforms and the pending requests.
///
/// The latest request is served first.
struct WaveformStore {
  /// A waveform, or the reason for its absence.
  enum Waveform: Equatable {
    case levels([UInt8])
    case none(StudioError)
    /// The waveform could not be computed; a later request may succeed.
    case failure(StudioError)
  }

  private struct Known {
    var version: RecordingVersion
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
    guard let entry = known[item.name], entry.version == item.version else { return nil }
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
    known[item.name] = Known(version: item.version, waveform: waveform, age: clock)
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

/// A reader that computes the level of a file over time, for a picture before playback.
struct WaveformReader {
  /// The number of levels for a complete file.
  static let levelCount = 400

  private let file: FileBytes

  init(_ file: FileBytes) { self.file = file }

  /// Computes the levels, linear in amplitude, each the maximum of its part; nil if there is no
  /// audio.
  func levels() throws(SystemError) -> [UInt8]? {
    let head = try file.read(0, 16)
    switch FileKind(prefix: head.span) {
    case .wav, .aiff, .caf: return try sampleLevels()
    default: break
    }
    return try unitLevels()
  }

  // MARK: AAC

  private func unitLevels() throws(SystemError) -> [UInt8]? {
    var reader = CodedFileReader(byteCount: UInt64(file.size))
    var envelope: SoundEnvelope?
    var unitCount = 0
    // An error ends the units, too.
    reading: while let step = try? reader.step() {
      switch step {
      case .need(let offset, let count):
        reader.supply(try file.read(Int(clamping: offset), count))
      case .configuration(let configuration):
        // After a format change, a different stream begins, which the waveform does not show.
        if envelope == nil { envelope = SoundEnvelope(configuration) }
      case .unit(let unit):
        // Missing units count as silence.
        while unitCount < unit.index {
          envelope?.append([])
          unitCount += 1
        }
        envelope?.append(unit.bytes)
        unitCount += 1
      case .damage: break
      case .end: break reading
      }
    }
    return unitCount > 0 ? envelope?.levels(Self.levelCount) : nil
  }

  // MARK: Samples

  private func sampleLevels() throws(SystemError) -> [UInt8]? {
    guard let info = try SoundExaminer.sampleInfo(of: file) else { return nil }
    let start = Int(clamping: info.dataOffset)
    let rest = max(0, file.size - start)
    let byteCount = min(info.dataByteCount.map { Int(clamping: $0) } ?? rest, rest)
    let sampleCount = byteCount / info.format.bytesPerFrame * info.format.channelCount
    guard sampleCount > 0 else { return nil }
    var reader = PCMFrameReader(format: info.format, byteCount: UInt64(byteCount))
    var peaks = [Float](repeating: 0, count: Self.levelCount)
    var samples: [Float] = []
    var position = 0
    var offset = start
    while offset < start + byteCount {
      let bytes = try file.read(offset, min(SoundExaminer.blockSize, start + byteCount - offset))
      if bytes.isEmpty { break }
      offset += bytes.count
      samples.removeAll(keepingCapacity: true)
      reader.read(bytes.span, into: &samples)
      for sample in samples {
        let part = position * Self.levelCount / sampleCount
        position += 1
        if part < peaks.count, sample.magnitude > peaks[part] { peaks[part] = sample.magnitude }
      }
    }
    // With fewer samples than levels, repeat samples so that no level is empty.
    if sampleCount < Self.levelCount {
      for part in 1..<peaks.count where part * sampleCount % Self.levelCount >= sampleCount {
        peaks[part] = peaks[part - 1]
      }
    }
    return peaks.map { UInt8(min(255, $0 * 255 + 0.5)) }
  }
}
