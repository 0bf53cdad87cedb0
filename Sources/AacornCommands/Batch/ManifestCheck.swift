import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A check of a manifest before encoding: each line must be valid, no two lines may make the same
/// file, and no line may make the input of another line.
///
/// It reads the manifest once. Files are compared by 64-bit hashes of their resolved paths. A part
/// keeps its own outputs, and the inputs whose names select this part as outputs would.
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
  /// The lines that use each file of this part.
  private var uses: [UInt64: Use] = [:]
  /// The resolved folders by path, with a trailing slash; the key of the working folder is empty.
  private var folders: [ArraySlice<UInt8>: [UInt8]] = [:]

  /// The first lines that make and read a file; 0 for none.
  private struct Use {
    var maker: UInt32 = 0
    var reader: UInt32 = 0
  }

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
        "The manifest “\(displayed(path))” is not a file, and cannot be read twice.",
        suggestion: .text("Save it to a file, or pass its lines through standard input, as -."))
    }
    // A zero byte proves that the content is not a list with a path such as “OggS.wav”.
    let head = InputFile.head(of: path, count: FileKind.longPrefixCount, interruption) ?? []
    if head.contains(0), FileKind(prefix: head.span) != .unknown {
      throw CommandFailure(
        .cannotRead, "“\(displayed(path))” is a sound file, not a list of files.",
        suggestion: .text("Use “aacorn encode” for sound files."))
    }
    try checkLines()
  }

  private mutating func record(_ fault: String) {
    faultCount += 1
    if faults.count < Self.maxReportedFaultCount { faults.append(fault) }
  }

  /// Checks each line, and compares its files with those of the lines before it.
  ///
  /// Files are assigned to parts by their paths as written, since links may differ between machines.
  private mutating func checkLines() throws(CommandFailure) {
    let reader = try LineReader(path, interruption)
    while let next = try reader.next() {
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
      if settings.shard.contains(ManifestLine.number(of: line.input)) {
        addUse(of: input, by: line, isOutput: false)
      }
      if settings.shard.contains(line.outputNumber) {
        lineCount += 1
        checkSettings(of: line)
        let output = resolvedPath(of: line.output)
        checkFile(output, line.output, of: line)
        addUse(of: output, by: line, isOutput: true)
      }
    }
  }

  /// Adds a line that reads or makes a file, and records an error if another line contradicts it.
  private mutating func addUse(of file: [UInt8], by line: ManifestLine, isOutput: Bool) {
    let key = ManifestLine.number(of: file)
    let number = UInt32(clamping: line.number)
    var use = uses[key, default: Use()]
    if isOutput, use.maker > 0 {
      return record("Lines \(use.maker) and \(number) both write “\(displayed(line.output))”.")
    }
    if isOutput { use.maker = number } else if use.reader == 0 { use.reader = number }
    uses[key] = use
    let reader = isOutput ? use.reader : number
    if use.maker == 0 || reader == 0 { return }
    let path = displayed(isOutput ? line.output : line.input)
    record(
      use.maker == reader
        ? "Line \(reader) would replace its own input “\(path)”."
        : "Line \(use.maker) would replace “\(path)”, which line \(reader) reads.")
  }

  /// Records an error if a line names a file of the run itself.
  private mutating func checkFile(_ file: [UInt8], _ path: String, of line: ManifestLine) {
    if ownFiles.contains(file) {
      record("Line \(line.number) names “\(displayed(path))”, which is a file of this run.")
    }
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
