import AacornContainers
import AacornInspection
import AacornRecording
import AacornSoundFiles
import AacornSystem

/// An inspection of one input with the suitable inspector.
struct InspectSession {
  private let path: String
  private let file: InputFile
  private let decodesSound: Bool
  private let interruption: Interruption
  private let takeRow: (FrameRow) -> Void

  private static let blockSize = 65_536
  /// The maximum size in bytes of input from a pipe that must be buffered in memory.
  ///
  /// An MP4 file must be buffered, because it is not read in order. Input that is also decoded must
  /// be buffered, because it is read twice.
  private static let pipeLimit = 64_000_000
  /// The maximum size of a file of gaps in bytes.
  private static let sidecarLimit = 16_000_000

  /// Opens an input.
  ///
  /// `takeRow` is called for every frame.
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

  private var name: String { path == "-" ? "standard input" : path }

  /// Inspects the whole input.
  func run() throws(CommandFailure) -> InspectReport {
    var head = [UInt8](repeating: 0, count: Self.blockSize)
    var count = 0
    // A pipe may deliver less per read than the detection of the format needs.
    while count < FileKind.longPrefixCount {
      let added = try file.read(into: &head, from: count)
      if added == 0 { break }
      count += added
    }
    head.removeSubrange(count...)
    if count == 0 { throw .empty(file.path) }
    try file.rejectKnownNonAAC(head)
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

  /// Inspects an input with random access, and decodes it if requested.
  private func inspect(
    _ isMovie: Bool, _ head: [UInt8], _ size: Int,
    read: (_ offset: Int, _ count: Int) throws(CommandFailure) -> [UInt8]
  ) throws(CommandFailure) -> InspectReport {
    var inspected: InspectReport
    if isMovie {
      inspected = try inspectMovie(size: size, read: read)
    } else {
      var position = head.count
      inspected = try inspectStream(head) { () throws(CommandFailure) in
        let bytes = try read(position, Self.blockSize)
        position += bytes.count
        return bytes
      }
    }
    guard decodesSound else { return inspected }
    inspected.report.add(
      try FileInspection.sound(byteCount: UInt64(size)) {
        (offset, count) throws(CommandFailure) in
        try read(Int(clamping: offset), count)
      })
    return inspected
  }

  /// Inspects an input in order.
  private func inspectStream(_ head: [UInt8]) throws(CommandFailure) -> InspectReport {
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    return try inspectStream(head) { () throws(CommandFailure) in
      let count = try file.read(into: &block)
      return count == block.count ? block : Array(block[..<count])
    }
  }

  /// Inspects a stream.
  ///
  /// `next` returns the bytes after `head` in blocks, and an empty block at the end.
  private func inspectStream(
    _ head: [UInt8], next: () throws(CommandFailure) -> [UInt8]
  ) throws(CommandFailure) -> InspectReport {
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
    var report = inspector.report
    report.gapEntries = sidecarGaps
    return InspectReport(name: name, report: report)
  }

  /// The gaps of a recording from its sidecar file, for formats that cannot store them.
  private var sidecarGaps: [[UInt8]] {
    // Anything other than a regular file, such as a pipe, could block.
    let sidecar = GapSidecar.path(of: path)
    guard path != "-", (try? System.status(of: sidecar))?.kind == .file,
      let file = try? InputFile(sidecar, interruption: interruption),
      let text = try? file.readAll(limit: Self.sidecarLimit)
    else { return [] }
    return JSONReader.elements(of: text[...]).map { Array(text[$0]) }
  }

  private func inspectMovie(
    size: Int, read: (_ offset: Int, _ count: Int) throws(CommandFailure) -> [UInt8]
  ) throws(CommandFailure) -> InspectReport {
    var inspector = MovieInspector(byteCount: UInt64(size))
    while true {
      switch inspector.step() {
      case .need(let offset, let count):
        inspector.supply(try read(Int(clamping: offset), count))
      case .row(let row):
        takeRow(row)
      case .finished:
        return InspectReport(name: name, report: inspector.report)
      }
    }
  }
}

/// The program of a transport stream that contains the AAC, human-readable.
extension TransportProgram {
  var line: String {
    var text = "\(number)"
    if programCount > 1 { text += ", one of \(programCount)" }
    text += "; AAC in \(framing), PID \(identifier); map in PID \(mapIdentifier)"
    let others = streams.filter { $0.identifier != identifier }
    if !others.isEmpty {
      let names = others.map { "\(Self.name($0.type)) in PID \($0.identifier)" }
      text += "; also " + names.joined(separator: ", ")
    }
    if packetByteCount != 188 { text += "; packets of \(packetByteCount) bytes" }
    return text
  }

  private static func name(_ type: UInt8) -> String {
    TransportProgram.name(ofType: type).map { "\($0)" } ?? "type \(type)"
  }
}
