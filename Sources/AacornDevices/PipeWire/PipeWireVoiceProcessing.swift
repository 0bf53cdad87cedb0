#if os(Linux)
import AacornSystem

/// Removes echo and noise from a microphone's signal with PipeWire's own module.
///
///     microphone ──► capture ┐
///                            ├ echo-cancel ──► source ──► our stream
///         playback ──► sink ─┘
///
/// An existing source of that kind is used. Otherwise the module is loaded into this process, where
/// it ends together with the connection.
enum PipeWireVoiceProcessing {
  /// The source of the signal without echo.
  struct Filter {
    /// The name of the module's source.
    var source: String
    /// The name of the module's stream that reads the microphone; nil if the module is not ours.
    var capture: String?
  }

  private static let prefix = "aacorn-voice-"
  private static let module = "libpipewire-module-echo-cancel"

  /// Whether a node belongs to a module that this library loaded.
  static func owns(_ node: PipeWireNode) -> Bool { node.name.hasPrefix(prefix) }

  /// Returns a filter for a device: an existing one, or the source of a module that is loaded here.
  ///
  /// Unless `isPinned`, the filter may read another microphone: the default one.
  static func makeFilter(
    _ connection: PipeWireConnection, device: PipeWireNode, isPinned: Bool, remote: String?,
    channelCount: Int, unless isCancelled: () -> Bool
  ) throws(DeviceError) -> Filter {
    if device.isEchoCancelled { return Filter(source: device.name, capture: nil) }
    let existing = connection.graph.nodes.values.filter { $0.isEchoCancelled && !owns($0) }
    if !isPinned, let node = existing.min(by: { $0.name < $1.name }) {
      return Filter(source: node.name, capture: nil)
    }
    if device.role == .sink {
      throw .noVoiceProcessing(reason: "the device is a monitor, not a microphone")
    }
    let name = prefix + String(System.processNumber)
    let filter = Filter(source: name, capture: name + "-capture")
    let arguments = arguments(
      filter, target: isPinned ? device.name : nil, remote: remote, channelCount: channelCount)
    if let reason = connection.loadModule(module, arguments: arguments) {
      throw .noVoiceProcessing(
        reason: "PipeWire's module for it cannot be loaded (\(reason));"
          + " on Debian, install libpipewire-0.3-modules and libspa-0.2-modules")
    }
    let hasSource = connection.wait(milliseconds: 3000, unless: isCancelled) {
      $0.id(ofNodeNamed: filter.source) != nil
    }
    if !hasSource { throw .noVoiceProcessing(reason: "PipeWire's module for it did not start") }
    return filter
  }

  /// Returns the module's arguments in SPA's JSON.
  private static func arguments(
    _ filter: Filter, target: String?, remote: String?, channelCount: Int
  ) -> String {
    var capture = ["node.name": filter.capture ?? "", "node.description": "Aacorn echo canceller"]
    if let target {
      capture["target.object"] = target
      capture["node.dont-reconnect"] = "true"
    }
    let source = [
      "node.name": filter.source, "node.description": "Aacorn without echo",
      // The lowest priority, so that the server does not move other programs to this source.
      "priority.session": "0", "priority.driver": "0",
    ]
    let sink = [
      "node.name": filter.source + "-reference", "node.description": "Aacorn echo reference",
    ]
    var parts = [
      // Programs keep playing on their own output: the monitor of that output is the reference.
      "monitor.mode = true", "audio.channels = \(min(2, max(1, channelCount)))",
      "audio.position = \(channelCount == 1 ? "[ MONO ]" : "[ FL FR ]")",
      "capture.props = \(object(capture))", "source.props = \(object(source))",
      "sink.props = \(object(sink))",
    ]
    if let remote { parts.append("remote.name = \(quoted(remote))") }
    return "{ \(parts.joined(separator: " ")) }"
  }

  private static func object(_ values: [String: String]) -> String {
    let lines = values.sorted { $0.key < $1.key }.map { "\($0.key) = \(quoted($0.value))" }
    return "{ \(lines.joined(separator: " ")) }"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "\""
  }
}
#endif
