import AacornContainers
import AacornInspection
import AacornRecording
import AacornSoundFiles
import AacornSystem

/// Reads one input with the suitable inspector.
struct InspectSession {
  /// The result.
  struct Outcome {
    var report = StreamReport()
    /// The tags of an MP4 file.
    var tags = MP4Tags()
    /// The gaps of a recording.
    var gaps: [GapNote] = []
  }

  private let path: String
  private let file: InputFile
  private let decodesSound: Bool
  private let interruption: Interruption
  private let takeRow: (FrameRow) -> Void

  private static let blockSize = 65_536
  /// The most that is accepted from a pipe where it must fit into memory.
  ///
  /// That is an MP4 file, which is not read in order, and what is decoded as well, so read twice.
  private static let pipeLimit = 64_000_000
  /// The largest gap file.
  private static let sidecarLimit = 16_000_000

  /// Opens an input; `takeRow` is called with every frame.
  init(
    _ path: String, decodesSound: Bool, interruption: Interruption,
    takeRow: @escaping (FrameRow) -> Void
  ) throws(CommandFailure) {
    self.path = path
    self.decodesSound = decodesSound
    file = try InputFile(path, interruption: interruption)
    self.interruption = interruption
    self.takeRow = takeRow
  }

  /// Reads everything.
  func run() throws(CommandFailure) -> Outcome {
    var head = [UInt8](repeating: 0, count: Self.blockSize)
    var count = 0
    // A pipe may hand out less than is needed to tell what it is.
    while count < PCMFileKind.longPrefixCount {
      let added = try file.read(into: &head, from: count)
      if added == 0 { break }
      count += added
    }
    head.removeSubrange(count...)
    try file.refuseWithoutAAC(head)
    let isMovie = StreamInspector.needsSeeking(head)
    if !isMovie && !decodesSound { return try inspectStream(head) }
    if let size = file.size {
      return try inspect(isMovie, head, size) { (offset, count) throws(CommandFailure) in
        try file.bytes(at: offset, count: count)
      }
    }
    let rest = try file.readAll(limit: Self.pipeLimit - head.count)
    let bytes = head + rest
    return try inspect(isMovie, head, bytes.count) { offset, count in
      let start = min(offset, bytes.count)
      return Array(bytes[start..<min(bytes.count, start + count)])
    }
  }

  /// Inspects what can be read at any place, and decodes it if that is wanted.
  private func inspect(
    _ isMovie: Bool, _ head: [UInt8], _ size: Int,
    read: (_ offset: Int, _ count: Int) throws(CommandFailure) -> [UInt8]
  ) throws(CommandFailure) -> Outcome {
    var outcome: Outcome
    if isMovie {
      outcome = try inspectMovie(size: size, read: read)
    } else {
      var position = head.count
      outcome = try inspectStream(head) { () throws(CommandFailure) in
        let bytes = try read(position, Self.blockSize)
        position += bytes.count
        return bytes
      }
    }
    guard decodesSound else { return outcome }
    outcome.report.add(
      try FileInspection.sound(byteCount: UInt64(size)) {
        (offset, count) throws(CommandFailure) in
        try read(Int(clamping: offset), count)
      })
    return outcome
  }

  /// Inspects what is read from beginning to end.
  private func inspectStream(_ head: [UInt8]) throws(CommandFailure) -> Outcome {
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    return try inspectStream(head) { () throws(CommandFailure) in
      let count = try file.read(into: &block)
      return count == block.count ? block : Array(block[..<count])
    }
  }

  /// Inspects a stream; `next` gives the bytes behind its head, none at the end.
  private func inspectStream(
    _ head: [UInt8], next: () throws(CommandFailure) -> [UInt8]
  ) throws(CommandFailure) -> Outcome {
    var inspector = StreamInspector()
    inspector.append(head)
    while true {
      while let row = inspector.next() { takeRow(row) }
      let bytes = try next()
      if bytes.isEmpty { break }
      inspector.append(bytes)
    }
    inspector.finish()
    while let row = inspector.next() { takeRow(row) }
    return Outcome(report: inspector.report, gaps: sidecarGaps)
  }

  /// The gaps of a recording in a format without a place for them, from the file beside it.
  private var sidecarGaps: [GapNote] {
    // Anything other than a file, such as a pipe, could block.
    let sidecar = GapSidecar.path(of: path)
    guard path != "-", (try? System.status(of: sidecar))?.kind == .file,
      let file = try? InputFile(sidecar, interruption: interruption),
      let text = try? file.readAll(limit: Self.sidecarLimit)
    else { return [] }
    return JSONArray.elements(of: text[...]).map { GapNote(Array(text[$0])) }
  }

  private func inspectMovie(
    size: Int, read: (_ offset: Int, _ count: Int) throws(CommandFailure) -> [UInt8]
  ) throws(CommandFailure) -> Outcome {
    var inspector = MovieInspector(byteCount: UInt64(size))
    while true {
      switch inspector.step() {
      case .need(let offset, let count):
        inspector.supply(try read(Int(clamping: offset), count))
      case .row(let row):
        takeRow(row)
      case .finished:
        let report = inspector.report
        return Outcome(
          report: report, tags: inspector.reader.tags, gaps: report.gapEntries.map(GapNote.init))
      }
    }
  }
}
