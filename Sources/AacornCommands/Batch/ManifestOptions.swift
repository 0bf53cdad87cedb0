import AacornCodec
import AacornContainers
import AacornSystem

/// The encoding options of a manifest line or of the command line, with the names of the options of
/// `aacorn encode`.
///
/// The options of a line override those of the command line.
struct ManifestOptions: Equatable, Sendable {
  /// The values of the options; the value of a flag is empty.
  private(set) var values: [String: String] = [:]

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

  /// Sets an option, and removes the options that it excludes.
  mutating func set(_ name: String, _ value: String) {
    if Self.rateControls.contains(name) { for other in Self.rateControls { values[other] = nil } }
    values[name] = value
  }

  /// Returns these options with `others` added; `others` take precedence.
  func overridden(by others: ManifestOptions) -> ManifestOptions {
    var options = self
    for (name, value) in others.values { options.set(name, value) }
    return options
  }

  /// Returns the equivalent `aacorn encode` command.
  func command() throws(UsageError) -> EncodeCommand {
    var command = EncodeCommand()
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let option = Self.syntax.option(named: name) else {
        throw UsageError("There is no setting “\(name)”.")
      }
      try Self.syntax.apply(option, value, &command)
    }
    return command
  }

  /// Returns a text for comparison in a ledger: two encodings with equal texts have the same
  /// result.
  ///
  /// The text contains the options, sorted by name, the encoder, and the states of the cover and of
  /// the file with effects. `state` returns nil for a file whose state is not included.
  func identity(state: (_ path: String) -> String? = { _ in nil }) -> String {
    let texts = values.sorted { $0.key < $1.key }.map { (name, value) in
      let state = Self.file(name, value).flatMap(state).map { " (\($0))" } ?? ""
      return (value.isEmpty ? name : "\(name)=\(Self.quoted(value))") + state
    }
    return ([AacornVersion.encoderTag] + texts).joined(separator: " ")
  }

  /// The files that the options name.
  var files: [String] { values.compactMap { Self.file($0.key, $0.value) } }

  /// The first file of the options that is a folder, a pipe, a device or a socket.
  ///
  /// A pipe or a device could block a worker forever, and cannot be read for several lines.
  var unusableFile: String? {
    files.sorted().first { ((try? System.status(of: $0))?.kind ?? .file) != .file }
  }

  private static func file(_ name: String, _ value: String) -> String? {
    name == "cover" ? value : name == "effects" ? effectsFile(value) : nil
  }

  /// Returns the file that contains the effects; nil if they are given directly.
  static func effectsFile(_ value: String) -> String? {
    value.hasPrefix("@") ? String(value.dropFirst()) : nil
  }

  /// Returns a value, quoted if it contains spaces, quotes, or characters outside of printable
  /// ASCII.
  private static func quoted(_ value: String) -> String {
    let needsNoQuotes = value.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"")
    }
    return needsNoQuotes ? value : JSONValue.text(value).encoded
  }
}
