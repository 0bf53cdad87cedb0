import AacornCodec
import AacornRecording
import AacornSystem

/// The encoding options of a manifest line or of the command line, with the names of the options of
/// `aacorn encode`.
///
/// The options of a line override those of the command line.
struct ManifestOptions: Equatable, Sendable {
  /// The options with their values, each at most once; the value of a flag is empty.
  private(set) var words: [Word] = []

  /// An option and its value.
  struct Word: Equatable, Sendable {
    let name: String
    let value: String

    /// The file that the value names and whose content is read; nil if the value is not a file.
    var file: String? {
      switch name {
      case "cover": value
      case "effects" where value.hasPrefix("@"): String(value.dropFirst())
      default: nil
      }
    }

    /// The value, quoted if it contains spaces, quotes, or characters outside of printable ASCII.
    fileprivate var quotedValue: String {
      let needsNoQuotes = value.utf8.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"")
      }
      return needsNoQuotes ? value : JSONValue.text(value).encoded
    }
  }

  /// Created once, because building the table takes longer than a lookup.
  static let syntax = EncodeCommand.syntax

  /// The options of `encode` that affect the audio and the file, and not the run.
  static let names: Set<String> = [
    "abr", "album", "artist", "bandwidth", "bitrate", "channels", "comment", "cover", "crc",
    "date", "effects", "effort", "format", "loudness", "loudness-tags", "mpeg2", "no-tags",
    "preset", "profile", "rate", "raw-channels", "raw-format", "raw-rate", "signaling", "title",
    "vbr",
  ]

  /// Mutually exclusive options.
  private static let rateControls: Set<String> = ["abr", "bitrate", "vbr"]

  /// Returns the options of `encode` for a command that collects them in a property.
  static func sections<Command>(
    _ settings: CommandSyntax<Command>.Option.Property<ManifestOptions>
  ) -> [CommandSyntax<Command>.Section] {
    syntax.sections.map { section in
      let options = section.options.filter { names.contains($0.description.long) }.map { option in
        CommandSyntax<Command>.Option(description: option.description) {
          (command, value) throws(UsageError) in
          var scratch = EncodeCommand()
          try option.action(&scratch, value)
          command[keyPath: settings].set(option.description.long, value)
        }
      }
      return (section.title, options)
    }
  }

  /// Sets an option, and removes its previous value and the options that it excludes.
  mutating func set(_ name: String, _ value: String) {
    let isRate = Self.rateControls.contains(name)
    words.removeAll { $0.name == name || isRate && Self.rateControls.contains($0.name) }
    words.append(Word(name: name, value: value))
  }

  /// Returns these options with `others` added; `others` take precedence.
  func overridden(by others: ManifestOptions) -> ManifestOptions {
    var settings = self
    for word in others.words { settings.set(word.name, word.value) }
    return settings
  }

  /// Returns the equivalent `aacorn encode` command.
  func command() throws(UsageError) -> EncodeCommand {
    var command = EncodeCommand()
    for word in words {
      guard let option = Self.syntax.option(named: word.name) else {
        throw UsageError("There is no setting “\(word.name)”.")
      }
      try option.action(&command, word.value)
    }
    return command
  }

  /// Returns a text for comparison in a ledger: two encodings with equal texts have the same
  /// result.
  ///
  /// The text contains the options, sorted by name, the encoder, and the digests of the files that
  /// the options name. `digest` returns nil for a file whose digest is not included.
  func identity(digest: (_ path: String) -> String? = { _ in nil }) -> String {
    let sorted = words.sorted { $0.name < $1.name }
    let texts = sorted.map { word in
      let digest = word.file.flatMap(digest).map { " (\($0))" } ?? ""
      return (word.value.isEmpty ? word.name : "\(word.name)=\(word.quotedValue)") + digest
    }
    return ([AacornVersion.encoderTag] + texts).joined(separator: " ")
  }
}
