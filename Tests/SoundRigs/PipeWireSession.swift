import Foundation

/// A test's own PipeWire session: bus, server, session manager, and no sound card.
///
/// Its files are in a separate folder. Shells end its programs when the test's process ends for any
/// reason. All waits have timeouts.
package final class PipeWireSession {
  /// The folder with the sockets, the audio files and the logs.
  package let folder: String
  private var servers: [String: KeptProgram] = [:]

  /// Starts a session.
  package init() throws {
    folder = try makeRigFolder(for: "pw").path
    try launch(
      "dbus-daemon", ["--session", "--address=unix:path=\(folder)/bus", "--nofork", "--nopidfile"])
    try wait(for: "the bus") { exists("bus") }
    try startServer()
  }

  deinit {
    stop()
  }

  package var socket: String { folder + "/pipewire-0" }

  /// The environment variables of programs that use only this session.
  private var environment: [String: String] {
    [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "HOME": folder,
      "XDG_RUNTIME_DIR": folder, "PIPEWIRE_RUNTIME_DIR": folder,
      "XDG_CONFIG_HOME": folder + "/config", "XDG_STATE_HOME": folder + "/state",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus",
      // Few test machines have a system bus, and programs must not use it.
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder)/no-bus",
    ]
  }

  // MARK: Servers

  /// Starts the server and its helpers, and waits until they are ready.
  private func startServer() throws {
    try launch("pipewire")
    try wait(for: "the server") { exists("pipewire-0") }
    try launch("wireplumber")
    try wait(for: "the session manager") {
      objects.contains { Self.property($0, "application.name") == "WirePlumber [export]" }
    }
  }

  /// Kills the server and its helpers, as in a crash.
  package func killServer() {
    for name in ["wireplumber", "pipewire"] { end(name) }
    for name in ["pipewire-0", "pipewire-0.lock"] {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  /// Ends all programs and deletes the folder.
  package func stop() {
    for name in servers.keys.sorted().reversed() { end(name) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: Nodes

  /// Creates a microphone that delivers its linked input, or silence.
  package func createSource(
    _ name: String, description: String? = nil, channels: [String] = ["FL", "FR"]
  ) throws {
    try createNode(name, "Audio/Source/Virtual", description, channels)
  }

  /// Creates an output without a device.
  package func createSink(
    _ name: String, description: String? = nil, channels: [String] = ["FL", "FR"]
  ) throws {
    try createNode(name, "Audio/Sink", description, channels)
  }

  /// Removes a node, as if it was unplugged.
  package func destroyNode(_ name: String) throws {
    guard let id = nodeNumber(name) else { throw RigFailure("There is no node \(name).") }
    try run("pw-cli", ["destroy", String(id)])
    try wait(for: "the end of \(name)") { nodeNumber(name) == nil }
  }

  /// Makes a node the default input.
  package func setDefaultSource(_ name: String) throws { try setDefault("source", name) }

  /// Makes a node the default output.
  package func setDefaultSink(_ name: String) throws { try setDefault("sink", name) }

  private func setDefault(_ kind: String, _ name: String) throws {
    try run(
      "pw-metadata",
      ["0", "default.configured.audio.\(kind)", "{ \"name\": \"\(name)\" }", "Spa:String:JSON"])
  }

  /// Returns the number of the node with a name.
  package func nodeNumber(_ name: String) -> Int? {
    objects.first { Self.property($0, "node.name") == name }?["id"] as? Int
  }

  private func createNode(
    _ name: String, _ mediaClass: String, _ description: String?, _ channels: [String]
  ) throws {
    let properties =
      "{ factory.name = support.null-audio-sink node.name = \"\(name)\""
      + " node.description = \"\(description ?? name)\" media.class = \(mediaClass)"
      + " object.linger = true audio.position = [ \(channels.joined(separator: " ")) ] }"
    try run("pw-cli", ["create-node", "adapter", properties])
    try wait(for: "the node \(name)") { nodeNumber(name) != nil }
    // The session manager updates defaults from the first node on.
    try wait(for: "the defaults") {
      objects.contains { Self.property($0, "metadata.name") == "default" }
    }
    // A port for every channel, on both sides.
    try wait(for: "the ports of \(name)") { ports(of: name).count >= 2 * channels.count }
  }

  private func ports(of node: String) -> [[String: Any]] {
    let objects = self.objects
    guard let id = objects.first(where: { Self.property($0, "node.name") == node })?["id"] as? Int
    else { return [] }
    return objects.filter {
      ($0["type"] as? String)?.hasSuffix(":Port") == true
        && Self.number($0, "node.id") == id
    }
  }

  // MARK: Programs

  private static func find(_ program: String) throws -> String {
    let isPipeWire = program == "pipewire" || program.hasPrefix("pw-")
    return try findProgram(program, package: isPipeWire ? "pipewire-bin" : program)
  }

  /// Starts a program that keeps running.
  private func launch(_ program: String, _ arguments: [String] = []) throws {
    end(program)
    servers[program] = try KeptProgram(
      [try Self.find(program)] + arguments, environment: environment,
      log: "\(folder)/\(program).log")
  }

  private func end(_ name: String) {
    servers.removeValue(forKey: name)?.end()
  }

  /// Runs a program to its end, and returns its output.
  @discardableResult
  package func run(_ program: String, _ arguments: [String]) throws -> String {
    try runProgram(
      [try Self.find(program)] + arguments, environment: environment,
      folder: URL(fileURLWithPath: folder))
  }

  /// The server's objects, as listed by pw-dump.
  private var objects: [[String: Any]] {
    guard let text = try? run("pw-dump", []) else { return [] }
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [[String: Any]] ?? []
  }

  private static func properties(_ object: [String: Any]) -> [String: Any] {
    (object["info"] as? [String: Any])?["props"] as? [String: Any]
      ?? object["props"] as? [String: Any] ?? [:]
  }

  private static func property(_ object: [String: Any], _ key: String) -> String? {
    properties(object)[key] as? String
  }

  private static func number(_ object: [String: Any], _ key: String) -> Int? {
    properties(object)[key] as? Int
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + name)
  }

  private func wait(for what: String, until condition: () -> Bool) throws {
    if eventually(condition) { return }
    var logs = ""
    for program in ["dbus-daemon", "pipewire", "wireplumber"] {
      let log = FileManager.default.contents(atPath: "\(folder)/\(program).log") ?? Data()
      logs += "\n\(program): " + String(decoding: log.suffix(1000), as: UTF8.self)
    }
    throw RigFailure("Waiting for \(what) was in vain.\(logs)")
  }
}
