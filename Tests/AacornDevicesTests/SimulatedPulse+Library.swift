#if os(Linux)
import AacornSystem
import CAacornPulseAudio

@testable import AacornDevices

private typealias Device = SimulatedPulse.Device
private typealias Loop = SimulatedPulse.Loop
private typealias Client = SimulatedPulse.Client
private typealias Stream = SimulatedPulse.Stream
private typealias Operation = SimulatedPulse.Operation

/// Returns the object of a handle.
private func object<Object: AnyObject>(_ handle: OpaquePointer?) -> Object {
  guard let handle else { fatalError("A handle is missing.") }
  return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Returns a handle that holds an object until `release`.
private func retain(_ object: AnyObject) -> OpaquePointer {
  OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// Ends the process if a program uses the library wrongly, since it may continue with a dangling pointer.
private func expect(_ isTrue: Bool, _ rule: String) {
  if !isTrue { fatalError("A rule of libpulse is violated: \(rule)") }
}

private func release(_ object: AnyObject) { Unmanaged.passUnretained(object).release() }

private func client(_ handle: OpaquePointer?) -> Client { object(handle) }
private func stream(_ handle: OpaquePointer?) -> Stream { object(handle) }
private func loop(_ handle: OpaquePointer?) -> Loop { object(handle) }
private func operation(_ handle: OpaquePointer?) -> Operation { object(handle) }

private var unknown: SimulatedPulse.Answer {
  .refused(Int32(AACORN_PULSE_ERROR_NO_ENTITY.rawValue))
}

/// Requests the description of one source or sink, or of all of them.
private func describe(
  sinks isSink: Bool, _ handle: OpaquePointer?, _ callback: aacorn_pulse_source_info_callback?,
  _ pointer: UnsafeMutableRawPointer?, _ isWanted: ((Device) -> Bool)?
) -> OpaquePointer? {
  client(handle).request("describe", refused: { callback?(handle, nil, -1, pointer) }) { server in
    let devices = server.devices.filter { $0.isSink == isSink && isWanted?($0) != false }
    if devices.isEmpty && isWanted != nil { return unknown }
    return .granted {
      for device in devices {
        var info = aacorn_pulse_device_info()
        info.name = UnsafePointer(device.text)
        info.description =
          device.monitorOf == nil ? staticText(isSink ? "An output" : "An input") : nil
        info.index = device.index
        info.sample_spec = specification(device)
        info.channel_map = map(device.positions)
        info.volume.channels = UInt8(device.channels)
        info.volume.values.0 = device.volume
        info.monitor = device.monitorOf?.index ?? AACORN_PULSE_INVALID_INDEX
        info.monitor_name = device.monitorOf.map { UnsafePointer($0.text) }
        info.driver = driver(device)
        info.proplist = OpaquePointer(Unmanaged.passUnretained(device).toOpaque())
        callback?(handle, &info, 0, pointer)
      }
      callback?(handle, nil, 1, pointer)
    }
  }
}

private func specification(_ device: Device) -> aacorn_pulse_sample_spec {
  aacorn_pulse_sample_spec(
    format: device.format, rate: UInt32(device.rate), channels: UInt8(device.channels))
}

private func map(_ positions: [aacorn_pulse_channel_position]) -> aacorn_pulse_channel_map {
  var map = aacorn_pulse_channel_map()
  map.channels = UInt8(positions.count)
  withUnsafeMutableBytes(of: &map.map) { bytes in
    let slots = bytes.bindMemory(to: aacorn_pulse_channel_position.self)
    for (index, position) in positions.enumerated() { slots[index] = position }
  }
  return map
}

private func driver(_ device: Device) -> UnsafePointer<CChar>? {
  staticText(device.master == nil ? "module-simulated.c" : "module-echo-cancel.c")
}

private func errorText(_ error: Int32) -> UnsafePointer<CChar> {
  switch error {
  case 1: staticText("Access denied")
  case 5: staticText("No such entity")
  case 6: staticText("Connection refused")
  case 11: staticText("Connection terminated")
  case 14: staticText("Module initialization failed")
  default: staticText("Other error")
  }
}

extension SimulatedPulse {
  /// A library whose servers are objects of this class.
  static let library = PulseLibrary(functions: UnsafePointer(functions))

  private nonisolated(unsafe) static let functions = {
    let table = UnsafeMutablePointer<aacorn_pulse_functions>.allocate(capacity: 1)
    table.initialize(to: makeFunctions())
    return table
  }()

  private static func makeFunctions() -> aacorn_pulse_functions {
    aacorn_pulse_functions(
      strerror: { errorText($0) },
      mainloop_new: { retain(Loop()) },
      mainloop_free: {
        expect(loop($0).objectCount == 0, "All objects are released before their loop.")
        loop($0).steps = []
        release(loop($0))
      },
      mainloop_get_api: { $0 },
      mainloop_prepare: {
        loop($0).prepare(microseconds: $1)
        return 0
      },
      mainloop_poll: {
        loop($0).poll()
        return 0
      },
      mainloop_dispatch: {
        loop($0).dispatch()
        return 0
      },
      mainloop_wakeup: { loop($0).wake() },
      context_new: { api, _ in
        loop(api).objectCount += 1
        return retain(Client(loop(api)))
      },
      context_unref: {
        let client = client($0)
        client.loop.objectCount -= 1
        expect(!client.isLinked && client.onEvent == nil, "A released connection has ended.")
        release(client)
      },
      context_errno: { client($0).error },
      context_get_state: { client($0).state },
      context_connect: { context, server, _, _ in
        client(context).connect(to: server.map { String(cString: $0) } ?? "")
      },
      context_disconnect: { client($0).disconnect() },
      context_set_subscribe_callback: { context, callback, pointer in
        client(context).onEvent = callback.map { ($0, pointer) }
      },
      context_subscribe: { context, _, callback, pointer in
        let client = client(context)
        return client.request("subscribe", refused: { callback?(context, 0, pointer) }) { _ in
          client.isSubscribed = true
          return .granted { callback?(context, 1, pointer) }
        }
      },
      context_get_server_info: { context, callback, pointer in
        client(context).request("info", refused: { callback?(context, nil, pointer) }) { server in
          let (source, sink) = (server.defaultDevice(false), server.defaultDevice(true))
          return .granted {
            var info = aacorn_pulse_server_info()
            info.default_source_name = source.map { UnsafePointer($0.text) }
            info.default_sink_name = sink.map { UnsafePointer($0.text) }
            callback?(context, &info, pointer)
          }
        }
      },
      context_get_source_info_list: { describe(sinks: false, $0, $1, $2, nil) },
      context_get_source_info_by_name: { context, name, callback, pointer in
        let name = name.map { String(cString: $0) }
        return describe(sinks: false, context, callback, pointer) { $0.name == name }
      },
      context_get_source_info_by_index: { context, index, callback, pointer in
        describe(sinks: false, context, callback, pointer) { $0.index == index }
      },
      context_get_sink_info_list: { describe(sinks: true, $0, $1, $2, nil) },
      context_get_sink_info_by_name: { context, name, callback, pointer in
        let name = name.map { String(cString: $0) }
        return describe(sinks: true, context, callback, pointer) { $0.name == name }
      },
      context_get_sink_info_by_index: { context, index, callback, pointer in
        describe(sinks: true, context, callback, pointer) { $0.index == index }
      },
      context_set_source_volume_by_name: { context, name, volume, callback, pointer in
        let name = name.map { String(cString: $0) }
        let value = volume?.pointee.values.0 ?? 0
        return client(context).request("volume", refused: { callback?(context, 0, pointer) }) {
          guard let device = $0.devices.first(where: { $0.name == name }) else { return unknown }
          device.volume = value
          return .granted { callback?(context, 1, pointer) }
        }
      },
      context_load_module: { context, _, arguments, callback, pointer in
        let arguments = arguments.map { String(cString: $0) } ?? ""
        let refused = { () -> Void in callback?(context, AACORN_PULSE_INVALID_INDEX, pointer) }
        return client(context).request("load", refused: refused) { server in
          guard let index = server.load(arguments) else { return .refused(14) }
          return .granted { callback?(context, index, pointer) }
        }
      },
      context_unload_module: { context, index, callback, pointer in
        client(context).request("unload", refused: { callback?(context, 0, pointer) }) { server in
          guard server.unload(index) else { return unknown }
          return .granted { callback?(context, 1, pointer) }
        }
      },
      operation_get_state: { operation($0).state },
      operation_cancel: { operation($0).state = AACORN_PULSE_OPERATION_CANCELLED },
      operation_unref: {
        let isEnded = operation($0).state != AACORN_PULSE_OPERATION_RUNNING
        expect(isEnded || !operation($0).isOwned, "No answer follows the release of a request.")
        if let handle = $0 { Operation.release(handle) }
      },
      proplist_gets: { list, key in
        let device: Device = object(list)
        guard let key, String(cString: key) == "device.master_device" else { return nil }
        return device.master.map { UnsafePointer($0.text) }
      },
      channel_map_init_extend: { result, count, _ in
        result?.pointee = map(SimulatedPulse.positions(Int(count)))
        return result
      },
      stream_new: { context, _, specification, positions in
        guard let specification, let positions else { return nil }
        client(context).loop.objectCount += 1
        return retain(Stream(client(context), specification.pointee, positions.pointee))
      },
      stream_unref: {
        let stream = stream($0)
        stream.client.loop.objectCount -= 1
        expect(stream.isDetached, "A released stream is disconnected and has no callbacks.")
        release(stream)
      },
      stream_get_state: { stream($0).state },
      stream_get_device_index: { stream($0).deviceIndex },
      stream_is_suspended: { stream($0).isSuspended ? 1 : 0 },
      stream_connect_record: { handle, name, attributes, flags in
        stream(handle).connect(
          to: name.map { String(cString: $0) }, attributes?.pointee ?? .init(), flags,
          isPlayback: false)
      },
      stream_connect_playback: { handle, name, attributes, flags, _, _ in
        stream(handle).connect(
          to: name.map { String(cString: $0) }, attributes?.pointee ?? .init(), flags,
          isPlayback: true)
      },
      stream_disconnect: {
        stream($0).disconnect()
        return 0
      },
      stream_peek: { handle, data, size in
        let (start, count) = stream(handle).peek()
        data?.pointee = start
        size?.pointee = count
        return 0
      },
      stream_drop: {
        stream($0).drop()
        return 0
      },
      stream_readable_size: { stream($0).readableByteCount },
      stream_begin_write: { handle, data, size in
        let (start, count) = stream(handle).beginWrite(size?.pointee ?? 0)
        data?.pointee = start
        size?.pointee = count
        return 0
      },
      stream_write: { handle, data, size, _, _, _ in
        data.map { stream(handle).write($0, byteCount: size) } ?? -3
      },
      stream_writable_size: { stream($0).writableByteCount },
      stream_cork: { stream($0).uncork($2, $3) },
      stream_update_timing_info: { stream($0).updateTiming(isAsked: true, $1, $2) },
      stream_get_timing_info: {
        stream($0).isTimingValid ? UnsafePointer(stream($0).timing) : nil
      },
      stream_set_read_callback: { handle, callback, pointer in
        stream(handle).onRead = callback.map { ($0, pointer) }
      },
      stream_set_write_callback: { handle, callback, pointer in
        stream(handle).onWrite = callback.map { ($0, pointer) }
      },
      stream_set_underflow_callback: { handle, callback, pointer in
        stream(handle).onUnderflow = callback.map { ($0, pointer) }
      },
      stream_set_moved_callback: { handle, callback, pointer in
        stream(handle).onMove = callback.map { ($0, pointer) }
      },
      stream_set_suspended_callback: { handle, callback, pointer in
        stream(handle).onSuspension = callback.map { ($0, pointer) }
      },
      stream_set_latency_update_callback: { handle, callback, pointer in
        stream(handle).onReport = callback.map { ($0, pointer) }
      })
  }
}
#endif
