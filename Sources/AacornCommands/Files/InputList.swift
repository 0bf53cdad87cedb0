import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// The input files of operands: named files, and sound files found in folders.
struct InputList {
  /// A file to read.
  struct Entry: Equatable {
    let path: String
    /// The subfolder inside of the named folder; empty for a file that was named directly.
    let subfolder: String
  }

  /// The file types that folders are searched for.
  struct Wanted {
    /// The suffixes of the files to use, in order of preference.
    ///
    /// Of files that differ only in their suffixes, only the files in the first matching set are
    /// used.
    let suffixes: [Set<String>]
    /// The formats, for messages.
    let names: String
    /// The suffixes of other sound and video files, which are reported.
    let reported: Set<String>

    /// The input of an encoder: uncompressed and lossless files before lossy ones, and no AAC.
    static let sounds = Wanted(
      suffixes: [
        ["wav", "wave", "bwf", "rf64", "aif", "aiff", "aifc", "caf"],
        ["au", "flac", "snd", "w64"],
        ["mp1", "mp2", "mp3", "mpga", "oga", "ogg", "opus"],
      ], names: AACFileError.RecoverySuggestion.sourceSounds, reported: SoundSuffixes.all)
    private static let codedSuffixes: Set = [
      "3g2", "3gp", "aac", "adif", "adts", "latm", "loas", "m4a", "m4b", "m4r", "m4v", "mov", "mp4",
    ]

    /// The input of a decoder: AAC.
    static let streams = Wanted(
      suffixes: [codedSuffixes], names: "AAC in ADTS, LATM, ADIF, MP4 and MOV files",
      reported: unreadableSuffixes)

    /// The input of a player: all readable files.
    static let playable = Wanted(
      suffixes: [readableSuffixes],
      names: AACFileError.RecoverySuggestion.sourceSounds + " and " + streams.names,
      reported: unreadableSuffixes)

    private static let readableSuffixes = sounds.suffixes.reduce(codedSuffixes) { $0.union($1) }

    /// The suffixes of sound and video that no command can read.
    private static let unreadableSuffixes =
      SoundSuffixes.all.subtracting(readableSuffixes).subtracting(SoundSuffixes.ambiguous)

    /// Returns the index of the set with a suffix, or nil if such files are not used.
    func rank(of suffix: String) -> Int? { suffixes.firstIndex { $0.contains(suffix) } }

    /// Returns whether no command can read files with a suffix.
    static func isUnreadable(_ suffix: String) -> Bool { unreadableSuffixes.contains(suffix) }
  }

  private let wanted: Wanted
  /// The formats searched for in folders, for messages.
  var searchedFormats: String { wanted.names }
  private(set) var entries: [Entry] = []
  /// The files in folders with suffixes of other sound and video formats.
  private(set) var skipped: [Entry] = []
  /// The files in folders that are skipped because a preferred file has the same name.
  private(set) var outranked: [Entry] = []
  /// The operands without readable files.
  private(set) var failures: [(path: String, failure: CommandFailure)] = []

  /// Resolves the operands in order.
  ///
  /// Inside of a folder, files are ordered by the bytes of their names.
  init(_ operands: [String], of wanted: Wanted = .sounds, interruption: Interruption) {
    self.wanted = wanted
    for operand in operands {
      if operand == "-" {
        entries.append(Entry(path: operand, subfolder: ""))
        continue
      }
      do throws(SystemError) {
        let status = try System.status(of: operand)
        if status.kind != .folder {
          entries.append(Entry(path: operand, subfolder: ""))
          continue
        }
      } catch {
        failures.append((operand, CommandFailure(.open, operand, error)))
        continue
      }
      let countBefore = entries.count + failures.count
      search(operand, subfolder: "", depth: 0, interruption)
      if entries.count + failures.count == countBefore {
        let failure = CommandFailure(
          .cannotRead,
          "The folder “\(displayed(operand))” contains no sound files that can be read.",
          .text("Folders are searched for \(wanted.names); other files must be named."))
        failures.append((operand, failure))
      }
    }
  }

  private mutating func search(
    _ folder: String, subfolder: String, depth: Int, _ interruption: Interruption
  ) {
    guard depth < 64, interruption.signal == nil else { return }
    let names: [String]
    do throws(SystemError) {
      names = try System.names(inFolder: folder)
    } catch {
      failures.append((folder, CommandFailure(.list, folder, error)))
      return
    }
    let ordered = names.sorted {
      PathText.encode($0).lexicographicallyPrecedes(PathText.encode($1))
    }
    let first = entries.count
    for name in ordered where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      guard let status = try? System.statusOfLink(path) else { continue }
      switch status.kind {
      // Skip linked folders: they may form a cycle.
      case .folder:
        search(
          path, subfolder: FileName.joined(subfolder, name), depth: depth + 1, interruption)
      case .file:
        classify(Entry(path: path, subfolder: subfolder), interruption)
      case .link:
        if (try? System.status(of: path))?.kind == .file {
          classify(Entry(path: path, subfolder: subfolder), interruption)
        }
      default: break
      }
    }
    skipOutranked(from: first, in: subfolder)
  }

  /// Of files in a folder that differ only in their suffixes, keeps only the preferred ones.
  ///
  /// The files are likely to be the same audio, and their outputs would have the same name.
  private mutating func skipOutranked(from first: Int, in subfolder: String) {
    var best: [String: Int] = [:]
    let ranks = entries[first...].map { entry -> (name: String, rank: Int) in
      // Files of a subfolder were compared with each other when the subfolder was searched.
      let rank = entry.subfolder == subfolder ? wanted.rank(of: FileName.suffix(entry.path)) : nil
      guard let rank else { return ("", 0) }
      let name = FileName.replacingSuffix(entry.path, with: "")
      best[name] = min(best[name] ?? rank, rank)
      return (name, rank)
    }
    var kept = Array(entries[..<first])
    for (entry, (name, rank)) in zip(entries[first...], ranks) {
      if rank > best[name] ?? rank { outranked.append(entry) } else { kept.append(entry) }
    }
    entries = kept
  }

  /// Adds a file of a folder to the list that its suffix determines.
  private mutating func classify(_ entry: Entry, _ interruption: Interruption) {
    let suffix = FileName.suffix(entry.path)
    if wanted.rank(of: suffix) != nil {
      entries.append(entry)
    } else if wanted.reported.contains(suffix) {
      let isAmbiguous = SoundSuffixes.ambiguous.contains(suffix)
      if !isAmbiguous || Self.isTransportStream(entry.path, interruption) { skipped.append(entry) }
    }
  }

  private static func isTransportStream(_ path: String, _ interruption: Interruption) -> Bool {
    var head = [UInt8](repeating: 0, count: PCMFileKind.longPrefixCount)
    guard let file = try? InputFile(path, interruption: interruption),
      let count = try? file.read(into: &head)
    else { return false }
    return PCMFileKind(prefix: head.span.extracting(..<count)) == .other(.transportStream)
  }
}

/// Sound and video files in folders that are skipped, human-readable and as JSON.
struct SkippedFiles {
  let entries: [InputList.Entry]
  /// The reason or a hint: for one file, and for all of them.
  let reason: (one: String, all: String)

  /// Returns the reason for files in other formats; `names` are the formats that folders are
  /// searched for.
  static func otherFormat(_ names: String) -> (one: String, all: String) {
    let words = "Folders are searched for \(names)."
    return (words, words)
  }
  /// The reason for AAC: encoding it again would lose quality.
  static let codedReason = (
    one: "It may contain AAC; name it to encode it again.",
    all: "They may contain AAC; name a file to encode it again."
  )
  /// The reason for files that probably contain the same audio as another input.
  static let outrankedReason = (
    one: "Another file has the same name, and both would have the same output.",
    all: "Other files have the same names, and would have the same outputs."
  )

  /// The suffixes of files with AAC, or at least coded audio, and without video.
  private static let codedSuffixes: Set<String> = [
    "aac", "adif", "adts", "latm", "loas", "m4a", "m4b", "m4r",
  ]

  /// Groups the skipped files in folders by the reason.
  ///
  /// `names` are the formats that folders are searched for.
  static func groups(_ entries: [InputList.Entry], searchedFor names: String) -> [SkippedFiles] {
    let coded = entries.filter { codedSuffixes.contains(FileName.suffix($0.path)) }
    let others = entries.filter { !codedSuffixes.contains(FileName.suffix($0.path)) }
    return [
      SkippedFiles(entries: coded, reason: Self.codedReason),
      SkippedFiles(entries: others, reason: otherFormat(names)),
    ]
  }

  /// Returns whether no command can read one of the files, so that naming it would not help.
  static func hasUnreadable(_ entries: [InputList.Entry]) -> Bool {
    entries.contains { InputList.Wanted.isUnreadable(FileName.suffix($0.path)) }
  }

  /// The maximum number of names in a message.
  private static let limit = 10

  /// The message with the names and the reason; nil if there are no files.
  var message: String? {
    if entries.isEmpty { return nil }
    let names = entries.lazy.map { entry in
      displayed(FileName.joined(entry.subfolder, FileName.last(entry.path)))
    }
    let verb = entries.count == 1 ? "was" : "were"
    let count = QuantityText.count(entries.count, "file")
    return "\(count) \(verb) skipped: \(listed(names, limit: Self.limit)). "
      + (entries.count == 1 ? reason.one : reason.all)
  }

  /// A JSON object for each file.
  var jsonObjects: [JSONValue] {
    entries.map { entry in
      [
        "input": .text(entry.path), "output": .null, "status": .text("left-out"),
        "message": .text(reason.one),
      ]
    }
  }
}

/// Returns the first texts as a list, with the number of the others.
func listed(_ texts: some Collection<String>, limit: Int) -> String {
  let more = texts.count - limit
  return listed(texts.prefix(limit) + (more > 0 ? ["\(more) more"] : []))
}
