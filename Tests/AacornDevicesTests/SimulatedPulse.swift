#if os(Linux)
import AacornSystem
import CAacornPulseAudio
import Simulation

@testable import AacornDevices

/// A PulseAudio server and its client library in simulated time.
///
/// The server is another process: it works at its own times, whichever thread of the test runs, and
/// exchanges messages with its clients that take a while. Frame n of each input has the value n, and
/// all devices have counted their frames since the server object was made.
final class SimulatedPulse: @unchecked Sendable {
  // Unchecked because a simulation runs one thread at a time. The server never calls the world while
  // it changes its state.

  let origin = System.nanoseconds
  /// The rate of all devices' clocks relative to the monotonic clock.
  let pace: Double
  /// The duration of a message's way.
  let trip: ClosedRange<Int64> = 50_000...1_500_000
  /// One in this number of unsolicited reports states a latency that is too large; 0 for none.
  var falseReportInterval = 0
  /// Whether the answers to requests contradict each other, too.
  var hasFalseAnswers = false
  /// The time in milliseconds for which the thread that runs a client's loop then stalls.
  var stallMilliseconds = 0
  /// The requests that the server rejects, with the library's error numbers.
  var rejections: [String: Int32] = [:]
  /// The request at which the server hangs.
  var hangingRequest: String?
  /// A text in the arguments of a module that the server refuses.
  var refusedArgument: String?
  /// The time between the answer to a module's loading and the new device, in milliseconds.
  var moduleMilliseconds = 0
  /// The number of attempts to connect.
  var connectionCount = 0
  /// The times of a program's own requests for a timing report.
  var questionTimes: [Int64] = []
  private(set) var devices: [Device] = []
  private(set) var isRunning = true
  private(set) var isFrozen = false
  /// The frames that the server had no room for, and has dropped without a notice.
  private(set) var lost: [Range<Int>] = []
  /// The samples that all sinks have played.
  private(set) var playedBlocks: [PlayedBlock] = []
  /// The number of requests for a timing report.
  private(set) var timingRequestCount = 0
  /// The number of times that a client's loop has continued after a wait.
  var turnCount = 0
  /// The arguments of the loaded modules, by their numbers.
  private(set) var modules: [UInt32: String] = [:]

  private var numbers = Simulation.numbers
  private var clients: [Client] = []
  private var steps: [ServerStep] = []
  private var order = 0
  /// The time up to which the server has worked.
  private var time: Int64
  private var wallOffset: Int64 = 0
  private var nextIndex: UInt32 = 0
  private var chosenDefaults: [Bool: String] = [:]
  private let setUp: (SimulatedPulse) -> Void
  /// Changes with every change that a waiting loop must look at.
  private(set) var version = 0

  /// Starts a server; `setUp` adds the devices at each start.
  init(drift partsPerMillion: Double = 0, _ setUp: @escaping (SimulatedPulse) -> Void = { _ in }) {
    pace = 1 + partsPerMillion * 1e-6
    time = origin
    self.setUp = setUp
    setUp(self)
  }

  // MARK: Time

  /// The time of the server's next work; nil if it does not work.
  var nextTime: Int64? { isRunning && !isFrozen ? steps.first?.time : nil }

  private func schedule(at time: Int64, _ run: @escaping () -> Void) {
    order += 1
    version += 1
    steps.add(ServerStep(time: time, order: order, run: run))
  }

  /// Does all work up to now; for all threads, before they look at the server.
  @discardableResult
  func advance() -> Int64 {
    let offset = System.wallNanoseconds - System.nanoseconds
    let now = System.nanoseconds
    wallOffset = offset
    while let next = nextTime, next <= now {
      time = max(time, next)
      steps.removeFirst().run()
    }
    time = max(time, now)
    return now
  }

  /// Delivers a message to a client.
  func send(_ client: Client, _ run: @escaping () -> Void) {
    guard client.isLinked else { return }
    client.lastArrival = max(client.lastArrival, time + .random(in: trip, using: &numbers))
    order += 1
    version += 1
    client.loop.add(
      ServerStep(time: client.lastArrival, order: order) { if client.isLinked { run() } })
  }

  /// Receives a message that a client sends now.
  func receive(_ client: Client, _ run: @escaping () -> Void) {
    let now = advance()
    client.lastRequest = max(client.lastRequest, now + .random(in: trip, using: &numbers))
    schedule(at: client.lastRequest) { [unowned self] in
      if clients.contains(where: { $0 === client }) { run() }
    }
  }

  /// Stalls the calling thread, if the test requests that.
  func stall() {
    let milliseconds = stallMilliseconds
    stallMilliseconds = 0
    if milliseconds > 0 { System.sleep(milliseconds: milliseconds) }
  }

  // MARK: Faults

  /// Ends the server, as in a crash.
  func kill() {
    advance()
    isRunning = false
    isFrozen = false
    for client in clients { send(client) { client.fail(11) } }
    clients = []
    devices = []
    steps = []
    modules = [:]
  }

  /// Starts the server again, with the same devices.
  func restart() {
    advance()
    isRunning = true
    nextIndex = 0
    version += 1
    setUp(self)
  }

  /// Stops the server's process until `thaw`.
  func freeze() {
    advance()
    isFrozen = true
  }

  /// Continues the server's process; its devices have kept what fits in their buffers.
  func thaw() {
    let now = advance()
    isFrozen = false
    version += 1
    for index in steps.indices { steps[index].time = max(steps[index].time, now) }
  }

  // MARK: Devices

  @discardableResult
  func add(_ device: Device) -> Device {
    device.index = nextIndex
    nextIndex += 1
    let before = [false, true].map { defaultDevice($0)?.name }
    devices.append(device)
    device.server = self
    if device.isSink {
      tick(device)
      add(
        Device(
          "\(device.name).monitor", rate: device.rate, channels: device.channels,
          format: device.format, positions: device.positions, monitorOf: device))
    }
    announce(device, AACORN_PULSE_SUBSCRIPTION_EVENT_NEW)
    updateDefaults(before)
    return device
  }

  func device(_ name: String) -> Device? { devices.first { $0.name == name } }

  /// Removes a device, as if it were unplugged; with `isSilent`, no stream is notified.
  func remove(_ name: String, isSilent: Bool = false) {
    advance()
    if let device = device(name) { remove(device, isSilent: isSilent) }
  }

  private func remove(_ device: Device, isSilent: Bool) {
    let before = [false, true].map { defaultDevice($0)?.name }
    if let monitor = devices.first(where: { $0.monitorOf === device }) {
      remove(monitor, isSilent: isSilent)
    }
    devices.removeAll { $0 === device }
    announce(device, AACORN_PULSE_SUBSCRIPTION_EVENT_REMOVE)
    for stream in clients.flatMap(\.streams) where stream.device === device {
      stream.device = nil
      if isSilent { continue }
      if !stream.isFixed, let other = defaultDevice(device.isSink) {
        move(stream, to: other)
      } else {
        let client = stream.client
        send(client) { stream.fail(12) }
      }
    }
    updateDefaults(before)
  }

  func setDefault(_ name: String) {
    advance()
    guard let device = device(name) else { return }
    let before = [false, true].map { defaultDevice($0)?.name }
    chosenDefaults[device.isSink] = name
    updateDefaults(before)
  }

  func suspend(_ name: String, _ isSuspended: Bool) {
    advance()
    guard let device = device(name), device.isSuspended != isSuspended else { return }
    if device.isSink { suspend("\(name).monitor", isSuspended) }
    device.isSuspended = isSuspended
    for stream in clients.flatMap(\.streams) where stream.device === device {
      if !isSuspended { stream.next = max(stream.next, device.end(at: time, stream.rate)) }
      send(stream.client) { stream.suspend(isSuspended) }
    }
  }

  /// The device for streams that name none: the chosen one, an input, or an output's monitor.
  func defaultDevice(_ isSink: Bool) -> Device? {
    let candidates = devices.filter { $0.isSink == isSink }
    return candidates.first { $0.name == chosenDefaults[isSink] }
      ?? candidates.first { $0.monitorOf == nil } ?? candidates.first
  }

  private func updateDefaults(_ before: [String?]) {
    for isSink in [false, true] {
      let device = defaultDevice(isSink)
      guard device?.name != before[isSink ? 1 : 0] else { continue }
      notifySubscribers(
        AACORN_PULSE_SUBSCRIPTION_EVENT_SERVER, AACORN_PULSE_SUBSCRIPTION_EVENT_CHANGE)
      guard let device else { continue }
      for stream in clients.flatMap(\.streams)
      where !stream.isFixed && stream.device.map({ $0.isSink == isSink && $0 !== device }) == true {
        move(stream, to: device)
      }
    }
  }

  private func announce(_ device: Device, _ type: aacorn_pulse_subscription_event) {
    let source = AACORN_PULSE_SUBSCRIPTION_EVENT_SOURCE
    notifySubscribers(device.isSink ? AACORN_PULSE_SUBSCRIPTION_EVENT_SINK : source, type)
  }

  private func notifySubscribers(
    _ facility: aacorn_pulse_subscription_event, _ type: aacorn_pulse_subscription_event
  ) {
    let event = aacorn_pulse_subscription_event(rawValue: facility.rawValue | type.rawValue)
    for client in clients where client.isSubscribed { send(client) { client.take(event) } }
  }

  // MARK: Clients

  func link(_ client: Client) { if isRunning { clients.append(client) } }

  func unlink(_ client: Client) { clients.removeAll { $0 === client } }

  func load(_ arguments: String) -> UInt32? {
    var values: [String: String] = [:]
    for word in arguments.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    guard let master = values["source_master"].flatMap({ device($0) }), defaultDevice(true) != nil,
      refusedArgument.map(arguments.contains) != true
    else { return nil }
    nextIndex += 1
    modules[nextIndex] = arguments
    let filter = Device(values["source_name"] ?? "filter", rate: master.rate, channels: 1)
    filter.master = master
    filter.module = nextIndex
    if moduleMilliseconds == 0 {
      add(filter)
      return filter.module
    }
    schedule(at: time + Int64(moduleMilliseconds) * 1_000_000) { [unowned self] in
      if modules[filter.module] != nil { add(filter) }
    }
    return filter.module
  }

  func unload(_ module: UInt32) -> Bool {
    guard modules.removeValue(forKey: module) != nil else { return false }
    for device in devices where device.module == module { remove(device, isSilent: false) }
    return true
  }

  // MARK: Streams

  func start(_ stream: Stream) {
    stream.isCorked = false
    if let device = stream.device {
      stream.next = max(stream.next, device.end(at: time, stream.rate))
    }
    if !stream.isPlayback { pump(stream) }
  }

  private func move(_ stream: Stream, to device: Device) {
    stream.device = device
    stream.next = max(stream.next, device.end(at: time, stream.rate))
    let (index, isSuspended) = (device.index, device.isSuspended)
    send(stream.client) { stream.move(to: index, isSuspended) }
  }

  /// Sends what an input has captured, and plans the next time.
  private func pump(_ stream: Stream) {
    guard stream.client.streams.contains(where: { $0 === stream }) else { return }
    // The tick of its output serves a monitor.
    if stream.device?.monitorOf == nil { capture(stream) }
    let period = Int64(stream.fragment) * 1_000_000_000 / Int64(stream.rate)
    schedule(at: time + max(1_000_000, period)) { [unowned self] in pump(stream) }
  }

  private func capture(_ stream: Stream) {
    guard let device = stream.device, !device.isSuspended, !stream.isCorked else { return }
    let end = device.end(at: time, stream.rate)
    let room = Int(device.bufferSeconds * Double(stream.rate))
    if end - stream.next > room {
      lost.append(stream.next + 1..<end - room + 1)
      stream.next = end - room
    }
    while stream.next < end {
      var count = min(end - stream.next, stream.fragment)
      var isHole = false
      if device.holeFrameCount > 0 {
        count = min(count, device.holeFrameCount)
        device.holeFrameCount -= count
        isHole = true
      }
      let first = stream.next
      stream.next += count
      stream.writtenByteCount += Int64(count * stream.frameByteCount)
      let data = isHole ? nil : device.data(first..<stream.next, stream)
      send(stream.client) { stream.take(data, byteCount: count * stream.frameByteCount) }
    }
  }

  /// Renders the next frames of a sink, and plans the next time.
  private func tick(_ sink: Device) {
    guard devices.contains(where: { $0 === sink }) else { return }
    let streams = clients.flatMap(\.streams)
    for stream in streams where stream.device === sink && !stream.isCorked && !sink.isSuspended {
      let end = sink.end(at: time, stream.rate)
      let wanted = max(0, end - stream.next)
      let samples = stream.render(wanted) { run in send(stream.client, run) }
      playedBlocks.append(
        PlayedBlock(
          time: sink.time(of: stream.next, stream.rate), rate: stream.rate,
          channels: stream.positions.count, position: stream.next, samples: samples))
      stream.next = end
    }
    for stream in streams where stream.device?.monitorOf === sink { capture(stream) }
    schedule(at: time + sink.period) { [unowned self] in tick(sink) }
  }

  /// Returns the server's report about a stream.
  func report(_ stream: Stream, isAsked: Bool) -> Stream.Report {
    timingRequestCount += 1
    var age: Int64 = 0
    if let device = stream.device { age = time - device.time(of: stream.next, stream.rate) }
    if let noise = stream.device?.reportNoise, noise > 0 {
      age += Int64.random(in: -noise...noise, using: &numbers)
    }
    if falseReportInterval > 0, !isAsked || hasFalseAnswers,
      Int.random(in: 0..<falseReportInterval, using: &numbers) == 0
    {
      let excess = Int64.random(in: 60_000_000...400_000_000, using: &numbers)
      age += stream.isPlayback ? -excess : excess
    }
    return Stream.Report(
      age: age, isPlaying: stream.isPlaying, written: stream.writtenByteCount,
      read: stream.readByteCount, wall: time + wallOffset)
  }
}
#endif
