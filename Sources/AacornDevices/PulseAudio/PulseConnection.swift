#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// A connection to the sound server, used sequentially by one thread: request, wait, continue.
///
/// While waiting it runs the loop, so that a stream on the same connection keeps flowing.
@safe
final class PulseConnection: CallbackTarget {
  let loop: PulseLoop
  let context: OpaquePointer
  /// Whether waiting ends when the loop's end is requested; false during the cleanup after that.
  var stopsWaitingAtEnd = true
  /// Called on events of the server, see `watchDevices`.
  var onDeviceChange: () -> Void = {}

  /// The deadline of requests that begin now: in 5 s.
  static var deadline: Int64 { System.nanoseconds + 5_000_000_000 }

  private var functions: UnsafePointer<aacorn_pulse_functions> { unsafe loop.library.functions }

  /// Connects to `server`, or to the server in the user's settings if it is nil.
  ///
  /// With `mayStartServer`, a server is started if none is running and the settings allow it, as
  /// other programs do.
  init(
    _ loop: PulseLoop, applicationName: String, server: String?, mayStartServer: Bool,
    until deadline: Int64
  ) throws(DeviceError) {
    self.loop = loop
    guard
      let context = unsafe loop.library.functions.pointee.context_new(loop.api, applicationName)
    else {
      throw .system(operation: "use", id: "PulseAudio", reason: "the connection cannot be set up")
    }
    unsafe self.context = context
    let flags = mayStartServer ? AACORN_PULSE_CONTEXT_NOFLAGS : AACORN_PULSE_CONTEXT_NOAUTOSPAWN
    let result = unsafe functions.pointee.context_connect(context, server, flags, nil)
    if result >= 0 {
      _ = wait(until: deadline) { [self] in state == AACORN_PULSE_CONTEXT_READY || !isGood }
    }
    if state == AACORN_PULSE_CONTEXT_READY { return }
    if loop.isEnding {
      throw PulseFailure.ended.deviceError(in: "start", of: "PulseAudio", loop.library)
    }
    let reason = result < 0 || !isGood ? loop.library.errorText(lastError) : "it does not respond"
    throw .noServer(backend: .pulseAudio, reason: reason)
  }

  deinit {
    unsafe functions.pointee.context_set_subscribe_callback(context, nil, nil)
    unsafe functions.pointee.context_disconnect(context)
    unsafe functions.pointee.context_unref(context)
  }

  private var state: aacorn_pulse_context_state {
    unsafe functions.pointee.context_get_state(context)
  }

  /// Whether the connection is established or being established.
  var isGood: Bool {
    state.rawValue > AACORN_PULSE_CONTEXT_UNCONNECTED.rawValue
      && state.rawValue <= AACORN_PULSE_CONTEXT_READY.rawValue
  }

  /// The number of the last error.
  var lastError: Int32 { unsafe functions.pointee.context_errno(context) }

  /// Runs the loop until `isDone` returns true; false on timeout, or if the end was requested.
  func wait(until deadline: Int64, _ isDone: () -> Bool) -> Bool {
    while !isDone() {
      if stopsWaitingAtEnd && loop.isEnding || System.nanoseconds >= deadline { return false }
      loop.turn(until: deadline)
    }
    return true
  }

  /// Waits for a request to the server to complete.
  func complete(_ operation: OpaquePointer?, until deadline: Int64) throws(PulseFailure) {
    guard let operation = unsafe operation else { throw failure }
    defer { unsafe functions.pointee.operation_unref(operation) }
    let isDone = wait(until: deadline) { [functions = unsafe functions] in
      unsafe functions.pointee.operation_get_state(operation) != AACORN_PULSE_OPERATION_RUNNING
    }
    guard isDone else {
      // After this call the library no longer calls the callback.
      unsafe functions.pointee.operation_cancel(operation)
      throw stopsWaitingAtEnd && loop.isEnding ? .ended : .noAnswer
    }
    // The library cancels pending operations when the connection ends.
    if unsafe functions.pointee.operation_get_state(operation) == AACORN_PULSE_OPERATION_CANCELLED {
      throw .disconnected
    }
  }

  /// The failure for `lastError`.
  var failure: PulseFailure { isGood ? .refused(lastError) : .disconnected }
}

/// Holds a response until the waiting caller reads it.
private final class PulseReply: CallbackTarget {
  let library: PulseLibrary
  /// The direction of the requested devices.
  let direction: DeviceDirection
  var defaultNames: (source: String?, sink: String?)?
  var devices: [PulseDeviceInfo] = []
  var index: UInt32?
  var isGranted = false

  init(_ library: PulseLibrary, _ direction: DeviceDirection) {
    self.library = library
    self.direction = direction
  }
}

extension PulseConnection {
  /// Sends a request to the server, waits for the response, and returns a part of it.
  private func ask<Answer>(
    for direction: DeviceDirection = .capture, until deadline: Int64,
    _ request: (aacorn_pulse_functions, UnsafeMutableRawPointer) -> OpaquePointer?,
    answer: (PulseReply) -> Answer?
  ) throws(PulseFailure) -> Answer {
    let reply = PulseReply(loop.library, direction)
    try unsafe complete(request(functions.pointee, reply.pointer), until: deadline)
    guard let answer = answer(reply) else { throw failure }
    return answer
  }

  /// Returns the name of the device for streams that name none; nil if there is none.
  func defaultName(
    for direction: DeviceDirection, until deadline: Int64
  ) throws(PulseFailure) -> String? {
    let names = try unsafe ask(until: deadline) { functions, pointer in
      unsafe functions.context_get_server_info(
        context,
        { _, info, target in
          guard let info = unsafe info?.pointee else { return }
          unsafe PulseReply.at(target)?.defaultNames = (
            source: text(info.default_source_name), sink: text(info.default_sink_name)
          )
        }, pointer)
    } answer: {
      $0.defaultNames
    }
    return direction == .capture ? names.source : names.sink
  }

  /// Returns the source or sink of that name, or the default one.
  func device(
    chosen name: String?, for direction: DeviceDirection, until deadline: Int64
  ) throws(DeviceError) -> PulseDeviceInfo {
    do {
      if let name { return try device(named: name, for: direction, until: deadline) }
      if let name = try defaultName(for: direction, until: deadline),
        let found = try? device(named: name, for: direction, until: deadline)
      {
        return found
      }
    } catch {
      throw error.deviceError(in: "open", of: name ?? "default", loop.library)
    }
    throw .noDevice(for: direction, backend: .pulseAudio)
  }

  /// Returns all sources, monitors included, or all sinks.
  func devices(
    for direction: DeviceDirection, until deadline: Int64
  ) throws(PulseFailure) -> [PulseDeviceInfo] {
    try unsafe ask(for: direction, until: deadline) { functions, pointer in
      let list =
        unsafe direction == .capture
        ? functions.context_get_source_info_list : functions.context_get_sink_info_list
      return unsafe list(context, takeDevice, pointer)
    } answer: {
      $0.isGranted ? $0.devices : nil
    }
  }

  /// Returns the source or sink with that name.
  func device(
    named name: String, for direction: DeviceDirection, until deadline: Int64
  ) throws(PulseFailure) -> PulseDeviceInfo {
    try unsafe ask(for: direction, until: deadline) { functions, pointer in
      let find =
        unsafe direction == .capture
        ? functions.context_get_source_info_by_name : functions.context_get_sink_info_by_name
      return unsafe find(context, name, takeDevice, pointer)
    } answer: {
      $0.devices.first
    }
  }

  /// Returns the source or sink with that number, which is valid until the server restarts.
  func device(
    at index: UInt32, for direction: DeviceDirection, until deadline: Int64
  ) throws(PulseFailure) -> PulseDeviceInfo {
    try unsafe ask(for: direction, until: deadline) { functions, pointer in
      let find =
        unsafe direction == .capture
        ? functions.context_get_source_info_by_index : functions.context_get_sink_info_by_index
      return unsafe find(context, index, takeDevice, pointer)
    } answer: {
      $0.devices.first
    }
  }

  /// Loads a module into the server and returns its number.
  func loadModule(
    _ name: String, _ arguments: String, until deadline: Int64
  ) throws(PulseFailure) -> UInt32 {
    try unsafe ask(until: deadline) { functions, pointer in
      unsafe functions.context_load_module(
        context, name, arguments, { unsafe PulseReply.at($2)?.index = $1 }, pointer)
    } answer: {
      $0.index == AACORN_PULSE_INVALID_INDEX ? nil : $0.index
    }
  }

  /// Unloads the module with that number.
  func unloadModule(_ index: UInt32, until deadline: Int64) throws(PulseFailure) {
    try unsafe request(until: deadline) { functions, pointer in
      unsafe functions.context_unload_module(context, index, takeSuccess, pointer)
    }
  }

  /// Sets the volume of a source.
  func setVolume(
    _ volume: aacorn_pulse_cvolume, ofSource name: String, until deadline: Int64
  ) throws(PulseFailure) {
    var volume = volume
    try unsafe request(until: deadline) { functions, pointer in
      unsafe functions.context_set_source_volume_by_name(
        context, name, &volume, takeSuccess, pointer)
    }
  }

  /// Sends a request whose response states only whether the server grants it.
  private func request(
    until deadline: Int64,
    _ request: (aacorn_pulse_functions, UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws(PulseFailure) {
    try unsafe ask(until: deadline, request) { $0.isGranted ? () : nil }
  }

  /// Calls `onDeviceChange` when sources or sinks are added or removed or a default changes.
  func watchDevices(until deadline: Int64) throws(PulseFailure) {
    unsafe functions.pointee.context_set_subscribe_callback(
      context,
      { _, event, _, target in
        if changesDeviceList(event) { unsafe PulseConnection.at(target)?.onDeviceChange() }
      }, pointer)
    let mask =
      AACORN_PULSE_SUBSCRIPTION_MASK_SINK.rawValue
      | AACORN_PULSE_SUBSCRIPTION_MASK_SOURCE.rawValue
      | AACORN_PULSE_SUBSCRIPTION_MASK_SERVER.rawValue
    try unsafe request(until: deadline) { functions, pointer in
      unsafe functions.context_subscribe(
        context, aacorn_pulse_subscription_mask(rawValue: mask), takeSuccess, pointer)
    }
  }
}

private let takeSuccess: aacorn_pulse_context_success = { _, success, target in
  unsafe PulseReply.at(target)?.isGranted = success != 0
}

private let takeDevice: aacorn_pulse_source_info_callback = { _, info, end, target in
  guard let reply = unsafe PulseReply.at(target) else { return }
  if let info = unsafe info, end == 0 {
    unsafe reply.devices.append(
      PulseDeviceInfo(info.pointee, for: reply.direction, reply.library))
  }
  if end > 0 { reply.isGranted = true }
}

/// Whether an event requires a new device list.
///
/// Changes of a source or sink are ignored, because they mostly concern its volume.
private func changesDeviceList(_ event: aacorn_pulse_subscription_event) -> Bool {
  let facility = event.rawValue & AACORN_PULSE_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
  let type = event.rawValue & AACORN_PULSE_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
  return facility == AACORN_PULSE_SUBSCRIPTION_EVENT_SERVER.rawValue
    || type != AACORN_PULSE_SUBSCRIPTION_EVENT_CHANGE.rawValue
}

/// Returns a text from the server; nil if it is missing or empty.
private func text(_ start: UnsafePointer<CChar>?) -> String? {
  guard let start = unsafe start, unsafe start.pointee != 0 else { return nil }
  return unsafe String(cString: start)
}
#endif
