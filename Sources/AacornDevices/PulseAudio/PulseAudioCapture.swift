#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// The work of a source's thread: opens, follows, waits for what has gone away, closes.
final class PulseAudioCapture {
  private let request: CaptureRequest
  private let server: String?
  private let loop: PulseLoop
  private let sink: CaptureSink
  private let status: PulseAudioStatus

  private var connection: PulseConnection?
  private var voice: PulseVoiceProcessing?
  private var stream: PulseStream?
  /// Rate and channels keep their first values, as they do when the server moves the stream.
  private var rate: Int?
  private var channelCount: Int?

  init(
    _ request: CaptureRequest, server: String?, _ loop: PulseLoop, into sink: CaptureSink,
    _ status: PulseAudioStatus
  ) {
    self.request = request
    self.server = server
    self.loop = loop
    self.sink = sink
    self.status = status
    rate = request.sampleRate
    channelCount = request.channelCount
  }

  /// Runs for the thread's whole life.
  func run() {
    defer { status.finish() }
    status.remark(System.raiseThreadPriority())
    do {
      try open(isFirst: true)
    } catch {
      close()
      status.finishOpening(error)
      return
    }
    status.finishOpening(nil)
    while true {
      follow()
      if loop.isEnding { break }
      sink.notify(.deviceLost, time: System.nanoseconds)
      stream = nil
      voice = nil
      awaitReturn()
    }
    drain()
    close()
  }

  // MARK: Opening

  private func open(isFirst: Bool) throws(CaptureError) {
    let deadline = System.nanoseconds + 5_000_000_000
    let connection = try connect(isFirst: isFirst, until: deadline)
    var source = try findSource(connection, until: deadline)
    var isPinned = request.device != .followingDefault
    if request.isVoiceProcessed {
      let voice = try PulseVoiceProcessing(
        for: source, isChosen: isPinned, connection, until: deadline)
      self.voice = voice
      status.remark(voice.remark)
      source = voice.source
      // Otherwise the server would move the stream to a microphone with its echo.
      isPinned = true
    }
    let target = PulseStream.Target(
      sourceName: isPinned ? source.name : nil,
      format: PulseFormat(source, rate: rate, channels: channelCount, loop.library),
      blockDuration: request.blockDuration)
    let stream = try explaining { () throws(PulseFailure) in
      try PulseStream(connection, target, into: sink, until: deadline)
    }
    if !isPinned, let actual = try? connection.source(at: stream.sourceIndex, until: deadline) {
      source = actual
    }
    rate = target.format.rate
    channelCount = target.format.positions.count
    status.device = source.device(isDefault: !isPinned)
    self.stream = stream
    if !isFirst { sink.notify(.deviceReturned, time: System.nanoseconds) }
    stream.flow()
  }

  private func explaining<Result>(
    _ body: () throws(PulseFailure) -> Result
  ) throws(CaptureError) -> Result {
    do {
      return try body()
    } catch {
      throw error.captureError("open", chosenName, loop.library)
    }
  }

  private var chosenName: String {
    switch request.device {
    case .followingDefault: "default"
    case .pinned(let id): id
    }
  }

  private func connect(
    isFirst: Bool, until deadline: Int64
  ) throws(CaptureError) -> PulseConnection {
    if let connection, connection.isGood { return connection }
    connection = nil
    // We do not restart a server that went away: someone may have stopped it on purpose.
    let new = try PulseConnection(
      loop, applicationName: request.applicationName, server: server, mayStartServer: isFirst,
      until: deadline)
    connection = new
    return new
  }

  private func findSource(
    _ connection: PulseConnection, until deadline: Int64
  ) throws(CaptureError) -> PulseSourceInfo {
    let source = try explaining { () throws(PulseFailure) -> PulseSourceInfo? in
      switch request.device {
      case .pinned(let id):
        return try connection.source(named: id, until: deadline)
      case .followingDefault:
        guard let name = try connection.serverInfo(until: deadline).defaultSource else {
          return nil
        }
        return try? connection.source(named: name, until: deadline)
      }
    }
    guard let source else { throw .noDevice(backend: .pulseAudio) }
    return source
  }

  // MARK: Following

  /// Captures until the end is requested, or the source or the server goes away.
  private func follow() {
    guard let connection, let stream else { return }
    var lastCheck = System.nanoseconds
    while !loop.isEnding && connection.isGood && stream.isGood {
      let now = System.nanoseconds
      loop.turn(until: now + (stream.hasBacklog ? 20_000_000 : 1_000_000_000))
      if stream.hasBacklog { stream.read() }
      if stream.hasMoved {
        stream.hasMoved = false
        refreshDevice(connection, stream)
      }
      // Some servers do not report that a stream's source has vanished.
      if stream.isSilent(for: 1000, now: now) && now - lastCheck > 1_000_000_000 {
        lastCheck = now
        if !isSourceThere(connection, stream) { return }
      }
    }
  }

  private func refreshDevice(_ connection: PulseConnection, _ stream: PulseStream) {
    let deadline = System.nanoseconds + 1_000_000_000
    if let source = try? connection.source(at: stream.sourceIndex, until: deadline) {
      status.device = source.device(isDefault: request.device == .followingDefault)
    }
  }

  private func isSourceThere(_ connection: PulseConnection, _ stream: PulseStream) -> Bool {
    do {
      _ = try connection.source(
        at: stream.sourceIndex, until: System.nanoseconds + 1_000_000_000)
      return true
    } catch {
      return error != .unknown
    }
  }

  /// Tries every quarter of a second until samples flow again or the end is requested.
  private func awaitReturn() {
    while !loop.isEnding {
      let next = System.nanoseconds + 250_000_000
      while !loop.isEnding && System.nanoseconds < next { loop.turn(until: next) }
      if loop.isEnding { return }
      do {
        try open(isFirst: false)
        return
      } catch {
        stream = nil
        voice = nil
      }
    }
  }

  // MARK: Ending

  /// Delivers what was captured until the end was requested; it arrives within a block's length and
  /// the device's delay.
  private func drain() {
    guard let connection, let stream, stream.isGood else { return }
    let end = loop.endRequestTime
    connection.heedsEnd = false
    stream.isDraining = true
    stream.read()
    guard !stream.isSilent(for: 500, now: end) else { return }
    _ = connection.wait(until: end + 300_000_000) {
      (stream.capturedUntil ?? .min) >= end || !stream.isGood
    }
  }

  private func close() {
    stream = nil
    voice = nil
    connection = nil
  }
}
#endif
