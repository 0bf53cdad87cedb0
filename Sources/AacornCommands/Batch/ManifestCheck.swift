import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A check of a manifest before encoding: each line must be valid, no two lines may make the same
/// file, and no line may make the input of another line.
///
/// It reads the manifest twice: first to collect the files that this part makes, and then to find
/// other lines that name these files. Files are compared by 64-bit hashes of their resolved paths;
/// if hashes are equal, it reads the manifest again to compare the paths.
struct ManifestCheck {
  /// The number of lines in the selected part.
  private(set) var lineCount = 0
  /// The messages about the first `maxReportedFaultCount` errors.
  private(set) var faults: [String] = []
  private(set) var faultCount = 0

  private let path: String
  private let settings: BatchCommand
  private let interruption: Interruption
  /// The files of the run itself, which no line may name.
  private let ownFiles: Set<[UInt8]>
  private let manifest: [UInt8]
  /// The settings that were validated, by their text.
  private var checked: Set<String> = []
  /// The line that makes each file of this part.
  private var makers = NumberTable<UInt32>()
  /// The resolved folders by path, with a trailing slash; the key of the working folder is empty.
  private var folders: [ArraySlice<UInt8>: [UInt8]] = [:]

  /// The maximum number of messages.
  private static let maxReportedFaultCount = 10
  /// The maximum number of cached settings and of cached folders.
  private static let maxCachedCount = 4096

  /// Checks a whole manifest.
  init(
    _ path: String, _ settings: BatchCommand, _ interruption: Interruption
  ) throws(CommandFailure) {
    self.path = path
    self.settings = settings
    func resolved(_ path: String) -> [UInt8] { ManifestLine.normalized(FileName.canonical(path)) }
    ownFiles = Set(settings.ownFiles.map(resolved))
    manifest = resolved(path)
    self.interruption = interruption
    // Opening a pipe without a writer would block.
    if (try? System.status(of: path))?.kind == .other, path != "/dev/null" {
      throw CommandFailure(
        .cannotRead,
        "The manifest “\(displayed(path))” is not a file, and cannot be read more than once.",
        .text(
          "Save it to a file, or pass its lines through standard input, with "
            + "--stdin-manifest."))
    }
    // A zero byte proves that the content is not a list with a path such as “OggS.wav”.
    let head = InputFile.head(of: path, count: PCMFileKind.longPrefixCount, interruption) ?? []
    if head.contains(0), PCMFileKind(prefix: head.span) != .unknown {
      throw CommandFailure(
        .cannotRead, "“\(displayed(path))” is a sound file, not a list of files.",
        .text("Use “aacorn encode” for sound files."))
    }
    try checkLines()
    try findConflicts()
  }

  private mutating func record(_ fault: String) {
    faultCount += 1
    if faults.count < Self.maxReportedFaultCount { faults.append(fault) }
  }

  /// Checks each line separately, and records the files that this part makes.
  ///
  /// Lines are assigned to parts by their paths as written, since links may differ between
  /// machines. Conflicts are detected by the files themselves.
  private mutating func checkLines() throws(CommandFailure) {
    let reader = try LineReader(path, interruption)
    while let next = try reader.next() {
      if let count = reader.estimatedLineCount() { makers.reserve(count / settings.shard.count) }
      let line: ManifestLine
      do throws(ManifestLine.Fault) {
        line = try ManifestLine(next.bytes, number: next.number, settings)
      } catch {
        record("Line \(next.number) \(error.text).")
        continue
      }
      let input = resolvedPath(of: line.input)
      // A list made by `find` may contain the manifest itself. Only its own line fails.
      if input != manifest { checkFile(input, line.input, of: line) }
      if settings.shard.contains(line.outputNumber) {
        lineCount += 1
        checkSettings(of: line)
        let output = resolvedPath(of: line.output)
        checkFile(output, line.output, of: line)
        let number = ManifestLine.number(of: output)
        if makers[number] == nil {
          makers.set(number, to: UInt32(clamping: line.number))
        } else {
          try checkMaker(of: output, line)
        }
      }
    }
  }

  /// Records an error if a line names a file of the run itself.
  private mutating func checkFile(_ file: [UInt8], _ path: String, of line: ManifestLine) {
    if ownFiles.contains(file) {
      record("Line \(line.number) names “\(displayed(path))”, which is a file of this run.")
    }
  }

  /// Finds lines that read a file that this part makes, and lines of other parts that make it under
  /// another spelling.
  private mutating func findConflicts() throws(CommandFailure) {
    let reader = try LineReader(path, interruption)
    while let next = try reader.next() {
      guard let line = try? ManifestLine(next.bytes, number: next.number, settings) else {
        continue
      }
      if let maker = try maker(of: resolvedPath(of: line.input)) {
        record(
          maker == line.number
            ? "Line \(maker) would replace its own input “\(displayed(line.input))”."
            : "Line \(maker) would replace “\(displayed(line.input))”, which line \(line.number) "
              + "reads.")
      }
      if !settings.shard.contains(line.outputNumber) {
        try checkMaker(of: resolvedPath(of: line.output), line)
      }
    }
  }

  /// Records an error if another line makes the output of a line.
  private mutating func checkMaker(
    of file: [UInt8], _ line: ManifestLine
  ) throws(CommandFailure) {
    guard let maker = try maker(of: file) else { return }
    let lines = "Lines \(min(maker, line.number)) and \(max(maker, line.number))"
    record("\(lines) both write “\(displayed(line.output))”.")
  }

  /// Returns the number of the line that makes a file; nil if no line of this part makes it.
  private mutating func maker(of file: [UInt8]) throws(CommandFailure) -> Int? {
    guard let maker = makers[ManifestLine.number(of: file)].map(Int.init) else { return nil }
    // Without more messages, the paths no longer matter.
    if faultCount >= Self.maxReportedFaultCount { return maker }
    let reader = try LineReader(path, interruption)
    while let next = try reader.next() {
      if next.number < maker { continue }
      let line = try? ManifestLine(next.bytes, number: next.number, settings)
      return line.map { resolvedPath(of: $0.output) } == file ? maker : nil
    }
    return nil
  }

  private mutating func checkSettings(of line: ManifestLine) {
    let key = FileName.suffix(line.output) + " " + line.settings.identity()
    if checked.contains(key) { return }
    do throws(UsageError) {
      _ = try line.command()
      if checked.count < Self.maxCachedCount { checked.insert(key) }
    } catch {
      record("Line \(line.number): \(error.text)")
    }
  }

  /// Returns the absolute path in bytes, with links and dots in its folders resolved.
  ///
  /// The last component of the path stays unchanged.
  private mutating func resolvedPath(of path: String) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let path = ManifestLine.normalized(path)
    let nameStart = path.lastIndex(of: slash).map { $0 + 1 } ?? 0
    let folder = path[..<nameStart]
    if let resolved = folders[folder] { return resolved + path[nameStart...] }
    var resolved = ManifestLine.normalized(
      FileName.canonical(folder.isEmpty ? "." : PathText.decode(folder)))
    if resolved.last != slash { resolved.append(slash) }
    if folders.count >= Self.maxCachedCount { folders = [:] }
    folders[folder] = resolved
    return resolved + path[nameStart...]
  }
}
