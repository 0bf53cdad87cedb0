#if os(Linux)
import AacornSystem
import Glibc
import CAacornPulseAudio

@testable import AacornDevices

extension SimulatedPulse {
  /// A source or sink of the server.
  final class Device {
    let name: String
    /// The name, for the library's structures.
    let text: UnsafeMutablePointer<CChar>
    let rate: Int
    let channels: Int
    let format: aacorn_pulse_sample_format
    let positions: [aacorn_pulse_channel_position]
    let isSink: Bool
    /// The sink whose sound this source captures.
    let monitorOf: Device?
    weak var server: SimulatedPulse?
    var index: UInt32 = 0
    /// The input that this source filters, and the module that added this source.
    var master: Device?
    var module = AACORN_PULSE_INVALID_INDEX
    var volume: UInt32 = 0x10000
    var isSuspended = false
    /// The age of the frames that a source delivers, or the time until a rendered frame sounds.
    var latency: Int64
    /// The time between two renderings of a sink.
    var period: Int64 = 10_000_000
    /// The duration that the buffer of the device stores while the server does not run.
    let bufferSeconds = 2.0
    /// The maximum error of the server's reports.
    var reportNoise: Int64 = 0
    /// The number of frames that the server marks as missing next.
    var holeFrameCount = 0
    /// Returns the sample of a frame of a channel.
    var signal: (_ frame: Int, _ channel: Int) -> Float = { frame, _ in Float(frame) }

    init(
      _ name: String, rate: Int = 1000, channels: Int = 1, latency: Int64 = 20_000_000,
      isSink: Bool = false, format: aacorn_pulse_sample_format = AACORN_PULSE_SAMPLE_FLOAT32LE,
      positions: [aacorn_pulse_channel_position]? = nil, monitorOf: Device? = nil
    ) {
      self.name = name
      text = strdup(name)
      self.rate = rate
      self.channels = channels
      self.format = format
      self.positions = positions ?? Array(SimulatedPulse.positions(channels))
      self.isSink = isSink
      self.monitorOf = monitorOf
      self.latency = monitorOf?.latency ?? latency
    }

    deinit { free(text) }

    /// The number of frames that the device has captured or rendered by a time.
    func end(at time: Int64, _ rate: Int) -> Int {
      guard let server else { return 0 }
      let ahead = isSink || monitorOf != nil ? latency : -latency
      return max(0, Int(Double(time + ahead - server.origin) * server.pace * Double(rate) * 1e-9))
    }

    /// The time at which the frame at a position is captured or sounds.
    func time(of position: Int, _ rate: Int) -> Int64 {
      guard let server else { return 0 }
      return server.origin + Int64(Double(position) * 1e9 / server.pace / Double(rate))
    }

    /// Returns frames in a stream's format; frame n, counted from 1, is at position n − 1.
    func data(_ range: Range<Int>, _ stream: Stream) -> [UInt8] {
      let places = stream.positions.map { positions.firstIndex(of: $0) ?? 0 }
      return range.flatMap { position in
        places.flatMap { channel -> [UInt8] in
          let value =
            monitorOf == nil
            ? signal(position + 1, channel) : server?.sound(at: position, stream.rate, channel) ?? 0
          return Self.encode(value, stream.format)
        }
      }
    }

    private static func encode(_ value: Float, _ format: aacorn_pulse_sample_format) -> [UInt8] {
      let count: Int
      let bits: UInt32
      switch format {
      case AACORN_PULSE_SAMPLE_FLOAT32LE: (count, bits) = (4, value.bitPattern)
      case AACORN_PULSE_SAMPLE_S16LE:
        (count, bits) = (2, UInt32(bitPattern: Int32(value * 0x1p15)))
      case AACORN_PULSE_SAMPLE_S24LE:
        (count, bits) = (3, UInt32(bitPattern: Int32(value * 0x1p23)))
      default: (count, bits) = (4, UInt32(bitPattern: Int32(value * 0x1p31)))
      }
      return (0..<count).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
    }
  }

  static func positions(_ count: Int) -> [aacorn_pulse_channel_position] {
    count == 1
      ? [AACORN_PULSE_CHANNEL_MONO]
      : (0..<count).map { aacorn_pulse_channel_position(Int32($0 + 1)) }
  }

  /// The library's loop: the pending messages and timers of one thread.
  final class Loop {
    var steps: [ServerStep] = []
    var servers: [SimulatedPulse] = []
    var isWoken = false
    /// The number of objects that the program has not released.
    var objectCount = 0
    private var version = 0
    private var deadline: Int64?
    private var order = 0

    func add(_ step: ServerStep) {
      version += 1
      steps.add(step)
    }

    /// Calls `run` at a time.
    func call(at time: Int64, _ run: @escaping () -> Void) {
      order -= 1
      add(ServerStep(time: time, order: order, run: run))
    }

    func wake() {
      isWoken = true
      SimulatedThread.current?.world.pass(.signal)
    }

    func prepare(microseconds: Int32) {
      deadline = microseconds < 0 ? nil : System.nanoseconds + Int64(microseconds) * 1000
    }

    /// Waits for a message or a timer.
    func poll() {
      while let world = SimulatedThread.current?.world {
        for server in servers {
          server.stall()
          server.advance()
        }
        let now = System.nanoseconds
        if isWoken || steps.first.map({ $0.time <= now }) == true { return }
        if let deadline, deadline <= now { return }
        let times = [deadline, steps.first?.time] + servers.map(\.nextTime)
        let versions = servers.map(\.version) + [version]
        _ = world.wait(for: .poll, until: times.compactMap { $0 }.min()) { [self] in
          isWoken || servers.map(\.version) + [version] != versions
        }
      }
    }

    func dispatch() {
      isWoken = false
      for server in servers { server.turnCount += 1 }
      let now = System.nanoseconds
      while let step = steps.first, step.time <= now {
        steps.removeFirst()
        step.run()
      }
    }
  }

  /// A request of a client.
  final class Operation {
    var state = AACORN_PULSE_OPERATION_RUNNING
    /// Whether the answer uses an object of the program.
    let isOwned: Bool
    private let loop: Loop

    init(isOwned: Bool, _ loop: Loop) {
      self.isOwned = isOwned
      self.loop = loop
    }

    var handle: OpaquePointer {
      loop.objectCount += 1
      return OpaquePointer(Unmanaged.passRetained(self).toOpaque())
    }

    static func release(_ handle: OpaquePointer) {
      let operation = Unmanaged<Operation>.fromOpaque(UnsafeRawPointer(handle))
      operation.takeUnretainedValue().loop.objectCount -= 1
      operation.release()
    }
  }

  /// The answer of a server to a request.
  enum Answer {
    /// The client then does this.
    case granted(() -> Void)
    case refused(Int32)
  }

  /// A connection of the library to a server.
  final class Client {
    let loop: Loop
    private(set) var server: SimulatedPulse?
    var state = AACORN_PULSE_CONTEXT_UNCONNECTED
    var error: Int32 = 0
    /// The streams that the server knows.
    var streams: [Stream] = []
    var isSubscribed = false
    var onEvent: (callback: aacorn_pulse_context_event, pointer: UnsafeMutableRawPointer?)?
    var lastArrival: Int64 = 0
    var lastRequest: Int64 = 0
    private var operations: [Operation] = []
    private var answered: Operation?

    init(_ loop: Loop) { self.loop = loop }

    /// Whether the connection exists.
    var isLinked: Bool { server != nil && state.rawValue <= AACORN_PULSE_CONTEXT_READY.rawValue }

    var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    func connect(to address: String) -> Int32 {
      state = AACORN_PULSE_CONTEXT_CONNECTING
      SimulatedPulse.at(address)?.connectionCount += 1
      guard let server = SimulatedPulse.at(address), server.isRunning else {
        loop.call(at: System.nanoseconds) { [self] in fail(6) }
        return 0
      }
      self.server = server
      loop.servers.append(server)
      server.link(self)
      for next in [AACORN_PULSE_CONTEXT_AUTHORIZING, AACORN_PULSE_CONTEXT_SETTING_NAME] {
        server.receive(self) { [self] in server.send(self) { self.state = next } }
      }
      server.receive(self) { [self] in
        server.send(self) { self.state = AACORN_PULSE_CONTEXT_READY }
      }
      return 0
    }

    /// Ends the connection, because the server has ended it.
    func fail(_ error: Int32) {
      end(AACORN_PULSE_CONTEXT_FAILED, AACORN_PULSE_STREAM_FAILED, error)
    }

    func disconnect() {
      end(AACORN_PULSE_CONTEXT_TERMINATED, AACORN_PULSE_STREAM_TERMINATED, error)
    }

    private func end(
      _ state: aacorn_pulse_context_state, _ streamState: aacorn_pulse_stream_state, _ error: Int32
    ) {
      self.state = state
      self.error = error
      for stream in streams { stream.state = streamState }
      for operation in operations { operation.state = AACORN_PULSE_OPERATION_CANCELLED }
      streams = []
      operations = []
      guard let server else { return }
      server.unlink(self)
      if let index = loop.servers.firstIndex(where: { $0 === server }) {
        loop.servers.remove(at: index)
      }
      self.server = nil
    }

    func take(_ event: aacorn_pulse_subscription_event) {
      if let onEvent { onEvent.callback(handle, event, 0, onEvent.pointer) }
    }

    /// Whether the request is still valid whose answer is handled now.
    var isAnswerWanted: Bool { answered?.state == AACORN_PULSE_OPERATION_RUNNING }

    /// Sends a request; `answer` runs on the server, `refused` on the client.
    func request(
      _ name: String, isOwned: Bool = true, refused: @escaping () -> Void = {},
      _ answer: @escaping (SimulatedPulse) -> Answer
    ) -> OpaquePointer? {
      guard let server, state == AACORN_PULSE_CONTEXT_READY else {
        error = 15
        return nil
      }
      let operation = Operation(isOwned: isOwned, loop)
      operations.append(operation)
      server.receive(self) { [self] in
        if server.hangingRequest == name { return server.freeze() }
        let result = server.rejections[name].map { Answer.refused($0) } ?? answer(server)
        server.send(self) { [self] in
          operations.removeAll { $0 === operation }
          guard operation.state == AACORN_PULSE_OPERATION_RUNNING else { return }
          answered = operation
          switch result {
          case .granted(let run): run()
          case .refused(let number):
            error = number
            refused()
          }
          operation.state = AACORN_PULSE_OPERATION_DONE
        }
      }
      return operation.handle
    }
  }

  /// Returns what a sink has played at a position.
  func sound(at position: Int, _ rate: Int, _ channel: Int) -> Float {
    guard let entry = playedBlocks.last(where: { $0.position <= position && $0.rate == rate })
    else {
      return 0
    }
    let index = (position - entry.position) * entry.channels + min(channel, entry.channels - 1)
    return index < entry.samples.count ? entry.samples[index] : 0
  }
}
#endif
