#if os(Linux)
import AacornSignal
import AacornSystem

/// Plays on an ALSA device: a card, or a plug-in that represents one.
///
/// If a card cannot play the feed's format, the library converts it.
public final class ALSATarget: PlaybackTarget, ThreadedDevice {
  private let request: PlaybackRequest
  private let maxStallNanoseconds: Int64
  private let id: String
  /// The library to use; nil for alsa-lib.
  private let library: ALSALibrary?
  let thread = DeviceThread<ALSASession>()

  /// Creates a target for a request without opening a device.
  public convenience init(_ request: PlaybackRequest) {
    self.init(request, library: nil)
  }

  /// Creates a target that uses `library`, or alsa-lib if it is nil.
  ///
  /// `maxStallNanoseconds` is the time after which a stalled device is considered dead.
  init(
    _ request: PlaybackRequest, library: ALSALibrary?, maxStallNanoseconds: Int64 = 5_000_000_000
  ) {
    self.request = request
    self.library = library
    self.maxStallNanoseconds = maxStallNanoseconds
    id = request.device.pinnedID ?? "default"
  }

  /// Peculiarities of the devices that were opened.
  public var diagnostics: [String] {
    guard let status = thread.status else { return [] }
    guard status.xrunCount > 0 else { return status.diagnostics }
    let count = status.xrunCount == 1 ? "once" : "\(status.xrunCount) times"
    return status.diagnostics + ["“\(id)” underran \(count), because this program was late."]
  }

  /// The number of times that the device has stopped because its buffer was empty.
  package var xrunCount: Int { thread.status?.xrunCount ?? 0 }

  /// Returns the rate and channels of a card, or a format that suits most plug-ins.
  public func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    let library = try ALSALibrary(library)
    var properties = ALSAProbe.DeviceProperties.unknown
    if !ALSADevices(library: library, direction: .playback).hasSideEffects(id) {
      guard let found = ALSAProbe.properties(at: id, for: .playback, library) else {
        if request.device == .followingDefault { throw .noDevice(for: .playback, backend: .alsa) }
        throw .unknownDevice(id: id, backend: .alsa)
      }
      properties = found
    }
    return PlaybackFormat(
      sampleRate: properties.sampleRate > 0 ? properties.sampleRate : 48000,
      channelCount: properties.channelCount > 0 ? properties.channelCount : 2)
  }

  /// Opens the device for the feed's format, and begins to play.
  public func start(_ feed: PlaybackFeed) throws(DeviceError) {
    let (request, maxStallNanoseconds) = (request, maxStallNanoseconds)
    try thread.start(id, ALSASession(id, library)) { session in
      ALSAPlayback(session, feed, request, maxStallNanoseconds: maxStallNanoseconds).run()
    }
  }
}

/// The thread of an ``ALSATarget``, which keeps the device filled.
final class ALSAPlayback: ALSADeviceMonitor {
  private let feed: PlaybackFeed
  /// Frames from the feed, in the order of the device's channels.
  private var block: [Float] = []
  /// The frames of `block` that the device has not accepted yet; they wait while it is unavailable.
  private var waiting = 0..<0
  /// For each channel of the device, the index of the feed's channel; nil if the channels stay
  /// unchanged.
  private var order: [Int]?

  init(
    _ session: ALSASession, _ feed: PlaybackFeed, _ request: PlaybackRequest,
    maxStallNanoseconds: Int64
  ) {
    self.feed = feed
    super.init(
      session, for: ALSAParameters(request, feed.format),
      isDefault: request.device == .followingDefault,
      maxSilenceNanoseconds: maxStallNanoseconds)
  }

  /// Computes the order of the device's channels.
  override func inspectDevice(at stream: ALSAStream) {
    let order = ALSAChannels.order(of: feed.format, on: stream.setup.layout)
    if order != self.order { waiting = 0..<0 }
    self.order = order
  }

  // MARK: Samples

  /// Fills the device, or waits for room or an error.
  override func flow(_ stream: ALSAStream) {
    let room = stream.available()
    if room < 0 { return recover(stream, from: room) }
    if room >= stream.setup.blockFrameCount { return write(room, to: stream) }
    if stream.isPrepared {
      let code = stream.start()
      if code < 0 { return recover(stream, from: Int(code)) }
      arrive()
    }
    guard wait(for: stream) else { return }
    if isDead { return close() }
    // Some plug-ins wake this thread for every frame, or without any room. Pausing limits the
    // number of wake-ups.
    let missing = stream.setup.blockFrameCount - stream.available()
    if missing > 0 && missing <= stream.setup.blockFrameCount {
      session.wait(milliseconds: 1 + missing * 1000 / stream.setup.sampleRate)
    }
  }

  /// Writes frames until the device's free room is filled.
  private func write(_ room: Int, to stream: ALSAStream) {
    let setup = stream.setup
    let queued = max(0, setup.bufferFrameCount - room)
    if pace.detectMissingClock(-queued, at: System.nanoseconds) {
      session.status.addDiagnostic("“\(id)” has no clock. It receives samples at the nominal rate.")
    }
    var time = pace.isUntimed ? pace.nextFrameTime : stream.nextFrameSoundTime(after: queued)
    var left = room
    while left > 0 && session.endTime == nil && pace.delayMilliseconds(at: System.nanoseconds) == 0
    {
      if waiting.isEmpty { take(min(left, setup.blockFrameCount), for: time) }
      if waiting.isEmpty { return }
      let count = stream.write(block, from: waiting.lowerBound, count: waiting.count)
      if count < 0 { return recover(stream, from: count) }
      if count == 0 { return session.wait(milliseconds: 10) }
      waiting = min(waiting.lowerBound + count, waiting.upperBound)..<waiting.upperBound
      pace.pass(count)
      left -= count
      time += ALSATimeline.nanoseconds(count, setup.sampleRate)
      lastFlow = System.nanoseconds
      if stream.isRunning { arrive() }
    }
  }

  /// Reads frames from the feed into `block`; the first of them plays at `time`.
  ///
  /// After the gate is closed, nothing is read and `waiting` stays empty.
  private func take(_ frameCount: Int, for time: Int64) {
    let sampleCount = frameCount * feed.format.channelCount
    if block.count != sampleCount { block = [Float](repeating: 0, count: sampleCount) }
    session.gate.perform {
      let count = unsafe block.withUnsafeMutableBufferPointer { unsafe feed.read(into: $0) }
      // Silence has no frame numbers.
      if count > 0 {
        feed.recordPresentation(frame: feed.consumedFrameCount - count, soundsAt: time)
      }
      waiting = 0..<frameCount
    }
    if let order, !waiting.isEmpty { ChannelLayout.reorder(&block, by: order) }
  }

  /// Reports to the feed that the device plays again after an absence.
  private func arrive() {
    guard let absence = recordFlow() else { return }
    session.gate.perform { feed.notify(absence == .lost ? .deviceReturned : .resumed) }
  }

  // MARK: Errors

  /// Counts the underruns.
  override func interrupted(by problem: StreamProblem) {
    guard problem == .late else { return }
    session.status.countXrun()
    session.gate.perform { feed.countUnderrun() }
  }

  /// Notifies the feed that nothing will be played for some time.
  override func reportAbsence(_ absence: StreamProblem) {
    feed.notify(absence == .lost ? .deviceLost : .suspended)
  }
}
#endif
