#if os(Linux)
import AacornSystem
import CAacornPulseAudio
import Glibc
import SwiftOverlayShims

@testable import AacornDevices

extension SimulatedPulse {
  /// Connects a stream; returns nil if there is no such device.
  func connect(_ stream: Stream, to name: String?) -> Device? {
    let found =
      name.map { name in devices.first { $0.name == name } } ?? defaultDevice(stream.isPlayback)
    guard let found, found.isSink == stream.isPlayback else { return nil }
    stream.device = found
    stream.client.streams.append(stream)
    return found
  }

  /// A stream, as the library and the server know it.
  final class Stream {
    /// The server's report about the time of a stream.
    struct Report {
      /// The age of the last captured byte; negative for bytes that have yet to sound.
      var age: Int64
      var isPlaying: Bool
      var written: Int64
      var read: Int64
      /// The wall clock of the report.
      var wall: Int64
    }

    typealias Pointer = UnsafeMutableRawPointer

    let client: Client
    let rate: Int
    let format: aacorn_pulse_sample_format
    let positions: [aacorn_pulse_channel_position]
    private(set) var isPlayback = false

    // The library's side.
    var state = AACORN_PULSE_STREAM_UNCONNECTED
    private(set) var deviceIndex = AACORN_PULSE_INVALID_INDEX
    private(set) var isSuspended = false
    let timing: UnsafeMutablePointer<aacorn_pulse_timing_info>
    private(set) var isTimingValid = false
    var onRead: (callback: aacorn_pulse_stream_request, pointer: Pointer?)?
    var onWrite: (callback: aacorn_pulse_stream_request, pointer: Pointer?)?
    var onUnderflow: (callback: aacorn_pulse_stream_notify, pointer: Pointer?)?
    var onMove: (callback: aacorn_pulse_stream_notify, pointer: Pointer?)?
    var onSuspension: (callback: aacorn_pulse_stream_notify, pointer: Pointer?)?
    var onReport: (callback: aacorn_pulse_stream_notify, pointer: Pointer?)?
    private var chunks: [(data: [UInt8]?, byteCount: Int)] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private(set) var writableByteCount = 0
    private var isReportRequested = false
    private var reportInterval: Int64 = 10_000_000
    private var timer = 0

    // The server's side.
    var device: Device?
    private(set) var isFixed = false
    var isCorked = true
    /// The position of the next frame in the device's count of frames.
    var next = 0
    private(set) var fragment = 1
    var writtenByteCount: Int64 = 0
    private(set) var readByteCount: Int64 = 0
    private(set) var isPlaying = false
    private var attributes = aacorn_pulse_buffer_attr()
    private var queue: [Float] = []
    /// The bytes that the server has requested and not received.
    private var requestedByteCount = 0

    init(
      _ client: Client, _ specification: aacorn_pulse_sample_spec, _ map: aacorn_pulse_channel_map
    ) {
      self.client = client
      rate = Int(specification.rate)
      format = specification.format
      positions = PulseFormat.channels(of: map)
      timing = .allocate(capacity: 1)
      timing.initialize(to: aacorn_pulse_timing_info())
    }

    deinit { timing.deallocate() }

    var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    var frameByteCount: Int {
      let size =
        switch format {
        case AACORN_PULSE_SAMPLE_S16LE: 2
        case AACORN_PULSE_SAMPLE_S24LE: 3
        default: 4
        }
      return size * positions.count
    }

    // MARK: Connection

    func connect(
      to name: String?, _ attributes: aacorn_pulse_buffer_attr, _ flags: aacorn_pulse_stream_flags,
      isPlayback: Bool
    ) -> Int32 {
      self.isPlayback = isPlayback
      self.attributes = attributes
      isFixed = flags.rawValue & AACORN_PULSE_STREAM_DONT_MOVE.rawValue != 0
      fragment = max(1, Int(attributes.fragsize) / frameByteCount)
      let operation = client.request(
        "connect", refused: { [self] in state = AACORN_PULSE_STREAM_FAILED }
      ) { [self] server in
        guard let device = server.connect(self, to: name) else {
          return .refused(Int32(AACORN_PULSE_ERROR_NO_ENTITY.rawValue))
        }
        let (index, isAsleep) = (device.index, device.isSuspended)
        if isPlayback { requestedByteCount = Int(attributes.tlength) }
        return .granted { [self] in opened(index, isAsleep) }
      }
      guard let operation else { return -client.error }
      state = AACORN_PULSE_STREAM_CREATING
      Operation.release(operation)
      return 0
    }

    private func opened(_ index: UInt32, _ isAsleep: Bool) {
      guard state == AACORN_PULSE_STREAM_CREATING else { return }
      state = AACORN_PULSE_STREAM_READY
      deviceIndex = index
      isSuspended = isAsleep
      requestReport(isForced: true)
      if isPlayback { takeRequest(Int(attributes.tlength)) }
    }

    func disconnect() {
      guard state != AACORN_PULSE_STREAM_TERMINATED else { return }
      state = AACORN_PULSE_STREAM_TERMINATED
      let operation = client.request("disconnect") { [self] _ in
        client.streams.removeAll { $0 === self }
        return .granted {}
      }
      if let operation { Operation.release(operation) }
    }

    func fail(_ error: Int32) {
      client.error = error
      client.streams.removeAll { $0 === self }
      if state == AACORN_PULSE_STREAM_READY { state = AACORN_PULSE_STREAM_FAILED }
    }

    /// Whether no event of this stream uses an object of the program.
    var isDetached: Bool {
      let isOpen = state == AACORN_PULSE_STREAM_CREATING || isReady
      return !isOpen && onRead == nil && onWrite == nil && onUnderflow == nil && onMove == nil
        && onSuspension == nil && onReport == nil
    }

    private var isReady: Bool { state == AACORN_PULSE_STREAM_READY }

    func move(to index: UInt32, _ isAsleep: Bool) {
      guard isReady else { return }
      deviceIndex = index
      isSuspended = isAsleep
      requestReport(isForced: true)
      if let onMove { onMove.callback(handle, onMove.pointer) }
    }

    func suspend(_ isAsleep: Bool) {
      guard isReady else { return }
      isSuspended = isAsleep
      requestReport(isForced: true)
      if let onSuspension { onSuspension.callback(handle, onSuspension.pointer) }
    }

    func uncork(_ callback: aacorn_pulse_stream_success?, _ pointer: Pointer?) -> OpaquePointer? {
      let operation = client.request("cork", isOwned: callback != nil) { [self] server in
        server.start(self)
        return .granted { [self] in callback?(handle, 1, pointer) }
      }
      requestReport(isForced: true)
      return operation
    }

    // MARK: Reports

    /// Requests a report by the library's own timer, or at once.
    private func requestReport(isForced: Bool) {
      if isReady, isForced || !isReportRequested,
        let operation = updateTiming(isAsked: false, nil, nil)
      {
        Operation.release(operation)
        isReportRequested = true
      }
      timer += 1
      if isSuspended && !isForced || !isReady { return }
      if isForced { reportInterval = 10_000_000 }
      let number = timer
      client.loop.call(at: System.nanoseconds + reportInterval) { [weak self] in
        if let self, self.timer == number { requestReport(isForced: false) }
      }
      reportInterval = min(1_500_000_000, reportInterval * 2)
    }

    func updateTiming(
      isAsked: Bool, _ callback: aacorn_pulse_stream_success?, _ pointer: Pointer?
    ) -> OpaquePointer? {
      let sent = System.wallNanoseconds
      if isAsked { client.server?.questionTimes.append(System.nanoseconds) }
      return client.request(
        "timing",
        refused: { [self] in
          isTimingValid = false
          finishReport()
          if client.isAnswerWanted { callback?(handle, 0, pointer) }
        },
        { [self] server in
          let report = server.report(self, isAsked: isAsked)
          return .granted { [self] in
            take(report, sent: sent)
            finishReport()
            if isReady && client.isAnswerWanted { callback?(handle, 1, pointer) }
          }
        })
    }

    private func finishReport() {
      isReportRequested = false
      if let onReport { onReport.callback(handle, onReport.pointer) }
    }

    /// Computes the timing from a report, as the library does.
    private func take(_ report: Report, sent: Int64) {
      let now = System.wallNanoseconds
      let isSynchronized = sent <= report.wall && report.wall <= now
      var transport = abs(now - sent) / 2
      if isSynchronized { transport = isPlayback ? report.wall - sent : now - report.wall }
      let stamp = isSynchronized ? report.wall : sent + transport
      timing.pointee = aacorn_pulse_timing_info(
        timestamp: timeval(
          tv_sec: Int(stamp / 1_000_000_000), tv_usec: Int(stamp % 1_000_000_000 / 1000)),
        synchronized_clocks: isSynchronized ? 1 : 0,
        sink_usec: UInt64(max(0, -report.age / 1000)),
        source_usec: UInt64(max(0, report.age / 1000)), transport_usec: UInt64(transport / 1000),
        playing: report.isPlaying ? 1 : 0, write_index_corrupt: 0, write_index: report.written,
        read_index_corrupt: 0,
        read_index: isPlayback ? report.read : report.written - Int64(readableByteCount))
      isTimingValid = true
    }

    // MARK: Captured samples

    var readableByteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }

    func take(_ data: [UInt8]?, byteCount: Int) {
      guard isReady else { return }
      chunks.append((data, byteCount))
      if let onRead { onRead.callback(handle, readableByteCount, onRead.pointer) }
    }

    func peek() -> (UnsafeRawPointer?, Int) {
      guard let chunk = chunks.first else { return (nil, 0) }
      guard let data = chunk.data else { return (nil, chunk.byteCount) }
      buffer.replaceSubrange(0..<data.count, with: data)
      return (buffer.withUnsafeBytes { $0.baseAddress }, data.count)
    }

    func drop() {
      let chunk = chunks.removeFirst()
      if isTimingValid { timing.pointee.read_index += Int64(chunk.byteCount) }
    }

    // MARK: Played samples

    private func takeRequest(_ byteCount: Int) {
      guard isReady else { return }
      writableByteCount += byteCount
      if let onWrite { onWrite.callback(handle, writableByteCount, onWrite.pointer) }
    }

    /// Returns memory for samples.
    func beginWrite(_ byteCount: Int) -> (Pointer?, Int) {
      (buffer.withUnsafeMutableBytes { $0.baseAddress }, min(byteCount, 65_472))
    }

    func write(_ data: UnsafeRawPointer, byteCount: Int) -> Int32 {
      guard isReady, let server = client.server else { return -15 }
      writableByteCount -= byteCount
      let samples = Array(
        UnsafeRawBufferPointer(start: data, count: byteCount).bindMemory(to: Float.self))
      server.receive(client) { [self] in
        queue += samples
        writtenByteCount += Int64(byteCount)
        requestedByteCount -= byteCount
        // The server begins again when its prebuffer is full.
        if queue.count * 4 >= Int(attributes.prebuf) { isPlaying = true }
      }
      return 0
    }

    /// Returns the next frames for the sink, with silence where the queue is empty.
    func render(_ frameCount: Int, _ send: (@escaping () -> Void) -> Void) -> [Float] {
      let count = frameCount * positions.count
      var samples = isPlaying ? Array(queue.prefix(count)) : []
      queue.removeFirst(samples.count)
      readByteCount += Int64(samples.count * 4)
      if samples.count < count {
        if isPlaying {
          send { [self] in
            if isReady, let onUnderflow { onUnderflow.callback(handle, onUnderflow.pointer) }
          }
        }
        isPlaying = false
        samples += [Float](repeating: 0, count: count - samples.count)
      }
      let missing = Int(attributes.tlength) - queue.count * 4 - requestedByteCount
      if missing >= max(Int(attributes.minreq), frameByteCount) {
        requestedByteCount += missing
        send { [self] in takeRequest(missing) }
      }
      return samples
    }
  }
}
#endif
