#if os(Linux)
import AacornSignal
import CAacornPipeWire

/// The known state of a server's objects.
struct PipeWireGraph: Sendable {
  /// A link from one node's output to another's input; each channel has its own link.
  struct Link: Sendable {
    var output: UInt32
    var input: UInt32
  }

  var nodes: [UInt32: PipeWireNode] = [:]
  var links: [UInt32: Link] = [:]
  /// The name of the node to capture from if none is chosen.
  var defaultSourceName: String?
  /// The name of the node to play on if none is chosen.
  var defaultSinkName: String?
  /// True once all objects that existed at connection time are known.
  var isComplete = false
  /// The reason why the connection is broken.
  var failure: String?
  private var clockRate = 0
  private var forcedRate = 0

  /// The graph's frames per second; 0 if unknown.
  var sampleRate: Int { forcedRate > 0 ? forcedRate : clockRate }

  mutating func put(_ id: UInt32, _ node: PipeWireNode) {
    var node = node
    if let known = nodes[id], node.channelCount == 0 { node.channelCount = known.channelCount }
    nodes[id] = node
  }

  /// Records a node's preferred channel count, which is used only if its properties have none.
  mutating func setChannels(of id: UInt32, _ count: UInt32) {
    if nodes[id]?.channelCount == 0 {
      nodes[id]?.channelCount = PipeWireNode.channelCount(Int(clamping: count))
    }
  }

  mutating func remove(_ id: UInt32) {
    nodes[id] = nil
    links[id] = nil
  }

  mutating func set(_ key: String, _ value: String?) {
    switch key {
    case "default.audio.source": defaultSourceName = value.flatMap(Self.name)
    case "default.audio.sink": defaultSinkName = value.flatMap(Self.name)
    case "clock.rate": clockRate = PipeWireNode.sampleRate(value)
    case "clock.force-rate": forcedRate = PipeWireNode.sampleRate(value)
    default: break
    }
  }

  /// Returns the name in a value such as `{ "name": "alsa_input.usb" }`.
  static func name(in value: String) -> String? {
    guard let key = value.firstRange(of: "\"name\"") else { return nil }
    let rest = value[key.upperBound...].drop { $0 == " " || $0 == ":" }
    guard rest.first == "\"" else { return nil }
    var name = ""
    var isEscaped = false
    for character in rest.dropFirst() {
      if isEscaped {
        name.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return name
      } else {
        name.append(character)
      }
    }
    return nil
  }
}

extension PipeWireGraph {
  /// The nodes for a direction in a stable order, sources before sinks.
  private func nodes(for direction: DeviceDirection) -> [PipeWireNode] {
    nodes.filter { $0.value.supports(direction) && !PipeWireVoiceProcessing.owns($0.value) }
      .sorted {
        ($0.value.role == .sink ? 1 : 0, $0.key) < ($1.value.role == .sink ? 1 : 0, $1.key)
      }
      .map(\.value)
  }

  /// Returns the node to use if no device is chosen.
  func defaultNode(for direction: DeviceDirection) -> PipeWireNode? {
    let nodes = nodes(for: direction)
    let (name, role): (String?, PipeWireNode.Role) =
      direction == .capture ? (defaultSourceName, .source) : (defaultSinkName, .sink)
    return nodes.first { $0.name == name } ?? nodes.first { $0.role == role }
  }

  /// Whether a node is an output that the server uses in place of a disconnected default input.
  ///
  /// As long as real inputs exist, only a user makes an output the default input.
  func isFallbackOutput(_ node: PipeWireNode) -> Bool {
    node.role == .sink && !nodes(for: .capture).contains { $0.role == .source }
  }

  /// Returns the devices for a direction, the default one first.
  func devices(for direction: DeviceDirection) -> [Device] {
    let defaultNode = defaultNode(for: direction)
    let devices = nodes(for: direction).map {
      device(of: $0, for: direction, isDefault: $0 == defaultNode)
    }
    return devices.filter(\.isDefault) + devices.filter { !$0.isDefault }
  }

  /// Returns the device that a node represents.
  func device(
    of node: PipeWireNode, for direction: DeviceDirection, isDefault: Bool
  ) -> Device {
    let isMonitor = node.isMonitor(for: direction)
    return Device(
      backend: .pipeWire, id: node.deviceID(for: direction),
      name: isMonitor ? "Monitor of \(node.title)" : node.title, details: node.details,
      channelCount: node.channelCount,
      sampleRate: node.sampleRate > 0 ? node.sampleRate : sampleRate,
      isDefault: isDefault, isMonitor: isMonitor)
  }

  /// Returns the node for a device's id; a sink's own name works too.
  func node(forDevice id: String, _ direction: DeviceDirection) -> PipeWireNode? {
    let nodes = nodes(for: direction)
    return nodes.first { $0.deviceID(for: direction) == id } ?? nodes.first { $0.name == id }
  }

  /// Returns the source or sink that a stream's node is linked to.
  func node(linkedTo stream: UInt32, _ direction: DeviceDirection) -> PipeWireNode? {
    for link in links.values {
      let (end, other) =
        direction == .capture ? (link.input, link.output) : (link.output, link.input)
      if end == stream, let node = nodes[other], node.supports(direction) { return node }
    }
    return nil
  }

  /// Returns the number of the node with a name.
  func id(ofNodeNamed name: String) -> UInt32? {
    nodes.first { $0.value.name == name }?.key
  }
}

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
