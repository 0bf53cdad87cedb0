import AacornContainers
import AacornNetwork
import AacornStudio
import AacornSystem

/// The studio's messages on the terminal, human-readable and as JSON.
struct StudioReport {
  /// The recording that was in progress at the end, and the losses; nil if there are none.
  private let ending: StudioShutdownResult?
  private let folder: String

  private var recording: StudioRecording? { ending?.recording }

  init(_ ending: StudioShutdownResult?, folder: String) {
    self.ending = ending
    self.folder = folder
  }

  var exitStatus: ExitStatus { losses.isEmpty ? .success : .endedEarly }

  /// Messages about an incomplete or missing recording, and about abandoned changes.
  private var losses: [String] {
    var losses = ending?.losses ?? []
    if let recording, isMissing(recording), let message { losses.append(message) }
    return losses
  }

  /// The message about the saved recording; nil if there is no recording in the folder.
  var message: String? {
    guard let recording else { return nil }
    let length = QuantityText.clock(Int(recording.duration.components.seconds))
    let gaps =
      recording.gapCount == 0
      ? "" : ", \(QuantityText.count(recording.gapCount, "gap"))"
    let file = displayed(path(of: recording))
    if isMissing(recording) {
      return "The recording was completed, but “\(file)” no longer exists: another program has"
        + " moved or deleted it."
    }
    return "Saved \(file), \(length)\(gaps)."
  }

  /// Returns whether the recording's file no longer exists.
  private func isMissing(_ recording: StudioRecording) -> Bool {
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

  /// Prints the report, without the losses that were already printed.
  func print(in console: Console, asJSON: Bool, exceptLosses reported: Set<String> = []) {
    let losses = losses
    for loss in losses where !reported.contains(loss) { console.printError(loss) }
    if asJSON {
      console.print(json)
    } else if let message, !losses.contains(message) {
      console.print(message)
    }
    console.output.flush()
  }

  /// The last JSON object.
  var json: JSONValue {
    .event(
      "stopped",
      [
        "file": .optional(file),
        "duration": recording.map { .decimal($0.duration / .seconds(1), 6) } ?? .null,
        "bytes": .optional(recording?.byteCount), "gaps": .optional(recording?.gapCount),
        "losses": .texts(losses),
      ])
  }

  /// The path of the recording; nil if there is none.
  private var file: String? {
    guard let recording else { return ending?.pathElsewhere }
    return isMissing(recording) ? nil : path(of: recording)
  }

  /// Returns the first JSON object, printed when the server accepts connections at these addresses.
  static func start(_ studio: StudioServer, _ urls: [String]) -> JSONValue {
    var socket: String?
    if case .socket(let path) = studio.configuration.endpoint { socket = path }
    return .event(
      "listening",
      members(urls) + [
        "port": .integer(studio.port), "socket": .optional(socket),
        "folder": .text(studio.configuration.folder),
      ])
  }

  /// Returns the JSON object with further addresses, printed on request.
  static func addresses(_ urls: [String]) -> JSONValue { .event("address", members(urls)) }

  private static func members(_ urls: [String]) -> JSONValue {
    ["url": .optional(urls.first), "urls": .texts(urls)]
  }

  /// Returns a warning about the security of a configuration, or nil.
  static func warning(_ configuration: StudioConfiguration) -> String? {
    let isOpen = configuration.access == .unrestricted
    let all = "can record here, and play and delete all recordings"
    guard configuration.endpoint.isOpenToOthers else {
      if !isOpen { return nil }
      if case .socket = configuration.endpoint {
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

  /// Returns the only JSON object of a studio that failed to start.
  static func failure(_ error: NetworkError) -> JSONValue {
    .event(
      "stopped",
      ["error": .text(error.kind.rawValue), "message": .text(error.message)])
  }
}
