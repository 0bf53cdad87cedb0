#if os(Linux)
import AacornSignal
import CAacornPipeWire

/// A node of PipeWire's graph: a source, a sink or a program's stream.
struct PipeWireNode: Equatable, Sendable {
  /// What it is for those who capture and play.
  enum Role: Equatable, Sendable {
    case source
    case sink
    case other
  }

  /// Distinguishes it from earlier nodes, whose other numbers are reused.
  var serial: String
  /// Its name for programs; the same after a restart.
  var name: String
  /// Its display name.
  var title: String
  /// More about it; may be empty.
  var details: String
  var role: Role
  var channelCount: Int
  /// The channels' names, such as FL and AUX0.
  var positions: [String]
  /// The rate it was created with; 0 if it uses the graph's.
  var sampleRate: Int

  /// Creates a node from properties with PipeWire's names.
  init(_ property: (String) -> String?) {
    serial = property("object.serial") ?? ""
    name = property("node.name") ?? ""
    let nick = property("node.nick") ?? ""
    title = property("node.description") ?? (nick.isEmpty ? name : nick)
    details = nick == title ? "" : nick
    let mediaClass = property("media.class") ?? ""
    role =
      if mediaClass.hasPrefix("Audio/Source") {
        .source
      } else if mediaClass.hasPrefix("Audio/Sink") {
        .sink
      } else {
        .other
      }
    // A list in one of SPA's notations: [ FL FR ] or FL,FR.
    positions = (property("audio.position") ?? "").split { " ,[]\"".contains($0) }.map(String.init)
    channelCount = Self.channelCount(
      property("audio.channels").flatMap { Int($0) } ?? positions.count)
    sampleRate = Self.sampleRate(property("audio.rate"))
  }

  /// The channels that can be captured or played of so many; 0 for a number that is none.
  ///
  /// Any client of the server can create a node that claims millions, for which memory would be
  /// taken later.
  static func channelCount(_ claimed: Int) -> Int {
    min(max(0, claimed), Int(AACORN_PW_CHANNEL_LIMIT))
  }

  /// The rate that a text says; 0 if it says none that sound is converted from and to.
  static func sampleRate(_ text: String?) -> Int {
    guard let rate = text.flatMap({ Int($0) }), Resampler.supportedRates.contains(rate) else {
      return 0
    }
    return rate
  }

  /// Its device id for those who capture, for whom a sink stands for what it plays.
  var deviceID: String { role == .sink ? name + ".monitor" : name }

  /// Whether it is a source created by PipeWire's echo cancellation module.
  var isEchoCancelled: Bool {
    let text = (name + " " + title).lowercased()
    return role == .source
      && (text.contains("echo-cancel") || text.contains("echo cancel")
        || text.contains("echo_cancel"))
  }

  /// The node as a capture device.
  func device(isDefault: Bool, graphRate: Int) -> CaptureDevice {
    CaptureDevice(
      backend: .pipeWire, id: deviceID, name: role == .sink ? "Monitor of \(title)" : title,
      details: details, channelCount: channelCount,
      sampleRate: sampleRate > 0 ? sampleRate : graphRate, isDefault: isDefault,
      isMonitor: role == .sink)
  }

  /// The node as a device to play on.
  func playbackDevice(isDefault: Bool, graphRate: Int) -> PlaybackDevice {
    PlaybackDevice(
      backend: .pipeWire, id: name, name: title, details: details, channelCount: channelCount,
      sampleRate: sampleRate > 0 ? sampleRate : graphRate, isDefault: isDefault)
  }
}
#endif
