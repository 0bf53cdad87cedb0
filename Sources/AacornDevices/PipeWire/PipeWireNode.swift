#if os(Linux)
import AacornSignal
import CAacornPipeWire

/// A node of PipeWire's graph: a source, a sink or a program's stream.
struct PipeWireNode: Equatable, Sendable {
  /// The use of a node for capture and playback.
  enum Role: Equatable, Sendable {
    case source
    case sink
    case other
  }

  /// The serial number, which distinguishes the node from earlier nodes with the same id.
  var serial: String
  /// The node's name for programs; unchanged by a restart of the server.
  var name: String
  /// The node's display name.
  var title: String
  /// Further details; may be empty.
  var details: String
  var role: Role
  var channelCount: Int
  /// The channels' names, such as FL and AUX0.
  var positions: [String]
  /// The rate that the node was created with; 0 if it uses the graph's.
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

  /// Returns the channel count that a node states, limited to the supported maximum; 0 for an
  /// invalid count.
  ///
  /// Any client of the server can create a node that states millions of channels, for which memory
  /// would be allocated later.
  static func channelCount(_ claimed: Int) -> Int {
    min(max(0, claimed), Int(AACORN_PW_CHANNEL_LIMIT))
  }

  /// Parses a rate; returns 0 if it is missing or not supported by the resampler.
  static func sampleRate(_ text: String?) -> Int {
    guard let rate = text.flatMap({ Int($0) }), Resampler.supportedRates.contains(rate) else {
      return 0
    }
    return rate
  }

  /// Whether samples can be captured from the node, or played on it.
  func supports(_ direction: DeviceDirection) -> Bool {
    role == .sink || role == .source && direction == .capture
  }

  /// Whether the node is a sink whose monitor is captured.
  func isMonitor(for direction: DeviceDirection) -> Bool { role == .sink && direction == .capture }

  /// Returns the node's device id.
  func deviceID(for direction: DeviceDirection) -> String {
    isMonitor(for: direction) ? name + ".monitor" : name
  }

  /// Whether the node is a source created by PipeWire's echo cancellation module.
  var isEchoCancelled: Bool {
    let text = (name + " " + title).lowercased()
    return role == .source
      && (text.contains("echo-cancel") || text.contains("echo cancel")
        || text.contains("echo_cancel"))
  }
}
#endif
