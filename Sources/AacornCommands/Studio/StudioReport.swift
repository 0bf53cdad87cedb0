import AacornRecording
import AacornStudio
import AacornSystem
import AacornWeb

/// The studio's messages on the terminal, for people and for programs.
struct StudioReport {
  /// How the recording has ended that was in progress at the end; nil if none was.
  private let ending: StudioEnding?
  private let folder: String

  private var recording: StudioRecording? { ending?.recording }

  /// Reports on a studio that has ended.
  init(_ ending: StudioEnding?, folder: String) {
    self.ending = ending
    self.folder = folder
  }

  /// The exit code.
  var exitStatus: ExitStatus { losses.isEmpty ? .success : .endedEarly }

  /// Why the recording is not whole, or not where it should be, in sentences.
  private var losses: [String] {
    var losses = ending?.losses ?? []
    if let recording, isGone(recording), let sentence { losses.append(sentence) }
    return losses
  }

  /// The sentence on what was saved; nil if there is no recording in the folder.
  var sentence: String? {
    guard let recording else { return nil }
    let length = QuantityText.clock(Int(recording.duration.components.seconds))
    let gaps =
      recording.gapCount == 0
      ? "" : ", \(QuantityText.count(recording.gapCount, "gap"))"
    let file = displayed(path(of: recording))
    if isGone(recording) {
      return "The recording was completed, but “\(file)” no longer exists: another program has"
        + " moved or deleted it."
    }
    return "Saved \(file), \(length)\(gaps)."
  }

  /// Another program working in the folder may have removed it while it was being written.
  private func isGone(_ recording: StudioRecording) -> Bool {
    do throws(SystemError) {
      _ = try System.status(of: path(of: recording))
      return false
    } catch {
      return error == .notFound
    }
  }

  private func path(of recording: StudioRecording) -> String {
    folder.hasSuffix("/") ? folder + recording.name : "\(folder)/\(recording.name)"
  }

  /// Prints everything, except losses that were printed when they happened.
  func print(in console: Console, asJSON: Bool, exceptLosses told: Set<String> = []) {
    let losses = losses
    for loss in losses where !told.contains(loss) { console.printError(loss) }
    if asJSON {
      console.print(json.encoded)
    } else if let sentence, !losses.contains(sentence) {
      console.print(sentence)
    }
    console.output.flush()
  }

  /// The last object for programs; keys keep their names and order.
  var json: JSONValue {
    Self.event(
      "stopped",
      [
        .init("file", .optional(file)),
        .init("duration", recording.map { .decimal($0.duration / .seconds(1), 6) } ?? .null),
        .init("bytes", .optional(recording?.byteCount)),
        .init("gaps", .optional(recording?.gapCount)),
        .init("losses", .list(losses.map { .text($0) })),
      ])
  }

  /// Where the recording is; nil if there is none.
  private var file: String? {
    guard let recording else { return ending?.pathElsewhere }
    return isGone(recording) ? nil : path(of: recording)
  }

  /// The first object, once pages can be opened at these addresses.
  static func start(_ studio: StudioServer, _ urls: [String]) -> JSONValue {
    var socket: String?
    if case .socket(let path) = studio.configuration.place { socket = path }
    return event(
      "listening",
      members(urls) + [
        .init("port", .integer(studio.port)), .init("socket", .optional(socket)),
        .init("folder", .text(studio.configuration.folder)),
      ])
  }

  /// The object with other addresses, on request.
  static func addresses(_ urls: [String]) -> JSONValue { event("address", members(urls)) }

  private static func members(_ urls: [String]) -> [JSONValue.Member] {
    [
      .init("url", .optional(urls.first)), .init("urls", .list(urls.map { .text($0) })),
    ]
  }

  /// What a user who starts such a studio should know, as a sentence; nil if there is nothing.
  static func warning(_ configuration: StudioConfiguration) -> String? {
    let isOpen = configuration.access == .everybody
    let all = "can record here, and play and delete all recordings"
    guard configuration.place.isOpenToOthers else {
      if !isOpen { return nil }
      if case .socket = configuration.place {
        return "without a token, everyone the proxy admits \(all). The permissions of the socket"
          + " keep other users of this machine away from it."
      }
      return "without a token, every user of this machine, and every program, \(all)."
    }
    let start =
      isOpen
      ? "without a token, everyone who can reach this machine \(all). The connection is not"
        + " encrypted, either."
      : "the connection is not encrypted: anyone who can read the network's traffic can log in,"
        + " record here and play all recordings."
    return start
      + " Browsers on other machines do not allow pages like this one to use their microphone; that"
      + " works only at localhost."
  }

  /// The only object of a studio that could not begin.
  static func failure(_ error: NetworkError) -> JSONValue {
    event(
      "stopped",
      [.init("error", .text(error.kind.rawValue)), .init("message", .text(error.sentence))])
  }

  private static func event(_ name: String, _ members: [JSONValue.Member]) -> JSONValue {
    .object(
      [
        .init("event", .text(name)),
        .init("time", .text(Timestamp.iso8601(System.wallNanoseconds))),
      ] + members)
  }
}
