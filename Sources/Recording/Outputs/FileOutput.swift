public import AACContainers
import AACFormat
import Platform

/// Writes a recording into a file, or into several one after the other.
///
/// What a crash of the program, a power cut or a full disk costs is at most the last second: M4A
/// is written in fragments of half a second, ADTS in whole frames, samples as they come; and twice
/// a second the disk is told to take them (`fdatasync`). A file keeps its name from beginning to
/// end. When a recording ends well, an M4A becomes an ordinary one, without a second copy of it.
public struct FileOutput: PacketOutput {
  /// How the files are written.
  public struct Options: Sendable {
    /// Whether existing files may be replaced.
    public var replacesExisting = false
    /// Tags for M4A.
    public var tags = MP4Tags()
    /// Whether the disk is told twice a second to take what was written.
    ///
    /// Without it a power cut may cost what the system has not written yet, some 30 s.
    public var synchronizes = true
    /// Whether files are numbered from the first one on.
    public var isNumbered = false

    /// Nothing replaced, no tags, synchronised, one file.
    public init() {}
  }

  private let path: String
  private let format: FileFormat
  private let options: Options
  private var file: RecordingFile?
  private var writer: FileWriter?
  private var sidecar: GapSidecar?
  private var segment: SegmentStart?
  /// Bytes of the files before this one.
  private var closedByteCount = 0
  /// When the disk was told last to take what was written.
  private var lastSynchronization: Int64 = 0
  private var sampleCount = 0
  /// Those of them that are in the file.
  private var storedSampleCount = 0
  private var bytes: [UInt8] = []

  /// An output to a path; `-` is standard output.
  public init(_ path: String, _ format: FileFormat, _ options: Options = Options()) {
    self.path = path
    self.format = format
    self.options = options
  }

  /// The path of the present file.
  public var name: String { file?.path ?? (path == "-" ? "standard output" : path) }

  /// Bytes of all files.
  public var byteCount: Int { closedByteCount + (file?.byteCount ?? 0) }

  /// Takes the name of the first file; one that is to be replaced stays until sound comes.
  public mutating func open() throws(OutputError) {
    let name = fileName(1)
    let isReplaced = options.replacesExisting && (try? System.status(of: name))?.kind == .file
    if !isReplaced { file = try RecordingFile(name, replacing: false) }
  }

  private func fileName(_ number: Int) -> String {
    number == 1 && !options.isNumbered ? path : Self.numbered(path, number)
  }

  /// Begins a file.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    self.segment = segment
    sampleCount = 0
    storedSampleCount = 0
    if file == nil { file = try openNext(segment.index) }
    guard let file else { return }
    writer = try FileWriter(
      format, segment, options, isSeekable: file.isSeekable, path: file.path)
    if format != .m4a && file.isSeekable { sidecar = GapSidecar(of: file.path) }
    if let start = writer?.start() { try self.file?.append(start) }
  }

  /// Writes a packet; its bytes go out in one piece.
  public mutating func write(_ packet: Packet) throws(OutputError) {
    bytes.removeAll(keepingCapacity: true)
    try writer?.append(packet, to: &bytes)
    sampleCount += packet.sampleCount
    if bytes.isEmpty { return }
    try file?.append(bytes)
    storedSampleCount = sampleCount
    guard options.synchronizes else { return }
    // By the clock and not by the sound, which may be long silence that comes at once.
    let now = System.nanoseconds
    if now - lastSynchronization >= 400_000_000 {
      lastSynchronization = now
      try file?.synchronize()
    }
  }

  /// Writes an entry of the ledger, in samples of this file.
  public mutating func note(_ gap: Gap) throws(OutputError) {
    guard let segment, writer != nil else { return }
    var gap = gap
    gap.position = max(0, gap.position - segment.position)
    bytes.removeAll(keepingCapacity: true)
    try writer?.append(gap, to: &bytes)
    if !bytes.isEmpty { try file?.append(bytes) }
    try sidecar?.append(gap)
  }

  /// Completes the file.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    sidecar?.close()
    guard var writer, var file else { return nil }
    try writer.finish(end) { (write: FileWrite) throws(OutputError) in
      if write.needsSync { try file.synchronize() }
      if file.isSeekable {
        try file.write(write.bytes, at: Int(write.offset))
      } else {
        try file.append(write.bytes)
      }
    }
    self.file = file
    if options.synchronizes { try file.synchronize() }
    let summary = closed(file, sampleCount: end.sampleCount)
    try file.close()
    return summary
  }

  /// Closes the file with what it holds; an M4A gets its tables if there is room for them.
  public mutating func abandon() -> OutputSummary? {
    sidecar?.close()
    guard let file else { return nil }
    guard writer != nil else {
      file.remove()
      self.file = nil
      return nil
    }
    var healed = file
    // What a completion that failed has left behind the sound.
    if file.isSeekable { healed.cut(to: file.byteCount) }
    if format == .m4a && file.isSeekable { healed.completeMovie() }
    try? healed.synchronize()
    try? healed.close()
    var priming = 0
    if case .aac(_, let delay, _) = segment?.format { priming = delay }
    return closed(healed, sampleCount: max(0, storedSampleCount - priming))
  }

  private mutating func closed(_ file: RecordingFile, sampleCount: Int) -> OutputSummary {
    closedByteCount += file.byteCount
    self.file = nil
    writer = nil
    sidecar = nil
    return OutputSummary(name: file.path, sampleCount: sampleCount, byteCount: file.byteCount)
  }

  /// A file for a later segment.
  ///
  /// A name that is taken is passed over: a running recording does not end because of it.
  private func openNext(_ index: Int) throws(OutputError) -> RecordingFile {
    if path == "-" {
      // Frames can follow frames; headers and tables cannot.
      if format == .aac { return try RecordingFile("-", replacing: false) }
      throw OutputError(.unsupported, "Standard output takes one file only.")
    }
    var number = index + 1
    while true {
      do throws(OutputError) {
        return try RecordingFile(
          fileName(number), replacing: options.replacesExisting)
      } catch {
        guard error.kind == .exists, index > 0, number < index + 10_000 else { throw error }
        number += 1
      }
    }
  }

  /// `talk.m4a` with a number: `talk-007.m4a`.
  static func numbered(_ path: String, _ number: Int) -> String {
    let digits = "\(number)"
    let suffix = "-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path.lastIndex(of: "."), dot > name else { return path + suffix }
    return path[..<dot] + suffix + path[dot...]
  }
}
