import AacornRecording
import AacornSystem

/// The validated streams of a file.
struct StreamList: Sendable {
  let path: String
  let entries: [StreamEntry]
  /// Notices about option names of the previous version.
  let notices: [String]

  /// The maximum size in bytes; a larger file is not a list of streams.
  private static let maxByteCount = 4 << 20

  /// Reads a file and reports all mistakes in it.
  ///
  /// `command` is the command line, with the options for all streams.
  init(
    readingFrom path: String, _ command: StreamCommand,
    environment: (String) -> String? = System.environment
  ) throws(StreamsMistakes) {
    let (text, isPrivate): (String, Bool)
    do throws(UsageError) {
      (text, isPrivate) = try Self.read(path)
    } catch {
      throw StreamsMistakes(path, [StreamsMistake(error: error)])
    }
    try self.init(
      text, from: path, isPrivate: isPrivate, command, environment: environment)
  }

  /// Parses the text of a file.
  ///
  /// `isPrivate` means that other users cannot read the file.
  init(
    _ text: String, from path: String, isPrivate: Bool = true, _ command: StreamCommand,
    environment: (String) -> String?
  ) throws(StreamsMistakes) {
    let file = StreamsFile(text)
    var mistakes = file.mistakes
    let general = Self.sound(file.general, command, &mistakes)
    var entries: [StreamEntry] = []
    var names: Set<String> = []
    /// The indexes of mistakes that concern whole streams.
    var shared: [UsageError: Int] = [:]
    for section in file.sections where names.insert(section.name).inserted {
      var settings = StreamSettings(command)
      let own = file.assignments(of: section, from: general)
      mistakes += settings.apply(own, of: section.name)
      do throws(UsageError) {
        let entry = try settings.entry(section, own, environment: environment)
        if !isPrivate { try Self.checkPrivacy(of: settings.command, in: path) }
        entries.append(entry)
      } catch {
        // Skip errors that may follow from a mistake in a single option.
        let isKnown = mistakes.contains { $0.stream == section.name }
        if isKnown { continue }
        // Report an error of several streams once, for example an unreadable file with passwords.
        if let index = shared[error] {
          mistakes[index].others.append(section.name)
        } else {
          shared[error] = mistakes.count
          mistakes.append(
            StreamsMistake(line: section.line, stream: section.name, error: error))
        }
      }
    }
    mistakes += OutputTargets.clashes(among: entries, besides: command.statusAddress)
    if file.sections.isEmpty && mistakes.isEmpty {
      mistakes.append(
        StreamsMistake(
          error: UsageError(
            "There is no stream in this file.",
            hint: "Write [NAME] on a line, and its options below.")))
    }
    if !mistakes.isEmpty { throw StreamsMistakes(path, mistakes) }
    self.path = path
    self.entries = entries
    notices = (file.general + file.sections.flatMap(\.assignments)).compactMap { assignment in
      StreamSettings.notice(about: assignment.option).map { "Line \(assignment.line): \($0)" }
    }
  }

  /// Returns the valid assignments for all streams, and reports mistakes in the invalid ones once.
  private static func sound(
    _ assignments: [StreamsFile.Assignment], _ command: StreamCommand,
    _ mistakes: inout [StreamsMistake]
  ) -> [StreamsFile.Assignment] {
    assignments.filter { assignment in
      var settings = StreamSettings(command)
      let found = settings.apply([assignment], of: nil)
      mistakes += found
      return found.isEmpty
    }
  }

  /// Rejects credentials in a file that other users can read.
  private static func checkPrivacy(
    of command: StreamCommand, in path: String
  ) throws(UsageError) {
    guard command.hasSecretsInAddresses else { return }
    throw UsageError(
      "Other users can read this file, and an address in it contains a password or a stream key.",
      hint:
        "Put the secret into a file for the option credentials, or remove the permission: chmod 600 "
        + displayed(path))
  }

  private static func read(_ path: String) throws(UsageError) -> (text: String, isPrivate: Bool) {
    // Opening a pipe waits for a writer, and a pipe cannot be read again.
    try reject(
      if: (try? System.status(of: path))?.kind == .other,
      "“\(displayed(path))” is not a regular file and could not be read again.",
      hint: "Write it to a file, and name that with --config.")
    let (bytes, status) = try OptionValue.content(
      of: path, option: "--config", maxByteCount: maxByteCount)
    try reject(
      if: bytes.count > maxByteCount,
      "“\(displayed(path))” is larger than 4 MB, the limit of a file of streams.")
    guard let text = String(utf8: bytes) else {
      throw UsageError("“\(displayed(path))” is not text in UTF-8.")
    }
    return (text, status.permissions & 0o077 == 0)
  }
}
