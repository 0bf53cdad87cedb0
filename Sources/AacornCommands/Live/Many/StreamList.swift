import AacornNetwork
import AacornRecording
import AacornStreaming
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
    try reject(
      if: command.serverAddresses.contains { !$0.secrets.isEmpty },
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

/// An estimate of the number of files and connections that streams have open at a time.
///
/// The numbers include a margin: a server connection needs more descriptors during a reconnect, a
/// file output more when it starts a new file. Listeners of HLS servers are not counted; they share
/// the remaining descriptors.
enum DescriptorEstimate {
  /// The descriptors that the program itself needs.
  private static let program = 32
  /// The descriptors that the status server and its clients need.
  private static let status = 72
  /// The descriptors that the control of one stream needs.
  private static let stream = 4

  private static let server = 10
  private static let folder = 3
  private static let file = 3
  private static let listening = 8
  /// The descriptors that a device of a sound system needs.
  private static let device = 8

  /// Returns the number of descriptors for all streams of a list.
  static func count(of entries: [StreamEntry], besides command: StreamCommand) -> Int {
    let own = program + (command.statusAddress == nil ? 0 : status)
    return entries.reduce(own) { $0 + count(of: $1.plan) }
  }

  /// Returns the number of descriptors for one stream.
  static func count(of plan: LivePlan) -> Int {
    var count = stream + sources(of: plan.sound) + (plan.metadataFile == nil ? 0 : 1)
    for output in plan.outputs {
      switch output {
      case .server: count += server
      case .hls(let hls):
        count += folder * hls.folders.count + server * hls.uploads.count
        if hls.address != nil { count += listening }
      case .save: count += file
      }
    }
    if plan.configuration.multitrack != nil { count += 1 + file * plan.sound.tracks.count }
    return count
  }

  private static func sources(of sound: SoundChoice) -> Int {
    if sound.tracks.isEmpty { return sound.isFile ? 1 : sound.isSynthetic ? 0 : device }
    return sound.tracks.reduce(0) { $0 + ($1.isFile ? 1 : $1.isSynthetic ? 0 : device) }
  }

  /// Raises the limit of descriptors to its maximum, and returns a warning if a list needs more.
  static func warning(for list: StreamList, besides command: StreamCommand) -> String? {
    warning(
      needed: count(of: list.entries, besides: command), allowed: System.raiseDescriptorLimit())
  }

  /// Returns a warning if fewer descriptors are allowed than needed, or nil.
  static func warning(needed: Int, allowed: Int) -> String? {
    if needed <= allowed { return nil }
    return
      "These streams need up to \(needed) open files and connections, but the limit is \(allowed). "
      + "Streams beyond it fail. Raise the limit: LimitNOFILE=\(needed) in a systemd unit, or “ulimit -n \(needed)” in a shell."
  }
}
