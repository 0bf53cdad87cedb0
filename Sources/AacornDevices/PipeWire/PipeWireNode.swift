#if os(Linux)
/// A node of PipeWire's graph: a source, a sink or a program's stream.
struct PipeWireNode: Equatable, Sendable {
  /// What the node is to somebody who captures.
  enum Role: Equatable, Sendable {
    case source
    case sink
    case other
  }

  /// Told apart from earlier nodes, whose other numbers are used again.
  var serial: String
  /// What programs call it; the same after a restart.
  var name: String
  /// What people call it.
  var title: String
  /// More about it, or nothing.
  var details: String
  var role: Role
  var channelCount: Int
  /// The channels' names, such as FL and AUX0.
  var positions: [String]
  /// The rate it was made with; 0 if it takes the graph's.
  var sampleRate: Int

  /// The node that `property` tells of by PipeWire's names.
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
    channelCount = property("audio.channels").flatMap { Int($0) } ?? positions.count
    sampleRate = property("audio.rate").flatMap { Int($0) } ?? 0
  }

  /// What a device's id is: a sink is meant as what it plays.
  var deviceID: String { role == .sink ? name + ".monitor" : name }

  /// Whether it is a source that PipeWire's module for echo cancellation made.
  var isEchoCancelled: Bool {
    let text = (name + " " + title).lowercased()
    return role == .source
      && (text.contains("echo-cancel") || text.contains("echo cancel")
        || text.contains("echo_cancel"))
  }

  /// It as something to capture from.
  func device(isDefault: Bool, graphRate: Int) -> CaptureDevice {
    CaptureDevice(
      backend: .pipeWire, id: deviceID, name: role == .sink ? "Monitor of \(title)" : title,
      details: details, channelCount: channelCount,
      sampleRate: sampleRate > 0 ? sampleRate : graphRate, isDefault: isDefault,
      isMonitor: role == .sink)
  }
}
#endif
