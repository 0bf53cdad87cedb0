#if os(Linux)
import AacornSystem
import CAacornPipeWire
import Glibc
import Simulation

@testable import AacornDevices

extension SimulatedPipeWire {
  /// The library's loop: the pending messages, and the thread that handles them.
  final class Loop: @unchecked Sendable {
    var server: SimulatedPipeWire?
    /// The number of contexts, proxies and streams that the program has not released.
    var objectCount = 0
    private var steps: [ServerStep] = []
    private var thread: WorkerThread?
    private var isEnding = false
    private var isLocked = false
    private var version = 0

    func add(_ step: ServerStep) {
      version += 1
      steps.add(step)
    }

    func start() { thread = WorkerThread("test") { [unowned self] in run() } }

    func stop() {
      isEnding = true
      thread?.join()
      steps = []
    }

    func lock() {
      let world = SimulatedThread.current?.world
      world?.pass(.lock)
      while isLocked { _ = world?.wait(for: .lock, until: nil) { !isLocked } }
      isLocked = true
    }

    func unlock() { isLocked = false }

    private func run() {
      while let world = SimulatedThread.current?.world, !isEnding {
        server?.advance()
        let (now, seen, server) = (System.nanoseconds, version, server)
        if let step = steps.first, step.time <= now {
          lock()
          // Another thread may have ended the connection.
          while let step = steps.first, step.time <= now {
            steps.removeFirst()
            step.run()
          }
          unlock()
          server?.turnCount += 1
          continue
        }
        let next = [steps.first?.time, server?.nextTime].compactMap { $0 }.min()
        let planned = server?.nextTime
        _ = world.wait(for: .poll, until: next) { [self] in
          isEnding || version != seen || self.server !== server || server?.nextTime != planned
        }
      }
    }
  }

  /// A connection of the library to a server.
  final class Client {
    let loop: Loop
    let server: SimulatedPipeWire
    var streams: [Stream] = []
    var lastArrival: Int64 = 0
    var lastRequest: Int64 = 0
    private(set) var isOpen = true
    private var proxies: [Proxy] = []
    private var syncCount: Int32 = 0

    init(_ loop: Loop, _ server: SimulatedPipeWire) {
      self.loop = loop
      self.server = server
      loop.server = server
    }

    func add(
      _ kind: Proxy.Kind, _ methods: UnsafeRawPointer, id: UInt32 = 0
    ) -> UnsafeMutableRawPointer {
      let proxy = Proxy(self, kind, id, methods)
      proxies.append(proxy)
      loop.objectCount += 1
      return UnsafeMutableRawPointer(proxy.interface)
    }

    func remove(_ proxy: Proxy) {
      proxies.removeAll { $0 === proxy }
      loop.objectCount -= 1
    }

    func close() {
      isOpen = false
      proxies = []
      loop.objectCount -= 1
      loop.server = nil
      server.disconnect(self)
    }

    /// The events of a proxy, and their argument.
    private func listener<Events>(
      _ kind: Proxy.Kind, _ id: UInt32? = nil, as _: Events.Type
    ) -> (UnsafePointer<Events>, UnsafeMutableRawPointer?)? {
      let proxy = proxies.first { $0.kind == kind && (id == nil || $0.id == id) }
      guard let listener = proxy?.listener else { return nil }
      return (listener.events.assumingMemoryBound(to: Events.self), listener.data)
    }

    // MARK: Messages

    /// Ends the connection, because the server has ended.
    func fail() {
      if let (events, data) = listener(.core, as: aacorn_pw_core_events.self) {
        events.pointee.error?(data, 0, 0, -EPIPE, "connection error")
      }
      // Streams have added their listeners later.
      for stream in streams { stream.setState(AACORN_PW_STREAM_STATE_UNCONNECTED) }
    }

    func synchronize() -> Int32 {
      syncCount += 1
      let number = syncCount
      server.receive(self) { [self] in
        server.send(self) { [self] in
          guard let (events, data) = listener(.core, as: aacorn_pw_core_events.self) else { return }
          events.pointee.done?(data, 0, number)
        }
      }
      return number
    }

    func announce(_ id: UInt32, _ type: String, _ values: [String: String]) {
      server.send(self) { [self] in
        guard let (events, data) = listener(.registry, as: aacorn_pw_registry_events.self)
        else { return }
        withDictionary(values) { events.pointee.global?(data, id, 0, type, 3, $0) }
      }
    }

    func withdraw(_ id: UInt32) {
      server.send(self) { [self] in
        guard let (events, data) = listener(.registry, as: aacorn_pw_registry_events.self)
        else { return }
        events.pointee.global_remove?(data, id)
      }
    }

    func set(_ metadata: UInt32, _ key: String, _ value: String?) {
      server.send(self) { [self] in
        guard
          let (events, data) = listener(.metadata, metadata, as: aacorn_pw_metadata_events.self)
        else { return }
        _ = events.pointee.property?(data, 0, key, "Spa:String:JSON", value)
      }
    }

    /// Reports the properties of a node; only those of sinks have the number of channels.
    func describe(_ node: Node) {
      let (id, name, isSink) = (node.id, node.name, node.isSink)
      server.send(self) { [self] in
        guard let (events, data) = listener(.node, id, as: aacorn_pw_node_events.self)
        else { return }
        var values = [
          "node.name": name, "node.description": name, "object.serial": "\(node.serial)",
          "media.class": isSink ? "Audio/Sink" : "Audio/Source",
        ]
        if isSink { values["audio.channels"] = "1" }
        withDictionary(values) {
          var info = aacorn_pw_node_info()
          info.id = id
          info.change_mask = UInt64(AACORN_PW_NODE_CHANGE_MASK_PROPS)
          info.props = $0
          events.pointee.info?(data, &info)
        }
      }
    }

    func describeFormat(_ id: UInt32) {
      server.receive(self) { [self] in
        server.send(self) { [self] in
          guard let (events, data) = listener(.node, id, as: aacorn_pw_node_events.self)
          else { return }
          var pod = [UInt64](repeating: 0, count: Int(AACORN_PW_FORMAT_SIZE) / 8)
          _ = aacorn_pw_write_format(&pod, 0, 1, [2])
          pod.withUnsafeBytes {
            events.pointee.param?(
              data, 0, UInt32(AACORN_SPA_PARAM_EnumFormat), 0, 1,
              $0.baseAddress?.assumingMemoryBound(to: aacorn_spa_pod.self))
          }
        }
      }
    }
  }

  /// An object of the server, as the library knows it.
  final class Proxy {
    enum Kind { case core, registry, node, metadata }

    let client: Client
    let kind: Kind
    let id: UInt32
    let interface = UnsafeMutablePointer<aacorn_spa_interface>.allocate(capacity: 1)
    var listener: (events: UnsafeRawPointer, data: UnsafeMutableRawPointer?)?

    init(_ client: Client, _ kind: Kind, _ id: UInt32, _ methods: UnsafeRawPointer) {
      self.client = client
      self.kind = kind
      self.id = id
      let callbacks = aacorn_spa_callbacks(
        funcs: methods, data: Unmanaged.passUnretained(self).toOpaque())
      interface.initialize(to: aacorn_spa_interface(type: nil, version: 3, cb: callbacks))
    }

    deinit { interface.deallocate() }
  }
}

/// Calls `body` with the library's form of properties.
private func withDictionary(
  _ values: [String: String], _ body: (UnsafeMutablePointer<aacorn_spa_dict>) -> Void
) {
  let items = values.sorted { $0.key < $1.key }.map {
    aacorn_spa_dict_item(key: strdup($0.key), value: strdup($0.value))
  }
  items.withUnsafeBufferPointer {
    var dictionary = aacorn_spa_dict(flags: 0, n_items: UInt32($0.count), items: $0.baseAddress)
    body(&dictionary)
  }
  for item in items {
    free(UnsafeMutablePointer(mutating: item.key))
    free(UnsafeMutablePointer(mutating: item.value))
  }
}
#endif
