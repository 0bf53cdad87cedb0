import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
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
  private let interruption: Interruption
  private let takeRow: (FrameRow) -> Void

  private static let blockSize = 65_536
  /// The largest MP4 file that is accepted from a pipe: it must fit into memory.
  private static let pipeLimit = 64_000_000
  /// The largest gap file.
  private static let sidecarLimit = 16_000_000

  /// Opens an input; `takeRow` is called with every frame.
  init(
    _ path: String, interruption: Interruption, takeRow: @escaping (FrameRow) -> Void
  ) throws(CommandFailure) {
    self.path = path
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
    try refuseOtherFormats(head)
    guard StreamInspector.needsSeeking(head) else { return try inspectStream(head) }
    if let size = file.size { return try inspectMovie(size: size, read: read) }
    let rest = try file.readAll(limit: Self.pipeLimit - head.count)
    let bytes = head + rest
    return try inspectMovie(size: bytes.count) { offset, count in
      let start = min(offset, bytes.count)
      return Array(bytes[start..<min(bytes.count, start + count)])
    }
  }

  /// Throws for what is known to hold no AAC, or to be read by nobody here; says what it is.
  private func refuseOtherFormats(_ head: [UInt8]) throws(CommandFailure) {
    let name: String
    switch try file.kind(startingWith: head) {
    case .unknown: return
    case .other(let format):
      if format.mayHoldAAC { return }
      throw CommandFailure(
        .unsupported, "“\(displayed(file.path))” is \(format.phrase). \(Self.whatIsRead)")
    case .wav: name = "a WAV file"
    case .aiff: name = "an AIFF file"
    case .caf: name = "a CAF file"
    }
    var rest = ". " + Self.whatIsRead
    var reader = PCMFileReader(canSeek: false)
    do throws(PCMFileError) {
      if case .ready(let info) = try reader.push(head.span) {
        let rate = QuantityText.frequency(info.format.sampleRate)
        let channels = QuantityText.count(info.format.channelCount, "channel")
        rest =
          " with PCM sound (\(rate), \(channels)) and without AAC. “aacorn encode” reads it."
      }
    } catch {
      // Neither a sound file nor one of ours, such as a picture in RIFF.
      if error == .notRecognized { return }
    }
    throw CommandFailure(.unsupported, "“\(displayed(file.path))” is \(name)\(rest)")
  }

  private static let whatIsRead =
    "“aacorn inspect” reads AAC in ADTS, LATM, ADIF and MP4 (M4A) files."

  private func inspectStream(_ head: [UInt8]) throws(CommandFailure) -> Outcome {
    var inspector = StreamInspector()
    inspector.append(head)
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    while true {
      while let row = inspector.next() { takeRow(row) }
      let count = try file.read(into: &block)
      if count == 0 { break }
      inspector.append(count == block.count ? block : Array(block[..<count]))
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

  private func read(_ offset: Int, _ count: Int) throws(CommandFailure) -> [UInt8] {
    try file.seek(to: offset)
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let added = try file.read(into: &bytes, from: filled)
      if added == 0 { break }
      filled += added
    }
    bytes.removeSubrange(filled...)
    return bytes
  }
}
