#if os(Linux)
import CAacornPipeWire
import Glibc

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

/// Returns the object to which a pointer to an interface belongs.
private func owner(_ pointer: UnsafeMutableRawPointer?) -> Proxy {
  proxy(pointer?.assumingMemoryBound(to: aacorn_spa_interface.self).pointee.cb.data)
}

private func takeProperties(_ pointer: UnsafeMutableRawPointer?) -> [String: String] {
  guard let pointer else { return [:] }
  return Unmanaged<Properties>.fromOpaque(pointer).takeRetainedValue().values
}

extension SimulatedPipeWire {
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
      thread_loop_destroy: {
        precondition(loop($0).objectCount == 0, "All objects are released before their loop.")
        release($0)
      },
      properties_new_dict: { dictionary in
        guard let dictionary = dictionary?.pointee else { return nil }
        var values: [String: String] = [:]
        for item in UnsafeBufferPointer(start: dictionary.items, count: Int(dictionary.n_items)) {
          values[String(cString: item.key)] = String(cString: item.value)
        }
        return retain(Properties(values))
      },
      context_new: { handle, properties, _ in
        release(properties)
        loop(handle).objectCount += 1
        return handle
      },
      context_destroy: { loop($0).objectCount -= 1 },
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
        owner(core).client.loop.objectCount += 1
        return retain(Stream(owner(core).client, takeProperties(properties)))
      },
      stream_destroy: {
        stream($0).destroy()
        stream($0).client.loop.objectCount -= 1
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
