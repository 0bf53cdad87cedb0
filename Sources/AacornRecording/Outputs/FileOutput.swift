import AacornCodec
public import AacornContainers
import AacornSoundFiles
package import AacornSystem

/// Writes a recording to a file, or to several files in succession.
///
/// A program crash, a full disk, or a power cut on a disk that flushes in under 0.4 s costs at most
/// the last second. M4A is written in fragments of half a second, ADTS in whole frames, and samples
/// as they arrive. Twice a second the file is flushed to disk (`fdatasync`). A file has the same
/// name from beginning to end. When a recording ends normally, an M4A is converted to an ordinary
/// one in place. If the disk has room, a compact copy then replaces it, for players that need all
/// audio in one piece (``Finish``).
///
/// The file is locked while it is written, so that no other recording replaces it. Changes by
/// programs that ignore locks are detected within a second, and the recording continues in a new
/// file (`FileOutput+Incidents.swift`). One change is not detected: bytes in the middle are
/// overwritten without a change of the length or of the first kilobyte; see <doc:FilesThatSurvive>.
public struct FileOutput: PacketOutput {
  /// Options for writing the files.
  public struct Options: Sendable {
    /// Whether existing files may be replaced.
    public var replacesExisting = false
    /// Tags for M4A.
    public var tags = MP4Tags()
    /// Whether the written data is flushed to disk twice a second.
    ///
    /// Otherwise a power cut may lose about the last 30 s, which the system has not written to disk
    /// yet.
    public var synchronizes = true
    /// The method of completing an M4A.
    public var finish = Finish.automatic
    /// Whether the first file is numbered, too.
    public var isNumbered = false
    /// Polled while waiting for a named pipe's reader; true cancels the wait.
    package var isCancelled: @Sendable () -> Bool = { false }
    /// A second request of this interruption cancels a compact copy.
    package var interruption = Interruption.process

    /// Creates the default options: no replacement, no tags, flushed to disk, one file.
    public init() {}
  }

  /// A method of completing an M4A.
  ///
  /// A recording is written in fragments. Completion in place leaves their headers between the
  /// audio. Some simple players stop at the first header.
  public enum Finish: String, Sendable, CaseIterable {
    /// A compact copy if the disk has room for it, and writes it within a minute and a second per MB,
    /// at most eight minutes; between two parts of a recording, within a minute.
    case automatic
    /// Likewise, but always within a minute and a second per MB.
    case compact
    /// Completion in place, without a copy.
    case inPlace = "in-place"
  }

  let path: String
  let format: FileFormat
  let options: Options
  /// The error for a path with an unknown suffix, reported when the output is opened.
  var formatError: OutputError?
  var file: RecordingFile?
  private var writer: FileWriter?
  var sidecar: GapSidecar?
  /// The segment in the file; after a spoiled file, the remainder of the segment.
  private(set) var segment: SegmentStart?
  /// Samples of the segment in an earlier, spoiled file.
  private var skippedCount = 0
  /// Whether a file should begin with the next packet, because the previous file is spoiled.
  private var isAwaitingPacket = false
  /// Packets that the writer has accepted but not written to the file yet.
  private var waitingPackets: [EncodedPacket] = []
  /// Permissions for the replacement of a lost file; nil for the default permissions of the umask.
  private(set) var lostPermissions: Int?
  /// The gaps listed in the file.
  private(set) var gaps: [RecordingGap] = []
  /// The files of this output, which must not replace each other.
  var ownFiles: Set<System.FileStatus.Identity> = []
  /// The files of this output that are complete and still its result.
  var completeFiles: [CompleteFile] = []
  private(set) var folder: OutputFolder?
  /// Changes to report at the next check.
  var incidents: [OutputIncident] = []
  /// Bytes in earlier files.
  private var closedByteCount = 0
  /// The end of the last closed file in the recording.
  private var closedPosition = 0
  /// The earliest time of the next flush to disk.
  private var nextSynchronization: Int64 = 0
  private var sampleCount = 0
  /// Samples that are in the file.
  private var storedSampleCount = 0
  private var bytes: [UInt8] = []

  /// Creates an output to a path; `-` is standard output.
  public init(_ path: String, _ format: FileFormat, options: Options = Options()) {
    self.path = path
    self.format = format
    self.options = options
  }

  /// Creates an output in the format of the path's suffix; M4A without a suffix.
  init(_ path: String) {
    let format = FileFormat(path: path)
    self.init(path, format ?? .m4a)
    if format == nil, !FileName.suffix(path).isEmpty {
      formatError = OutputError(
        .unsupported,
        "The suffix of “\(path)” does not match any format that can be recorded. Use .m4a, .aac, .wav or .caf."
      )
    }
  }

  /// The path of the current file.
  public var name: String { file?.path ?? (path == "-" ? "standard output" : path) }

  /// Bytes in all files.
  public var byteCount: Int { closedByteCount + (file?.byteCount ?? 0) }

  /// The end of the audio in the files; an M4A grows by half a second at a time.
  public var savedPosition: Int? {
    guard writer != nil, let segment else { return closedPosition }
    return segment.position + audibleSampleCount
  }

  /// Samples in the file, without the encoder's priming.
  private var audibleSampleCount: Int {
    guard case .aac(_, let timing) = segment?.format else { return storedSampleCount }
    return max(0, storedSampleCount - timing.priming)
  }

  /// The close timeout: a sleeping or busy disk may flush slowly.
  public var closeTimeout: Duration {
    guard let file, file.isSeekable else { return .seconds(file == nil ? 60 : 10) }
    // A compact copy may take a minute and a second per MB.
    return .seconds(120 + file.byteCount >> 20)
  }

  /// Reserves the name of the first file; a file to replace stays until audio arrives.
  public mutating func open() throws(OutputError) {
    if let formatError { throw formatError }
    if path != "-" { folder = OutputFolder(of: path) }
    let name = fileName(1)
    let isReplaced = options.replacesExisting && (try? System.status(of: name))?.kind == .file
    if !isReplaced { file = try make(name, replacing: options.replacesExisting) }
  }

  /// Begins a file.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    try check(segment)
    skippedCount = 0
    isAwaitingPacket = false
    waitingPackets = []
    gaps = []
    sampleCount = 0
    storedSampleCount = 0
    if file == nil { file = try openNext(segment.index) }
    try write(segment)
  }

  private mutating func write(_ segment: SegmentStart) throws(OutputError) {
    self.segment = segment
    guard let file else { return }
    writer = try FileWriter(
      format, segment, options: options, isSeekable: file.isSeekable, path: file.path)
    if hasSidecars && file.isSeekable {
      sidecar = GapSidecar(of: file.path, permissions: file.permissions)
    }
    if let start = writer?.start() { try self.file?.append(start) }
  }

  /// Writes a packet; its bytes are written in one piece.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    try check(packet)
    if isAwaitingPacket { try begin(with: packet) }
    waitingPackets.append(packet)
    bytes.removeAll(keepingCapacity: true)
    try writer?.append(packet, to: &bytes)
    sampleCount += packet.sampleCount
    if bytes.isEmpty { return }
    if file?.hasOtherLength == true {
      try recover(from: .modified)
      return try begin(with: packet)
    }
    try file?.append(bytes)
    waitingPackets.removeAll(keepingCapacity: true)
    storedSampleCount = sampleCount
    try synchronizeWhenDue()
  }

  /// Flushes the file to disk, unless that happened less than 0.4 s ago.
  ///
  /// The clock decides rather than the amount of audio, because a long silence may arrive all at
  /// once, and no packet arrives in a pause.
  mutating func synchronizeWhenDue() throws(OutputError) {
    let start = System.nanoseconds
    guard options.synchronizes, file?.isFlushed == false, start >= nextSynchronization else {
      return
    }
    try file?.synchronize()
    // Between slow flushes there is some time for writing.
    let end = System.nanoseconds
    nextSynchronization = max(start + 400_000_000, end + min(end - start, 200_000_000))
  }

  /// Writes a ledger entry, in samples of this file.
  public mutating func record(_ gap: RecordingGap) throws(OutputError) {
    try check(gap)
    guard let segment, writer != nil else { return }
    var gap = gap
    gap.position = max(0, gap.position - segment.position)
    gaps.append(gap)
    bytes.removeAll(keepingCapacity: true)
    try writer?.append(gap, to: &bytes)
    // Appending would restore the length of a file that another program truncated.
    if file?.hasOtherLength == true {
      try recover(from: .modified)
    } else if !bytes.isEmpty {
      try file?.append(bytes)
    }
    list(gap)
  }

  /// Completes the file.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try check(end)
    try checkFile()
    if isAwaitingPacket, let last = waitingPackets.last { try begin(with: last) }
    completeLedger()
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
      releaseFile(file)
      return nil
    }
    let soundByteCount = file.byteCount
    do throws(OutputError) {
      try writer.finish(end) { (write: FileWrite) throws(OutputError) in
        if write.needsSync { try file.synchronize() }
        if file.isSeekable {
          try file.write(write.bytes, at: Int(write.offset))
        } else {
          try file.append(write.bytes)
        }
      }
    } catch {
      // The file is playable without the tables.
      if file.isSeekable { file.cut(to: soundByteCount) }
      self.file = file
      throw error
    }
    self.file = file
    if options.synchronizes { try file.synchronize() }
    try checkFinishedFile()
    // The check may have written the list of gaps again, next to another file.
    completeLedger()
    guard var complete = self.file else { return nil }
    let failure = makeCompact(&complete, writer.compactCopy(end.trim), isLast: end.isLast)
    recordComplete(complete)
    releaseFile(complete)
    do throws(OutputError) {
      try complete.close()
    } catch {
      // If the data was flushed above, it is safe. Otherwise the end may be lost.
      if !options.synchronizes { throw error }
    }
    var summary = closed(complete, sampleCount: end.sampleCount)
    summary.compactFailure = failure
    return summary
  }

  /// Closes the file with its current content, and then checks the earlier files.
  public mutating func abandon() -> OutputSummary? {
    defer { checkCompleteFiles() }
    return closeFile()
  }

  /// Closes the file with its current content; an M4A gets its tables if the disk has room.
  private mutating func closeFile() -> OutputSummary? {
    defer { sidecar = nil }
    guard let file else { return nil }
    guard writer != nil, storedSampleCount > 0 else {
      // The file contains no audio.
      sidecar?.remove()
      file.remove()
      self.file = nil
      writer = nil
      return nil
    }
    if !isIntact() { return nil }
    completeLedger()
    var healed = self.file ?? file
    // Remove bytes that a failed completion may have left after the audio.
    if file.isSeekable { healed.cut(to: file.byteCount) }
    if format == .m4a && file.isSeekable { healed.completeMovie() }
    for patch in writer?.headerPatches(sampleCount: storedSampleCount) ?? [] {
      try? healed.write(patch.bytes, at: Int(patch.offset))
    }
    try? healed.synchronize()
    try? healed.close()
    releaseFile(healed)
    return closed(healed, sampleCount: audibleSampleCount)
  }

  /// Releases the file after adding its size to the total.
  private mutating func releaseFile(_ file: RecordingFile) {
    closedByteCount += file.byteCount
    self.file = nil
    writer = nil
    sidecar = nil
  }

  private mutating func closed(_ file: RecordingFile, sampleCount: Int) -> OutputSummary {
    let position = segment?.position ?? 0
    closedPosition = position + sampleCount
    return OutputSummary(
      name: file.path, position: position, sampleCount: sampleCount, byteCount: file.byteCount)
  }

  // MARK: - After a change by another program

  /// Continues in another file, which has all bytes of the previous one.
  mutating func resume(in newFile: RecordingFile) {
    try? file?.close()
    file = newFile
    followFile()
  }

  /// Updates the file's path, and writes a ledger next to it.
  mutating func followFile() {
    let name = name
    writer?.path = name
    if sidecar != nil { rebuildList() }
  }

  /// Closes a file that another program has changed; the next packet begins a new one.
  mutating func leaveFile() {
    lostPermissions = file?.permissions ?? lostPermissions
    completeLedger()
    try? file?.close()
    file = nil
    writer = nil
    sidecar = nil
    isAwaitingPacket = true
  }

  /// Starts a file in mid-segment, with this packet and the packets that the previous file lacks.
  private mutating func begin(with packet: EncodedPacket) throws(OutputError) {
    isAwaitingPacket = false
    guard var segment else { return }
    let packets = waitingPackets
    waitingPackets = []
    let packet = packets.first ?? packet
    if file == nil { file = try openReplacement(segment.index) }
    // The first AAC frame lacks its predecessor for the overlap, and band replication lacks its
    // history. So the first samples count as priming.
    var position = packet.position
    if case .aac(let stream, var timing) = segment.format {
      timing.priming = max(timing.priming, packet.sampleCount)
      segment.format = .aac(stream, timing)
      position += timing.priming
    }
    let skipped = max(0, position - segment.position)
    skippedCount += skipped
    segment.position += skipped
    segment.wallTime += System.nanoseconds(
      ofFrames: Int64(skipped), at: segment.format.sampleRate)
    segment.expectedPacketCount = nil
    gaps = []
    sampleCount = 0
    storedSampleCount = 0
    try write(segment)
    for packet in packets { try write(packet) }
  }
}
