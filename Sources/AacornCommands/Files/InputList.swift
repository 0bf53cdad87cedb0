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
    /// Whether the file was found in a folder, rather than named directly.
    var isFound = false
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

    /// Returns whether files with a suffix are used or reported.
    func knows(_ suffix: String) -> Bool { rank(of: suffix) != nil || reported.contains(suffix) }

    /// Returns whether no command can read files with a suffix.
    static func isUnreadable(_ suffix: String) -> Bool { unreadableSuffixes.contains(suffix) }
  }

  private let wanted: Wanted
  let interruption: Interruption
  /// The formats searched for in folders, for messages.
  var searchedFormats: String { wanted.names }
  private(set) var entries: [Entry] = []
  /// The files and folders in folders that are skipped, apart from files without audio.
  private(set) var skipped: [SkippedEntry] = []
  /// The operands without readable files.
  private(set) var failures: [(path: String, failure: CommandFailure)] = []

  /// Resolves the operands in order.
  ///
  /// Inside of a folder, files are ordered by the bytes of their names.
  init(_ operands: [String], of wanted: Wanted = .sounds, interruption: Interruption) {
    self.wanted = wanted
    self.interruption = interruption
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
        failures.append((operand, CommandFailure(.open, operand, because: error)))
        continue
      }
      let countBefore = entries.count + failures.count
      search(operand, subfolder: "", depth: 0)
      if entries.count + failures.count == countBefore {
        let failure = CommandFailure(
          .cannotRead,
          "The folder “\(displayed(operand))” contains no sound files that can be read.",
          suggestion: .text("Folders are searched for \(wanted.names); other files must be named."))
        failures.append((operand, failure))
      }
    }
  }

  private mutating func search(_ folder: String, subfolder: String, depth: Int) {
    if interruption.signal != nil { return }
    let names: [String]
    do throws(SystemError) {
      names = try System.names(inFolder: folder)
    } catch {
      failures.append((folder, CommandFailure(.list, folder, because: error)))
      return
    }
    let ordered = names.sorted {
      PathText.encode($0).lexicographicallyPrecedes(PathText.encode($1))
    }
    let first = entries.count
    for name in ordered {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      let entry = Entry(path: path, subfolder: subfolder, isFound: true)
      let kind: System.FileStatus.Kind
      do throws(SystemError) {
        kind = try System.statusOfLink(path).kind
      } catch {
        if error != .notFound, wanted.knows(Self.suffix(name)) {
          failures.append((path, CommandFailure(.open, path, because: error)))
        }
        continue
      }
      switch kind {
      case .folder where SystemFiles.isFolder(name): skip(entry, .systemFolder)
      case .folder where depth + 1 == Self.maxDepth: skip(entry, .deepFolder)
      case .folder:
        search(path, subfolder: FileName.joined(subfolder, name), depth: depth + 1)
      case .file: classify(entry)
      case .link:
        switch (try? System.status(of: path))?.kind {
        case .file: classify(entry)
        // A linked folder is not searched: links may form a cycle.
        case .folder: skip(entry, .linkedFolder)
        default: skipOther(entry)
        }
      case .other: skipOther(entry)
      }
    }
    skipOutranked(from: first, in: subfolder)
  }

  /// The maximum depth of subfolders.
  private static let maxDepth = 64

  private mutating func skip(_ entry: Entry, _ reason: SkippedEntry.Reason) {
    skipped.append(SkippedEntry(entry: entry, reason: reason))
  }

  /// The suffix of a file in a folder; a name such as `.wav` is only a suffix.
  private static func suffix(_ path: String) -> String {
    FileName.suffix("_" + FileName.last(path))
  }

  /// Skips an entry with the name of an audio file that is not a regular file.
  private mutating func skipOther(_ entry: Entry) {
    if wanted.knows(Self.suffix(entry.path)) { skip(entry, .notFile) }
  }

  /// Of files in a folder that differ only in their suffixes, keeps only the preferred ones.
  ///
  /// The files are likely to be the same audio, and their outputs would have the same name.
  private mutating func skipOutranked(from first: Int, in subfolder: String) {
    var best: [String: Int] = [:]
    let ranks = entries[first...].map { entry -> (name: String, rank: Int) in
      // Files of a subfolder were compared with each other when the subfolder was searched.
      let rank = entry.subfolder == subfolder ? wanted.rank(of: Self.suffix(entry.path)) : nil
      guard let rank else { return ("", 0) }
      let name = FileName.replacingSuffix(entry.path, with: "")
      best[name] = min(best[name] ?? rank, rank)
      return (name, rank)
    }
    var kept = Array(entries[..<first])
    for (entry, (name, rank)) in zip(entries[first...], ranks) {
      if rank > best[name] ?? rank { skip(entry, .sameName) } else { kept.append(entry) }
    }
    entries = kept
  }

  /// Adds a file of a folder to the list that its suffix determines.
  private mutating func classify(_ entry: Entry) {
    let suffix = Self.suffix(entry.path)
    guard wanted.knows(suffix), !SystemFiles.isMetadata(entry.path, interruption) else { return }
    if wanted.rank(of: suffix) != nil {
      entries.append(entry)
    } else if !SoundSuffixes.ambiguous.contains(suffix)
      || isTransportStream(entry.path)
    {
      skip(entry, SkippedEntry.isCoded(suffix) ? .coded : .otherFormat)
    }
  }

  private func isTransportStream(_ path: String) -> Bool {
    let head = InputFile.head(of: path, count: FileKind.longPrefixCount, interruption) ?? []
    return FileKind(prefix: head.span) == .other(.transportStream)
  }
}

/// Files and folders that systems create in every folder, and that contain no audio of the user.
private enum SystemFiles {
  /// Folders for deleted files, search indexes, metadata and unfinished work.
  private static let folders: Set<String> = [
    ".AppleDB", ".AppleDesktop", ".AppleDouble", ".DocumentRevisions-V100", ".Spotlight-V100",
    ".TemporaryItems", ".Trash", ".Trashes", ".fseventsd", "$RECYCLE.BIN", "@eaDir",
    "System Volume Information", "lost+found",
  ]

  static func isFolder(_ name: String) -> Bool {
    folders.contains(name) || name.hasPrefix(".Trash-") || name.hasPrefix(".aacorn-")
  }

  /// Returns whether a file contains metadata of another file, such as `._song.wav` of `song.wav`.
  ///
  /// The content decides (AppleDouble, RFC 1740), because the name of a song may begin so, too.
  static func isMetadata(_ path: String, _ interruption: Interruption) -> Bool {
    FileName.last(path).hasPrefix("._")
      && InputFile.head(of: path, count: 4, interruption) == [0, 5, 0x16, 7]
  }
}
