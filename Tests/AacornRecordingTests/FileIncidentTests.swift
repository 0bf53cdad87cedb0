import AacornCodec
import AacornContainers
import AacornDevices
import AacornInspection
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

/// Interference of other programs with the file of a recording.
@Suite(.simulated(seeds: 1)) struct FileIncidentTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// A recorded counter in the coding of a format, to be written packet by packet.
  func segment(_ format: FileFormat) throws -> MemoryOutput.Segment {
    var bench = Bench()
    if !format.isPCM { bench.configuration.coding = .constant(96_000) }
    return try #require(bench.run().segments.first)
  }

  /// An output that has written the first half of a segment, and the segment.
  func halfWritten(
    _ name: String, _ format: FileFormat? = nil
  ) throws -> (output: FileOutput, segment: MemoryOutput.Segment) {
    let format = try #require(format ?? FileFormat(path: name))
    let segment = try segment(format)
    var output = FileOutput(folder.file(name), format)
    try output.open()
    try output.begin(segment.start)
    for packet in segment.packets.prefix(segment.packets.count / 2) { try output.write(packet) }
    return (output, segment)
  }

  /// Writes the second half, and returns the reported incidents and the file's summary.
  func finish(
    _ output: inout FileOutput, _ segment: MemoryOutput.Segment
  ) throws -> (incidents: [OutputIncident], summary: OutputSummary?) {
    for packet in segment.packets.suffix(from: segment.packets.count / 2) {
      try output.write(packet)
    }
    let summary = try output.end(#require(segment.end))
    return (try output.poll(), summary)
  }

  private func faultCount(_ name: String) throws -> Int64 {
    let bytes = try folder.bytes(name)
    if StreamInspector.needsSeeking(bytes) {
      return MovieInspector(of: bytes).report.faults.count
    }
    var inspector = StreamInspector()
    inspector.append(bytes)
    inspector.finish()
    while inspector.next() != nil {}
    return inspector.report.faults.count
  }

  @Test(arguments: [FileFormat.m4a, .aac, .wav, .caf])
  func aFileThatIsRemovedIsSavedWhole(format: FileFormat) throws {
    var (untouched, segment) = try halfWritten("whole", format)
    let whole = try finish(&untouched, segment)
    #expect(whole.incidents.isEmpty)
    var (output, _) = try halfWritten("x.\(format.rawValue)")
    try folder.remove("x.\(format.rawValue)")
    let (incidents, summary) = try finish(&output, segment)
    let new = "x-002.\(format.rawValue)"
    guard case .lost(let name, let error)? = incidents.first else {
      Issue.record("The loss was not reported.")
      return
    }
    #expect(incidents.count == 1)
    #expect(name == folder.file("x.\(format.rawValue)"))
    #expect(error.kind == .lost)
    #expect(error.message.contains(new))
    #expect(summary?.name == folder.file(new))
    #expect(summary?.sampleCount == segment.end?.sampleCount)
    #expect(try folder.bytes(new) == folder.bytes("whole"))
  }

  @Test(arguments: [0o600, 0o640])
  func rescuedFileKeepsPermissions(permissions: Int) throws {
    for isRemoved in [true, false] {
      let name = isRemoved ? "removed.wav" : "emptied.wav"
      var (output, segment) = try halfWritten(name)
      try folder.setPermissions(permissions, of: name)
      if isRemoved {
        try folder.remove(name)
      } else {
        #expect(unsafe truncate(folder.file(name), 0) == 0)
      }
      let summary = try #require(finish(&output, segment).summary)
      #expect(try System.status(of: summary.name).permissions == permissions)
    }
  }

  /// Another file has the name, or the name is a link to itself; the data remains readable until
  /// the file is closed.
  @Test(arguments: [true, false]) func aFileThatIsReplacedIsSavedBesideTheOther(
    isLoop: Bool
  ) throws {
    var (output, segment) = try halfWritten("x.wav")
    if isLoop {
      try folder.remove("x.wav")
      try folder.link("x.wav", to: "x.wav")
    } else {
      try folder.write(Array("other".utf8), to: "new")
      try folder.move("new", to: "x.wav")
    }
    let (incidents, summary) = try finish(&output, segment)
    #expect(incidents.count == 1)
    #expect(summary?.name == folder.file("x-002.wav"))
    #expect(summary?.sampleCount == segment.end?.sampleCount)
    if !isLoop { #expect(try folder.bytes("x.wav") == Array("other".utf8)) }
  }

  @Test func aFileWhoseFolderIsRemovedIsSavedInTheOneAbove() throws {
    try folder.makeFolder("gone/deep")
    var (output, segment) = try halfWritten("gone/deep/x.wav")
    try folder.remove("gone")
    let (incidents, summary) = try finish(&output, segment)
    #expect(incidents.count == 1)
    #expect(summary?.name == folder.file("x-002.wav"))
    #expect(folder.names == ["x-002.wav"])
    // The original folder may have been private to its owner.
    #expect(try folder.permissions(of: "x-002.wav") == 0o600)
  }

  @Test func movedFileContinuesUnderNewName() throws {
    var (output, segment) = try halfWritten("x.m4a")
    try folder.move("x.m4a", to: "y.m4a")
    let (incidents, summary) = try finish(&output, segment)
    guard case .moved(let old, let new)? = incidents.first else {
      Issue.record("The move was not reported.")
      return
    }
    #expect(old == folder.file("x.m4a"))
    #expect(new.hasSuffix("/y.m4a"))
    #expect(summary?.name == new)
    #expect(folder.names == ["y.m4a"])
    #expect(try faultCount("y.m4a") == 0)
  }

  /// The damage that another program does to a file during recording, such as by `: > x`,
  /// `truncate` or `cp other x`.
  enum Spoiling: CaseIterable { case emptied, cut, overwritten, lengthened }

  @Test(arguments: [FileFormat.m4a, .aac, .wav], Spoiling.allCases)
  func afterAFileThatIsSpoiledANewOneBegins(format: FileFormat, spoiling: Spoiling) throws {
    let name = "x.\(format.rawValue)"
    var (output, segment) = try halfWritten(name)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file(name)))
    let size = try folder.bytes(name).count
    switch spoiling {
    case .emptied: try handle.truncate(atOffset: 0)
    case .cut: try handle.truncate(atOffset: UInt64(size / 2))
    case .lengthened:
      try handle.seekToEnd()
      try handle.write(contentsOf: [1, 2, 3])
    case .overwritten: try handle.write(contentsOf: [UInt8](repeating: 0x55, count: size + 100))
    }
    try handle.close()
    if spoiling == .overwritten { #expect(try output.poll().count == 1) }
    let (incidents, summary) = try finish(&output, segment)
    #expect(incidents.count == (spoiling == .overwritten ? 0 : 1))
    let new = "x-002.\(format.rawValue)"
    #expect(summary?.name == folder.file(new))
    // The new file has the second half of the packets, except for the first AAC packet, whose
    // overlap is lost. In an M4A file, the packets that were waiting for their fragment (at most
    // half a second) are saved as well.
    let half = segment.packets.count / 2
    let first = segment.packets[format.isPCM ? half : half + 1].position
    let end = try #require(segment.end)
    let saved = try #require(summary).sampleCount - (end.sampleCount - first)
    #expect(format == .m4a ? (0...24_000).contains(saved) : saved == 0)
    if format == .wav {
      let rest = segment.packets[half...].flatMap(\.bytes)
      #expect(try folder.bytes(new).suffix(rest.count) == rest[...])
    } else {
      #expect(try faultCount(new) == 0)
    }
  }

  /// Writing the entry of a gap does not restore the length of a file that another program
  /// truncated.
  @Test func aGapAfterAFileWasCutOffDoesNotHideThat() throws {
    var (output, segment) = try halfWritten("x.m4a")
    let size = try folder.bytes("x.m4a").count
    #expect(unsafe truncate(folder.file("x.m4a"), off_t(max(2000, size / 2))) == 0)
    try output.record(RecordingGap(position: 1024, length: 100, cause: .overrun, wallTime: 0))
    let (incidents, summary) = try finish(&output, segment)
    #expect(incidents.count == 1)
    #expect(summary?.name == folder.file("x-002.m4a"))
  }

  /// The name of the copy is short enough for the file system.
  @Test(arguments: ["y", "ü", "🎙️"]) func aFileWithTheLongestNameIsSavedAsWell(letter: String) throws
  {
    let count = 251 / letter.utf8.count
    let padding = String(repeating: "a", count: 251 - count * letter.utf8.count)
    let name = padding + String(repeating: letter, count: count) + ".wav"
    #expect(name.utf8.count == 255)
    var (output, segment) = try halfWritten(name)
    try folder.remove(name)
    let (incidents, summary) = try finish(&output, segment)
    #expect(incidents.count == 1)
    let kept = (251 - 4 - padding.utf8.count) / letter.utf8.count
    let new = padding + String(repeating: letter, count: kept) + "-002.wav"
    #expect(summary?.name == folder.file(new))
    #expect(summary?.sampleCount == segment.end?.sampleCount)
    #expect(folder.names == [new])
  }

  @Test func traceOfAFileHasItsFirstKilobyte() {
    var trace = WriteTrace()
    trace.record([UInt8](repeating: 1, count: 1000), at: 0)
    trace.record([UInt8](repeating: 2, count: 1000), at: 1000)
    trace.record([3, 4], at: 1023)
    let head = [UInt8](repeating: 1, count: 1000) + [UInt8](repeating: 2, count: 23) + [3]
    #expect(trace.head == head && trace.byteCount == 2000)
    trace.cut(to: 1001)
    #expect(trace.head == Array(head.prefix(1001)) && trace.byteCount == 1001)
    trace.cut(to: 0)
    #expect(trace.head.isEmpty && trace.byteCount == 0)
  }

  @Test func spoiledFileWithoutFurtherAudioIsReported() throws {
    let segment = try segment(.wav)
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    try output.begin(segment)
    try folder.write([], to: "x.wav")
    let summary = try output.end(#require(segment.end))
    #expect(summary == nil)
    #expect(try output.poll().count == 1)
  }

  /// The output tries 10,000 numbers after the first one.
  @Test(.realTime, arguments: [10_001, 10_002])
  func removedFileIsLostWithoutAFreeName(lastNumber: Int) throws {
    var (output, _) = try halfWritten("x.wav")
    try folder.write([], to: FileOutput.numbered("x.wav", 2))
    for number in 3...lastNumber {
      let name = folder.file(FileOutput.numbered("x.wav", number))
      try #require(unsafe link(folder.file("x-002.wav"), name) == 0)
    }
    try folder.remove("x.wav")
    if lastNumber == 10_001 {
      #expect(try output.poll().count == 1)
      #expect(output.abandon()?.name == folder.file("x-10002.wav"))
    } else {
      let error = #expect(throws: OutputError.self) { try output.poll() }
      #expect(error?.kind == .lost)
      #expect(output.abandon() == nil)
    }
  }

  // MARK: - Two writers of one file

  @Test func fileBeingRecordedStaysLocked() throws {
    var (output, segment) = try halfWritten("x.wav")
    for options in [FileOutput.Options(), .replacing] {
      var second = FileOutput(folder.file("x.wav"), .wav, options: options)
      let error = #expect(throws: OutputError.self) {
        try second.open()
        try second.begin(segment.start)
      }
      #expect(error?.kind == .busy)
      // The message names the program that holds the lock, which is this process.
      #expect(error?.message.contains("process \(getpid())") == true)
    }
    #expect(try finish(&output, segment).incidents.isEmpty)
    // Other programs may replace the file once it is complete.
    var second = FileOutput(folder.file("x.wav"), .wav, options: .replacing)
    try second.open()
    try second.begin(segment)
    #expect(second.abandon()?.sampleCount == 96_000)
  }

  @Test(arguments: [true, false]) func brokenLinkIsUnchanged(replacing: Bool) throws {
    try folder.link("x.wav", to: "nothing")
    var output = FileOutput(folder.file("x.wav"), .wav, options: replacing ? .replacing : .init())
    let error = #expect(throws: OutputError.self) { try output.open() }
    #expect(error?.message.contains("a symbolic link whose target does not exist") == true)
    #expect(folder.names == ["x.wav"])
  }

  @Test(arguments: [0o600, 0o640, 0o664])
  func aFileThatIsReplacedHandsOnItsPermissions(permissions: Int) throws {
    let path = try folder.write([9], to: "x.wav")
    try folder.setPermissions(permissions, of: "x.wav")
    let segment = try segment(.wav)
    var output = FileOutput(path, .wav, options: .replacing)
    try output.open()
    try output.begin(segment.start)
    #expect(try folder.permissions(of: "x.wav") == permissions)
    _ = try finish(&output, segment)
    #expect(try folder.permissions(of: "x.wav") == permissions)
    #expect(folder.names == ["x.wav"])
  }

  @Test func anOutputThatCouldNotWriteAByteLeavesNoFile() throws {
    var output = FileOutput(folder.file("x.aac"), .aac)
    try output.open()
    try output.begin(segment(.aac).start)
    #expect(output.abandon() == nil)
    #expect(folder.names.isEmpty)
  }

  @Test func openingPipeWithoutReaderCanBeCancelled() throws {
    #expect(unsafe mkfifo(folder.file("x.aac"), 0o600) == 0)
    var options = FileOutput.Options()
    let count = Lock(0)
    options.isCancelled = {
      count.withLock { count in
        count += 1
        return count > 3
      }
    }
    var output = FileOutput(folder.file("x.aac"), .aac, options: options)
    #expect(throws: OutputError.self) { try output.open() }
    #expect(count.withLock { $0 } == 4)
  }
}
