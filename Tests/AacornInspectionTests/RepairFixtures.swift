import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles

@testable import AacornInspection

struct RepairFixture {
  var stream: AudioSpecificConfig
  var units: [AccessUnit]
  var trim: StreamTrim

  init(
    rate: Int = 48_000, channels: Int = 2, unitCount: Int = 60, isSilent: Bool = false,
    level: Int = 3
  ) throws {
    var encoder = try AACEncoder(
      .init(sampleRate: rate, channelCount: channels, rateControl: .variable(level: level)))
    var state: UInt32 = 1
    let count = (unitCount - 1) * 1024
    var samples: [Float] = []
    for index in 0..<count {
      for channel in 0..<channels {
        state = state &* 1_664_525 &+ 1_013_904_223
        let hiss = Float(Int32(bitPattern: state)) / 2_147_483_648
        let saw = Float(index * (7 + channel) % 441) / 441 - 0.5
        samples.append(isSilent ? 0 : 0.3 * saw + 0.1 * hiss)
      }
    }
    (stream, units, trim) = encoder.encoded(samples)
  }

  static let gap = Array(#"{"position":5,"length":480}"#.utf8)

  /// Returns a recording, either finished or as after a crash.
  func recording(reserve: Int = 4096, isFinished: Bool = false) throws -> [UInt8] {
    var configuration = MP4RecordingWriter.Configuration(stream: stream)
    configuration.timing.priming = trim.priming
    configuration.started = "2026-11-20T10:00:00.123Z"
    configuration.creationTime = 3_900_000_000
    configuration.tags.title = "A title"
    configuration.tags.coverImage = [0xFF, 0xD8, 0xFF, 1, 2, 3]
    configuration.unitsPerFragment = 10
    configuration.reservedByteCount = reserve
    var writer = try MP4RecordingWriter(configuration: configuration)
    var file = writer.start()
    for (index, unit) in units.enumerated() {
      try writer.append(unit, to: &file)
      if index == 14 { try writer.append(gap: Self.gap, to: &file) }
    }
    if isFinished {
      for write in try writer.finish(trim) { write.apply(to: &file) }
    } else {
      writer.flush(to: &file)
    }
    return file
  }

  /// Returns a file of the standard writer, either finished or as after a crash.
  func movie(_ layout: MP4Writer.Layout, isFinished: Bool = true) throws -> [UInt8] {
    try movieFile(
      units, stream, trim, layout, title: "A title", isFinished: isFinished)
  }

  /// Returns an ADTS stream, and the offsets of its frames.
  func adts(hasChecksum: Bool = false) throws -> (bytes: [UInt8], offsets: [Int]) {
    var writer = try ADTSWriter(configuration: stream, hasChecksum: hasChecksum)
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    for unit in units {
      offsets.append(bytes.count)
      try writer.append(unit, to: &bytes)
    }
    return (bytes, offsets)
  }

  func latm() throws -> [UInt8] {
    var writer = try LATMWriter(configuration: stream)
    var bytes: [UInt8] = []
    for unit in units { try writer.append(unit, to: &bytes) }
    return bytes
  }
}

extension AACEncoder {
  mutating func encoded(
    _ samples: [Float]
  ) -> (stream: AudioSpecificConfig, units: [AccessUnit], trim: StreamTrim) {
    encode(interleaved: samples.span)
    let trim = finish()
    var units: [AccessUnit] = []
    while let unit = nextAccessUnit() { units.append(unit) }
    return (audioSpecificConfig, units, trim)
  }
}

/// Returns an M4A file of the standard writer, either finished or as after a crash.
func movieFile(
  _ units: [AccessUnit], _ stream: AudioSpecificConfig, _ trim: StreamTrim,
  _ layout: MP4Writer.Layout, title: String? = nil, cover: [UInt8] = [],
  isFinished: Bool = true
) throws -> [UInt8] {
  var configuration = MP4Writer.Configuration(stream: stream, layout: layout)
  configuration.timing.priming = trim.priming
  configuration.expectedUnitCount = units.count
  configuration.tags.title = title
  configuration.tags.coverImage = cover
  var writer = try MP4Writer(configuration: configuration)
  var file = writer.start()
  for unit in units { try writer.append(unit, to: &file) }
  if !isFinished { return file }
  for write in try writer.finish(trim) { write.apply(to: &file) }
  return file
}

/// Returns the report about a file in memory; reads only existing bytes.
func report(_ file: [UInt8], decodesSound: Bool = false) -> StreamReport {
  FileInspection.report(byteCount: UInt64(file.count), decodesSound: decodesSound) {
    (offset, count) in
    let start = min(Int(offset), file.count)
    return Array(file[start..<min(start + count, file.count)])
  }
}

/// Returns the possible repair of a file in memory; reads only existing bytes.
func repair(_ file: [UInt8], _ hints: RepairHints = RepairHints()) -> RepairOutcome {
  FileRepair.outcome(byteCount: UInt64(file.count), hints: hints) { (offset, count) in
    precondition(count >= 0 && count <= 1 << 20)
    let start = min(Int(offset), file.count)
    return Array(file[start..<min(start + count, file.count)])
  }
}

/// Returns the errors that an inspection of a file in memory finds.
func errors(in file: [UInt8]) -> [StreamFault] {
  let report = report(file)
  let errors = report.faults.first.filter { $0.severity == .error }
  precondition(errors.isEmpty == (report.faults.errorCount == 0))
  return errors
}

extension RepairOutcome {
  var plan: RepairPlan? {
    if case .repairable(let plan) = self { return plan }
    return nil
  }

  var isIntact: Bool {
    if case .intact = self { return true }
    return false
  }

  var error: RepairError? {
    if case .irreparable(let error) = self { return error }
    return nil
  }

  var candidates: [AudioSpecificConfig]? {
    if case .needsConfiguration(let candidates) = self { return candidates }
    return nil
  }
}

extension RepairPlan {
  func made(from file: [UInt8]) -> [UInt8] {
    var new: [UInt8] = []
    for step in newFile {
      switch step {
      case .bytes(let bytes): new += bytes
      case .copy(let range): new += file[Int(range.lowerBound)..<Int(range.upperBound)]
      case .patch(let write): write.apply(to: &new)
      }
    }
    return new
  }

  /// Returns the file after a repair in place, or nil if that is not possible.
  func healed(_ file: [UInt8]) -> [UInt8]? {
    guard let inPlace else { return nil }
    var file = file
    if let writes = inPlace.writes { for write in writes { write.apply(to: &file) } }
    if let length = inPlace.truncation { file.removeSubrange(Int(length)...) }
    return file
  }
}

func movieFrames(_ file: [UInt8]) -> [[UInt8]] {
  let reader = MP4Reader(file: file)
  return (0..<reader.completeUnitCount).compactMap { index in
    reader.sample(at: index).map {
      Array(file[Int($0.offset)..<Int($0.offset) + Int($0.byteCount)])
    }
  }
}

extension [UInt8] {
  func offsets(of name: String) -> [Int] {
    indices.filter { self[$0...].starts(with: name.utf8) }
  }

  func offset(of name: String) -> Int? {
    indices.first { self[$0...].starts(with: name.utf8) }
  }
}
