#if os(Linux)
import AacornSystem
import CAacornPipeWire
import Simulation

@testable import AacornDevices

extension SimulatedPipeWire {
  /// A stream, as the library and the server know it.
  final class Stream: @unchecked Sendable {
    typealias Events = UnsafePointer<aacorn_pw_events_of_stream>

    let client: Client
    let properties: [String: String]
    var listener: (events: Events, data: UnsafeMutableRawPointer?)?
    private(set) var isPlayback = false
    private var requestedRate = 0
    private var sampleRate = 0
    private var channelCount = 0
    private var state = AACORN_PW_STREAM_STATE_UNCONNECTED
    /// The number of the node, as the library and the server know it.
    private(set) var nodeID = UInt32.max
    var id: UInt32?
    var link: (id: UInt32, node: Node)?

    // The data thread.
    /// The node whose cycles run the stream.
    var driver: Node?
    private var processed = 0
    private var thread: WorkerThread?
    private var isEnding = false
    private var isProcessing = false
    private let clock: UnsafeMutablePointer<aacorn_spa_io_clock>
    private(set) var time = aacorn_pw_time()
    private let buffers = [Buffer(), Buffer()]
    /// The filled buffers of a capture, or an empty one for a playback.
    private var inbox: [Buffer] = []
    private var lastClock: UInt32 = 0

    init(_ client: Client, _ properties: [String: String]) {
      self.client = client
      self.properties = properties
      clock = .allocate(capacity: 1)
      clock.initialize(to: aacorn_spa_io_clock())
    }

    deinit { clock.deallocate() }

    /// The name of the only node to use.
    var target: String? { properties["target.object"] }

    // MARK: Connection

    func connect(isPlayback: Bool, _ offer: UnsafePointer<aacorn_spa_pod>) -> Int32 {
      var format = aacorn_pw_format()
      guard aacorn_pw_read_format(offer, 8 + Int(offer.pointee.size), &format) else { return -22 }
      self.isPlayback = isPlayback
      requestedRate = Int(format.sample_rate)
      channelCount = Int(format.channel_count)
      setState(AACORN_PW_STREAM_STATE_CONNECTING)
      thread = WorkerThread("test") { [unowned self] in run() }
      client.server.receive(client) { [self] in if !isEnding { client.server.open(self) } }
      return 0
    }

    /// Ends the data thread, on the thread that closes the stream.
    func destroy() {
      listener = nil
      isEnding = true
      thread?.join()
      client.server.advance()
      client.server.close(self)
    }

    func open(_ id: UInt32) {
      nodeID = id
      setState(AACORN_PW_STREAM_STATE_PAUSED)
    }

    func setState(_ new: aacorn_pw_stream_state, _ error: String? = nil) {
      let old = state
      state = new
      guard old != new, let listener else { return }
      if new.rawValue <= 0 { driver = nil }
      listener.events.pointee.state_changed?(listener.data, old.rawValue, new.rawValue, error)
    }

    func suspend() { setState(AACORN_PW_STREAM_STATE_PAUSED) }

    /// Begins to run with the cycles of a node.
    func start(_ node: Node) {
      guard let listener, state == AACORN_PW_STREAM_STATE_PAUSED else { return }
      // The library changes the clock on the data thread.
      _ = SimulatedThread.current?.world.wait(for: .lock, until: nil) { !isProcessing }
      sampleRate = requestedRate > 0 ? requestedRate : node.rate
      var pod = [UInt64](repeating: 0, count: Int(AACORN_PW_FORMAT_SIZE) / 8)
      let positions = [UInt32](repeating: 0, count: channelCount)
      _ = aacorn_pw_write_format(&pod, UInt32(sampleRate), UInt32(channelCount), positions)
      pod.withUnsafeBytes {
        listener.events.pointee.param_changed?(
          listener.data, UInt32(AACORN_SPA_PARAM_Format),
          $0.baseAddress?.assumingMemoryBound(to: aacorn_spa_pod.self))
      }
      listener.events.pointee.io_changed?(
        listener.data, UInt32(AACORN_SPA_IO_Position), clock,
        UInt32(MemoryLayout<aacorn_spa_io_clock>.size))
      setState(AACORN_PW_STREAM_STATE_STREAMING)
      processed = node.start
      if link?.node === node { driver = node }
    }

    // MARK: Data thread

    private func run() {
      guard let world = SimulatedThread.current?.world else { return }
      let server = client.server
      while !isEnding {
        let (node, wasFrozen) = (driver, server.isFrozen)
        let isLate = node.map { $0.start > processed } ?? false
        let next = isLate ? System.nanoseconds : node.flatMap(server.nextCycleTime)
        _ = world.wait(for: .poll, until: next) { [self] in
          isEnding || driver !== node || server.isFrozen != wasFrozen
        }
        if node != nil { server.stall() }
        server.advance()
        guard let node = driver, node.start > processed, !isEnding else { continue }
        isProcessing = true
        if isPlayback { play(node, server) } else { capture(node, server) }
        isProcessing = false
      }
    }

    private func process() {
      if let listener { listener.events.pointee.process?(listener.data) }
    }

    private func setClock(_ node: Node, _ cycle: Int, delay: Int, _ server: SimulatedPipeWire) {
      let rate = aacorn_spa_fraction(num: 1, denom: UInt32(node.rate))
      let nanoseconds = server.time(of: cycle, node.rate)
      clock.pointee.id = UInt32(node.serial)
      clock.pointee.nsec = UInt64(nanoseconds)
      clock.pointee.rate = rate
      clock.pointee.position = UInt64(cycle - node.overruns)
      clock.pointee.duration = UInt64(node.quantum)
      clock.pointee.xrun = UInt64(node.overruns)
      time.now = nanoseconds
      time.rate = rate
      time.delay = Int64(delay)
    }

    private func frame(of tick: Int, _ node: Node) -> Int { tick * sampleRate / node.rate }

    /// Delivers the newest cycle.
    ///
    /// If this thread is late, also delivers the previous cycle, in one of two ways.
    private func capture(_ node: Node, _ server: SimulatedPipeWire) {
      let (newest, previous) = (node.start, node.previous)
      let delay = node.quantum + node.latency
      // The resampler delays the samples.
      time.buffered = sampleRate == node.rate ? 0 : 8
      let isLate =
        previous > processed
        && frame(of: previous - delay, node) - Int(time.buffered) >= server.nextFrame
      processed = newest
      setClock(node, newest, delay: delay, server)
      if server.emptyCycleCount > 0 {
        server.emptyCycleCount -= 1
        return process()
      }
      let way = isLate ? server.random(0...2) : 0
      if way > 0 { put(previous, node, server) }
      // The clock may have advanced before this thread examines older samples.
      if way == 1 { process() }
      put(newest, node, server)
      process()
    }

    /// Adds a buffer with the frames of a cycle.
    private func put(_ cycle: Int, _ node: Node, _ server: SimulatedPipeWire) {
      let end = cycle - node.latency
      let older = Int(time.buffered)
      let start = frame(of: end - node.quantum, node) - older
      let range = max(start, server.nextFrame)..<max(server.nextFrame, frame(of: end, node) - older)
      guard !range.isEmpty else { return }
      // Nothing shows the frames between two clocks.
      if lastClock != clock.pointee.id {
        server.lost.append(server.nextFrame + 1..<range.lowerBound + 1)
      }
      lastClock = clock.pointee.id
      time.delay -= Int64((range.lowerBound - start) * node.rate / sampleRate)
      server.nextFrame = range.upperBound
      let buffer = buffers[inbox.count]
      buffer.fill(range.flatMap { [Float](repeating: Float($0 + 1), count: channelCount) })
      inbox.append(buffer)
    }

    /// Renders the newest cycle, which sounds in the next one if this thread is late.
    private func play(_ node: Node, _ server: SimulatedPipeWire) {
      let cycle = node.start
      setClock(node, cycle, delay: node.latency, server)
      let buffer = buffers[0]
      buffer.prepare(frameCount: frame(of: cycle + node.quantum, node) - frame(of: cycle, node))
      inbox = [buffer]
      process()
      let samples = buffer.samples
      server.renderedNumbers += samples.filter { $0 != 0 }.map { Int($0) }
      server.advance()
      processed = cycle
      guard driver === node else { return }
      if node.start != cycle { processed = node.start + node.nextOverrun + node.quantum }
      server.playedBlocks.append(
        PlayedBlock(
          time: server.time(of: processed + node.latency, node.rate), rate: sampleRate,
          channels: channelCount, position: frame(of: processed, node), samples: samples))
    }

    func dequeue() -> UnsafeMutablePointer<aacorn_pw_buffer>? {
      inbox.isEmpty ? nil : inbox.removeFirst().header
    }
  }

  /// A buffer of the library.
  final class Buffer {
    private static let byteCount = 1 << 16
    let header = UnsafeMutablePointer<aacorn_pw_buffer>.allocate(capacity: 1)
    private let content = UnsafeMutablePointer<aacorn_spa_buffer>.allocate(capacity: 1)
    private let data = UnsafeMutablePointer<aacorn_spa_data>.allocate(capacity: 1)
    private let chunk = UnsafeMutablePointer<aacorn_spa_chunk>.allocate(capacity: 1)
    private let memory = UnsafeMutablePointer<Float>.allocate(capacity: byteCount / 4)

    init() {
      chunk.initialize(to: aacorn_spa_chunk())
      data.initialize(
        to: aacorn_spa_data(
          type: 0, flags: 0, fd: -1, mapoffset: 0, maxsize: UInt32(Self.byteCount), data: memory,
          chunk: chunk))
      content.initialize(to: aacorn_spa_buffer(n_metas: 0, n_datas: 1, metas: nil, datas: data))
      header.initialize(
        to: aacorn_pw_buffer(buffer: content, user_data: nil, size: 0, requested: 0))
    }

    deinit {
      header.deallocate()
      content.deallocate()
      data.deallocate()
      chunk.deallocate()
      memory.deallocate()
    }

    func fill(_ samples: [Float]) {
      memory.update(from: samples, count: samples.count)
      chunk.pointee.size = UInt32(samples.count * 4)
    }

    func prepare(frameCount: Int) {
      chunk.pointee.size = 0
      header.pointee.requested = UInt64(frameCount)
    }

    /// The samples that the program has written.
    var samples: [Float] {
      Array(UnsafeBufferPointer(start: memory, count: Int(chunk.pointee.size) / 4))
    }
  }
}
#endif
