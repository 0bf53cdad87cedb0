import AacornCodec
import AacornRecording

/// How a line of a manifest is encoded, in the words of `aacorn encode`'s options.
///
/// A line says what the command line does not, or otherwise; both know the same names.
struct BatchSettings: Equatable, Sendable {
  /// Options with their values, each once; a flag has an empty value.
  private(set) var words: [Word] = []

  /// An option and its value.
  struct Word: Equatable, Sendable {
    let name: String
    let value: String

    /// The file whose contents are meant; nil if there is none.
    var file: String? {
      switch name {
      case "cover": value
      case "effects" where value.hasPrefix("@"): String(value.dropFirst())
      default: nil
      }
    }

    /// The value, in quotes if it could be taken for more than that.
    fileprivate var quotedValue: String {
      let isPlain = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
      return isPlain ? value : JSONValue.text(value).encoded
    }
  }

  /// Options of `encode` that concern the sound and the file, and not the run.
  static let names: Set<String> = [
    "abr", "album", "artist", "bandwidth", "bitrate", "channels", "comment", "cover", "crc",
    "date", "effects", "effort", "format", "loudness", "loudness-tags", "mpeg2", "no-tags",
    "preset", "profile", "rate", "raw-channels", "raw-format", "raw-rate", "signaling", "title",
    "vbr",
  ]

  /// Options of which one excludes the others.
  private static let rateControls: Set<String> = ["abr", "bitrate", "vbr"]

  /// The options of `encode` as those of a command that collects them here.
  static func options<Command>(
    _ settings: any WritableKeyPath<Command, BatchSettings> & Sendable
  ) -> [CommandSyntax<Command>.Option] {
    EncodeCommand.syntax.options.filter { names.contains($0.description.long) }.map { option in
      CommandSyntax<Command>.Option(description: option.description) {
        (command, value) throws(UsageError) in
        var scratch = EncodeCommand()
        try option.action(&scratch, value)
        command[keyPath: settings].set(option.description.long, value)
      }
    }
  }

  /// Sets an option, in place of what it was, or of what it excludes.
  mutating func set(_ name: String, _ value: String) {
    let isRate = Self.rateControls.contains(name)
    words.removeAll { $0.name == name || isRate && Self.rateControls.contains($0.name) }
    words.append(Word(name: name, value: value))
  }

  /// These with others in their place where both say something.
  func overridden(by others: BatchSettings) -> BatchSettings {
    var settings = self
    for word in others.words { settings.set(word.name, word.value) }
    return settings
  }

  /// The command that `aacorn encode` would run.
  func command() throws(UsageError) -> EncodeCommand {
    var command = EncodeCommand()
    for word in words {
      let options = EncodeCommand.syntax.options
      guard let option = options.first(where: { $0.description.long == word.name }) else {
        throw UsageError("There is no setting “\(word.name)”.")
      }
      try option.action(&command, word.value)
    }
    return command.completed
  }

  /// What makes two encodings of the same input the same, in a text that a ledger keeps.
  ///
  /// That is the settings, whatever their order, the encoder, and what is in the files that the
  /// settings name, as far as `digest` knows it.
  func identity(digest: (_ path: String) -> String? = { _ in nil }) -> String {
    let sorted = words.sorted { $0.name < $1.name }
    let texts = sorted.map { word in
      let digest = word.file.flatMap(digest).map { " (\($0))" } ?? ""
      return (word.value.isEmpty ? word.name : "\(word.name)=\(word.quotedValue)") + digest
    }
    return ([AacornVersion.encoderTag] + texts).joined(separator: " ")
  }
}
