#if os(Linux)
import AacornSystem
import CAacornPipeWire
import Glibc
import Simulation

@testable import AacornDevices

private typealias Loop = SimulatedPipeWire.Loop
private typealias Client = SimulatedPipeWire.Client
private typealias Proxy = SimulatedPipeWire.Proxy
private typealias Stream = SimulatedPipeWire.Stream

/// Properties for the library, which their receiver releases.
private final class Properties {
  let values: [String: String]
  init(_ values: [String: String]) { self.values = values }
}

/// Returns the object of a pointer.
private func object<Object: AnyObject>(_ pointer: UnsafeMutableRawPointer?) -> Object {
  guard let pointer else { fatalError("A pointer is missing.") }
  return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
}

/// Returns a pointer that holds an object until `release`.
private func retain(_ object: AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(object).toOpaque()
}

private func release(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
}

private func loop(_ pointer: UnsafeMutableRawPointer?) -> Loop { object(pointer) }
private func stream(_ pointer: UnsafeMutableRawPointer?) -> Stream { object(pointer) }
private func proxy(_ pointer: UnsafeMutableRawPointer?) -> Proxy { object(pointer) }

/// Returns the object behind a pointer to an interface.
private func owner(_ pointer: UnsafeMutableRawPointer?) -> Proxy {
  proxy(pointer?.assumingMemoryBound(to: aacorn_spa_interface.self).pointee.cb.data)
}

private func takeProperties(_ pointer: UnsafeMutableRawPointer?) -> [String: String] {
  guard let pointer else { return [:] }
  return Unmanaged<Properties>.fromOpaque(pointer).takeRetainedValue().values
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

extension SimulatedPipeWire {
  /// The library's loop: the pending messages, and the thread that handles them.
  final class Loop: @unchecked Sendable {
    fileprivate var server: SimulatedPipeWire?
    private var steps: [Step] = []
    private var thread: WorkerThread?
    private var isEnding = false
    private var isLocked = false
    private var version = 0

    func add(_ step: Step) {
      version += 1
      SimulatedPulse.insert(step, into: &steps)
    }

    fileprivate func start() { thread = WorkerThread { [unowned self] in run() } }

    fileprivate func stop() {
      isEnding = true
      thread?.join()
      steps = []
    }

    fileprivate func lock() {
      let world = SimulatedThread.current?.world
      world?.pass(.lock)
      while isLocked { _ = world?.wait(for: .lock, until: nil) { !isLocked } }
      isLocked = true
    }

    fileprivate func unlock() { isLocked = false }

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
    fileprivate private(set) var proxies: [Proxy] = []
    private var syncCount: Int32 = 0

    init(_ loop: Loop, _ server: SimulatedPipeWire) {
      self.loop = loop
      self.server = server
      loop.server = server
    }

    fileprivate func add(
      _ kind: Proxy.Kind, _ methods: UnsafeRawPointer, id: UInt32 = 0
    ) -> UnsafeMutableRawPointer {
      let proxy = Proxy(self, kind, id, methods)
      proxies.append(proxy)
      return UnsafeMutableRawPointer(proxy.interface)
    }

    fileprivate func remove(_ proxy: Proxy) { proxies.removeAll { $0 === proxy } }

    fileprivate func close() {
      isOpen = false
      proxies = []
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

    fileprivate func synchronize() -> Int32 {
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

    fileprivate func describeFormat(_ id: UInt32) {
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

  /// A library whose servers are objects of this class.
  static let library = PipeWireLibrary(functions: keep(makeFunctions()))

  // MARK: Tables of functions

  private static func keep<Table>(_ table: Table) -> UnsafePointer<Table> {
    let pointer = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    pointer.initialize(to: table)
    return UnsafePointer(pointer)
  }

  private nonisolated(unsafe) static let coreMethods = {
    var methods = aacorn_pw_core_methods()
    methods.add_listener = { object, _, events, data in
      proxy(object).listener = events.map { (UnsafeRawPointer($0), data) }
      return 0
    }
    methods.sync = { object, _, _ in proxy(object).client.synchronize() }
    methods.get_registry = { object, _, _ in
      proxy(object).client.add(.registry, UnsafeRawPointer(registryMethods))
    }
    return keep(methods)
  }()

  private nonisolated(unsafe) static let registryMethods = {
    var methods = aacorn_pw_registry_methods()
    methods.add_listener = { object, _, events, data in
      let proxy = proxy(object)
      proxy.listener = events.map { (UnsafeRawPointer($0), data) }
      let client = proxy.client
      client.server.receive(client) { client.server.list(to: client) }
      return 0
    }
    methods.bind = { object, id, type, _, _ in
      let isNode = type.map { String(cString: $0) } == AACORN_PW_TYPE_INTERFACE_Node
      let methods =
        isNode ? UnsafeRawPointer(nodeMethods) : UnsafeRawPointer(metadataMethods)
      return proxy(object).client.add(isNode ? .node : .metadata, methods, id: id)
    }
    return keep(methods)
  }()

  private nonisolated(unsafe) static let nodeMethods = {
    var methods = aacorn_pw_node_methods()
    methods.add_listener = { object, _, events, data in
      let proxy = proxy(object)
      proxy.listener = events.map { (UnsafeRawPointer($0), data) }
      let (client, id) = (proxy.client, proxy.id)
      client.server.receive(client) {
        if let node = client.server.nodes.first(where: { $0.id == id }) { client.describe(node) }
      }
      return 0
    }
    methods.enum_params = { object, _, _, _, _, _ in
      proxy(object).client.describeFormat(proxy(object).id)
      return 0
    }
    return keep(methods)
  }()

  private nonisolated(unsafe) static let metadataMethods = {
    var methods = aacorn_pw_metadata_methods()
    methods.add_listener = { object, _, events, data in
      let proxy = proxy(object)
      proxy.listener = events.map { (UnsafeRawPointer($0), data) }
      let client = proxy.client
      client.server.receive(client) { client.server.announceSettings(to: client) }
      return 0
    }
    return keep(methods)
  }()

  private static func makeFunctions() -> aacorn_pw_library {
    aacorn_pw_library(
      init: { _, _ in },
      get_library_version: { nil },
      log_set_level: { _ in },
      thread_loop_new: { _, _ in retain(Loop()) },
      thread_loop_get_loop: { $0 },
      thread_loop_start: {
        loop($0).start()
        return 0
      },
      thread_loop_stop: { loop($0).stop() },
      thread_loop_lock: { loop($0).lock() },
      thread_loop_unlock: { loop($0).unlock() },
      thread_loop_destroy: { release($0) },
      properties_new_dict: { dictionary in
        guard let dictionary = dictionary?.pointee else { return nil }
        var values: [String: String] = [:]
        for item in UnsafeBufferPointer(start: dictionary.items, count: Int(dictionary.n_items)) {
          values[String(cString: item.key)] = String(cString: item.value)
        }
        return retain(Properties(values))
      },
      context_new: { loop, properties, _ in
        release(properties)
        return loop
      },
      context_destroy: { _ in },
      context_connect: { context, properties, _ in
        let values = takeProperties(properties)
        guard let server = values["remote.name"].flatMap(SimulatedPipeWire.at), server.isRunning
        else {
          errno = ECONNREFUSED
          return nil
        }
        let client = Client(loop(context), server)
        server.connect(client)
        return client.add(.core, UnsafeRawPointer(SimulatedPipeWire.coreMethods))
      },
      context_load_module: { _, _, _, _ in
        errno = ENOENT
        return nil
      },
      core_disconnect: {
        owner($0).client.close()
        return 0
      },
      proxy_destroy: {
        let proxy = owner($0)
        proxy.client.remove(proxy)
      },
      stream_new: { core, _, properties in
        retain(Stream(owner(core).client, takeProperties(properties)))
      },
      stream_destroy: {
        stream($0).destroy()
        release($0)
      },
      stream_add_listener: { handle, _, events, data in
        stream(handle).listener = events.map { ($0, data) }
      },
      stream_connect: { handle, direction, _, _, offers, _ in
        guard let offer = offers?.pointee else { return -EINVAL }
        return stream(handle).connect(
          isPlayback: direction == Int32(AACORN_PW_DIRECTION_OUTPUT), offer)
      },
      stream_get_node_id: { stream($0).nodeID },
      stream_get_time_n: { handle, time, _ in
        time?.pointee = stream(handle).time
        return 0
      },
      stream_dequeue_buffer: { stream($0).dequeue() },
      stream_queue_buffer: { _, _ in 0 })
  }
}
#endif
