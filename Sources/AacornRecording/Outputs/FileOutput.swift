import AacornCodec
public import AacornContainers
import AacornSignal
import AacornSystem

/// Writes a recording into a file, or into several one after the other.
///
/// What a crash of the program, a power cut or a full disk costs is at most the last second: M4A
/// is written in fragments of half a second, ADTS in whole frames, samples as they come; and twice
/// a second the disk is told to take them (`fdatasync`). A file keeps its name from beginning to
/// end. When a recording ends well, an M4A becomes an ordinary one, without a second copy of it.
///
/// While it is written the file is locked, so that no other recording replaces it. What programs
/// do that do not ask for locks is noticed within a second, and the recording goes on in a new file
/// (`FileOutput+Mishaps.swift`); all but bytes that are overwritten in the middle of it, which leave
/// its length and its first kilobyte as they are.
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
    /// Asked while a named pipe is waited for that nobody reads yet; true gives it up.
    package var isCancelled: @Sendable () -> Bool = { false }

    /// Nothing replaced, no tags, synchronized, one file.
    public init() {}
  }

  let path: String
  let format: FileFormat
  let options: Options
  var file: RecordingFile?
  private var writer: FileWriter?
  var sidecar: GapSidecar?
  /// What the file is a record of; if it was begun after one that is spoiled, the rest of a segment.
  private(set) var segment: SegmentStart?
  /// Samples of the segment that were in a file before this one, which is spoiled.
  private var skippedCount = 0
  /// A file is to be begun with the next packet, since the one before is spoiled.
  private var isAwaitingPacket = false
  /// Packets that the writer has taken and the file has not.
  private var waitingPackets: [Packet] = []
  /// Who may read what stands in for a file that was lost; nil for whom the umask says.
  private(set) var lostPermissions: Int?
  /// The gaps that the file knows of.
  private(set) var gaps: [Gap] = []
  /// The files of this output, which may not replace each other.
  var ownFiles: Set<System.FileStatus.Identity> = []
  /// Where they are.
  private(set) var folder: OutputFolder?
  /// What is to be told at the next look.
  var mishaps: [OutputMishap] = []
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

  /// A disk that sleeps, or that others keep busy, may take long for what it is told to keep.
  public var patience: Duration { .seconds(file?.isSeekable == false ? 10 : 60) }

  /// Takes the name of the first file; one that is to be replaced stays until sound comes.
  public mutating func open() throws(OutputError) {
    if path != "-" { folder = OutputFolder(of: path) }
    let name = fileName(1)
    let isReplaced = options.replacesExisting && (try? System.status(of: name))?.kind == .file
    if !isReplaced { file = try make(name, replacing: options.replacesExisting) }
  }

  /// Begins a file.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    skippedCount = 0
    isAwaitingPacket = false
    waitingPackets = []
    gaps = []
    sampleCount = 0
    storedSampleCount = 0
    if file == nil { file = try openNext(segment.index) }
    try write(segment)
  }

  /// Begins to write what the file is to be a record of.
  private mutating func write(_ segment: SegmentStart) throws(OutputError) {
    self.segment = segment
    guard let file else { return }
    writer = try FileWriter(
      format, segment, options, isSeekable: file.isSeekable, path: file.path)
    if hasSidecars && file.isSeekable {
      sidecar = GapSidecar(of: file.path, permissions: file.permissions)
    }
    if let start = writer?.start() { try self.file?.append(start) }
  }

  /// Writes a packet; its bytes go out in one piece.
  public mutating func write(_ packet: Packet) throws(OutputError) {
    if isAwaitingPacket { try begin(with: packet) }
    waitingPackets.append(packet)
    bytes.removeAll(keepingCapacity: true)
    try writer?.append(packet, to: &bytes)
    sampleCount += packet.sampleCount
    if bytes.isEmpty { return }
    if file?.hasOtherLength == true {
      try recover(from: .spoiled)
      return try begin(with: packet)
    }
    try file?.append(bytes)
    waitingPackets.removeAll(keepingCapacity: true)
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
    gaps.append(gap)
    bytes.removeAll(keepingCapacity: true)
    try writer?.append(gap, to: &bytes)
    if !bytes.isEmpty { try file?.append(bytes) }
    list(gap)
  }

  /// Completes the file.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try attend()
    if isAwaitingPacket, let last = waitingPackets.last { try begin(with: last) }
    sidecar?.close()
    guard var writer, var file else { return nil }
    var end = end
    end.sampleCount -= skippedCount
    if skippedCount > 0, case .aac(_, let timing) = segment?.format {
      end.trim.sampleCount -= skippedCount
      end.trim.priming = timing.priming
    }
    if end.sampleCount <= 0 {
      sidecar?.remove()
      file.remove()
      _ = closed(file, sampleCount: 0)
      return nil
    }
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
    try attendToComplete()
    guard let complete = self.file else { return nil }
    let summary = closed(complete, sampleCount: end.sampleCount)
    try complete.close()
    return summary
  }

  /// Closes the file with what it holds; an M4A gets its tables if there is room for them.
  public mutating func abandon() -> OutputSummary? {
    defer { sidecar = nil }
    guard let file else { return nil }
    guard writer != nil, storedSampleCount > 0 else {
      // Nothing is in it that anybody could want.
      sidecar?.remove()
      file.remove()
      self.file = nil
      writer = nil
      return nil
    }
    if !isThere() { return nil }
    sidecar?.close()
    var healed = self.file ?? file
    // What a completion that failed has left behind the sound.
    if file.isSeekable { healed.cut(to: file.byteCount) }
    if format == .m4a && file.isSeekable { healed.completeMovie() }
    try? healed.synchronize()
    try? healed.close()
    var priming = 0
    if case .aac(_, let timing) = segment?.format { priming = timing.priming }
    return closed(healed, sampleCount: max(0, storedSampleCount - priming))
  }

  mutating func closed(_ file: RecordingFile, sampleCount: Int) -> OutputSummary {
    closedByteCount += file.byteCount
    self.file = nil
    writer = nil
    sidecar = nil
    return OutputSummary(
      name: file.path, position: segment?.position ?? 0, sampleCount: sampleCount,
      byteCount: file.byteCount)
  }

  // MARK: - After a mishap

  /// Goes on in another file, which has all bytes of the one before.
  mutating func moveOn(to newFile: RecordingFile) {
    try? file?.close()
    file = newFile
    followFile()
  }

  /// Has what names the file know of its new name, and its ledger lie beside it.
  mutating func followFile() {
    let name = name
    writer?.path = name
    if sidecar != nil { listAnew() }
  }

  /// Leaves a file as others have made it; the next packet begins a new one.
  mutating func leaveFile() {
    lostPermissions = file?.permissions ?? lostPermissions
    sidecar?.close()
    try? file?.close()
    file = nil
    writer = nil
    sidecar = nil
    isAwaitingPacket = true
  }

  /// Begins a file in the middle of a segment, with what the one before did not get and this packet.
  private mutating func begin(with packet: Packet) throws(OutputError) {
    isAwaitingPacket = false
    guard var segment else { return }
    let packets = waitingPackets
    waitingPackets = []
    let packet = packets.first ?? packet
    if file == nil { file = try openBeside(segment.index) }
    // The first frame of AAC lacks the one before, with which a decoder would overlap it.
    var position = packet.position
    if case .aac(let stream, var timing) = segment.format {
      timing.priming = packet.sampleCount
      segment.format = .aac(stream, timing)
      position += packet.sampleCount
    }
    let skipped = max(0, position - segment.position)
    skippedCount += skipped
    segment.position += skipped
    segment.wallTime += Int64(Double(skipped) / Double(max(1, segment.format.sampleRate)) * 1e9)
    segment.expectedPacketCount = nil
    gaps = []
    sampleCount = 0
    storedSampleCount = 0
    try write(segment)
    for packet in packets { try write(packet) }
  }
}
