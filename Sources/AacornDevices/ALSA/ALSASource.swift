#if os(Linux)
import AacornSystem

/// Captures from an ALSA device: a card, or a plug-in that represents one.
public final class ALSASource: CaptureSource, ThreadedDevice {
  private let request: CaptureRequest
  private let maxSilenceNanoseconds: Int64
  private let id: String
  /// The library to use; nil for alsa-lib.
  private let library: ALSALibrary?
  let thread = DeviceThread<ALSASession>()

  /// Creates a source for a request without opening a device.
  public convenience init(_ request: CaptureRequest) throws(DeviceError) {
    try self.init(request, library: nil)
  }

  /// Creates a source that uses `library`, or alsa-lib if it is nil.
  ///
  /// `maxSilenceNanoseconds` is the time after which a silent device is considered dead.
  init(
    _ request: CaptureRequest, library: ALSALibrary?, maxSilenceNanoseconds: Int64 = 5_000_000_000
  ) throws(DeviceError) {
    if request.isVoiceProcessed {
      throw .noVoiceProcessing(reason: "ALSA has no echo cancellation; a sound server may have it")
    }
    self.request = request
    self.maxSilenceNanoseconds = maxSilenceNanoseconds
    id = request.device.pinnedID ?? "default"
    self.library = library
  }

  /// Always true: a device without a clock is read in real time.
  public var followsClock: Bool { true }

  /// Opens the device and starts capturing; throws if it cannot be opened.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    let (request, maxSilenceNanoseconds) = (request, maxSilenceNanoseconds)
    try thread.start(id, ALSASession(id, library)) { session in
      ALSACapture(session, sink, request, maxSilenceNanoseconds: maxSilenceNanoseconds).run()
    }
  }
}

/// The thread of an ``ALSASource``, which reads the device.
final class ALSACapture: ALSADeviceMonitor {
  private let sink: CaptureSink
  private var timeline = ALSATimeline()

  init(
    _ session: ALSASession, _ sink: CaptureSink, _ request: CaptureRequest,
    maxSilenceNanoseconds: Int64
  ) {
    self.sink = sink
    super.init(
      session, for: ALSAParameters(request), isDefault: request.device == .followingDefault,
      maxSilenceNanoseconds: maxSilenceNanoseconds)
  }

  /// Adds diagnostics about unusual properties of the device.
  override func inspectDevice(at stream: ALSAStream) {
    let setup = stream.setup
    session.period.store(setup.period, ordering: .releasing)
    if setup.significantBitCount > 24 {
      session.status.addDiagnostic(
        "“\(id)” delivers \(setup.significantBitCount) bits per sample, of which 24 are kept.")
    }
    if setup.countsOverruns == false {
      session.status.addDiagnostic(
        "“\(id)” does not count overruns; losses are estimated by the clock.")
    }
  }

  // MARK: Samples

  /// Waits for samples or errors and handles them.
  override func flow(_ stream: ALSAStream) {
    guard wait(for: stream) else { return }
    var count = stream.available()
    // Some plug-ins wake this thread for every frame, or without any frame. Pausing limits the
    // number of wake-ups.
    let missing = stream.setup.blockFrameCount - count
    if count >= 0 && missing > 0 {
      session.wait(milliseconds: 1 + missing * 1000 / stream.setup.sampleRate)
      if session.endTime != nil { return }
      count = stream.available()
    }
    if count < 0 { return recover(stream, from: count) }
    if count > 0 && !isStalled(with: count, stream) { return take(count, from: stream) }
    if isDead { close() }
  }

  /// Whether the device stalls with less than a block of frames, whose capture time is unknown.
  ///
  /// The time is shorter than a wait for samples.
  private func isStalled(with count: Int, _ stream: ALSAStream) -> Bool {
    count < stream.setup.blockFrameCount
      && System.nanoseconds - lastFlow > 400_000_000 + stream.setup.period
  }

  /// Reads the available frames and delivers them.
  private func take(_ available: Int, from stream: ALSAStream) {
    let setup = stream.setup
    var left = available
    if setup.countsOverruns && left > setup.bufferFrameCount {
      // The device will soon overwrite the oldest block in the buffer, so skip that block too.
      let count = stream.skip(left - setup.bufferFrameCount + setup.blockFrameCount)
      if count <= 0 { return recover(stream, from: count) }
      lose(count, setup)
      left -= count
    }
    if pace.detectMissingClock(left, at: System.nanoseconds) {
      session.status.addDiagnostic(
        "“\(id)” has no clock. Times are derived from the sample count at the nominal rate.")
    }
    var (time, isReliable) = stream.nextFrameTime(ofAtLeast: left)
    while left > 0 && pace.delayMilliseconds(at: System.nanoseconds) == 0 {
      let count = stream.read(left)
      if count < 0 { return recover(stream, from: count) }
      if count == 0 { return session.wait(milliseconds: 10) }
      // During the read the device may have wrapped around and overwritten the samples.
      if setup.countsOverruns && stream.available() + count > setup.bufferFrameCount {
        return lose(count, setup)
      }
      if pace.isUntimed { (time, isReliable) = (pace.nextFrameTime, false) }
      deliver(count, of: stream, at: time, isReliable: isReliable)
      time += ALSATimeline.nanoseconds(count, setup.sampleRate)
      left -= count
    }
  }

  private func lose(_ count: Int, _ setup: ALSASetup) {
    timeline.lose(count, sampleRate: setup.sampleRate)
    pace.pass(count)
  }

  private func deliver(
    _ count: Int, of stream: ALSAStream, at time: Int64, isReliable: Bool
  ) {
    let setup = stream.setup
    var block = timeline.block(
      frameCount: count, channelCount: setup.channelCount, sampleRate: setup.sampleRate,
      time: time, isTimeReliable: isReliable)
    block.layout = setup.layout
    let absence = recordFlow()
    session.gate.perform {
      if let absence { sink.notify(absence == .lost ? .deviceReturned : .resumed, time: time) }
      unsafe sink.write(block, UnsafeRawBufferPointer(stream.samples), setup.format)
    }
    pace.pass(count)
    lastFlow = System.nanoseconds
  }

  /// Delivers the frames captured before the requested end, some of which may arrive later.
  override func finish(_ stream: ALSAStream) {
    guard let end = session.endTime, !pace.isUntimed else { return }
    // If the device's position advances in whole periods, it lags by up to one period.
    // `stop` waits a little longer (`ALSASession.endTimeout`).
    let period = stream.setup.period
    let deadline = end + 400_000_000 + period
    while self.stream != nil {
      let count = stream.available()
      if count < 0 || isStalled(with: count, stream) { return }
      if count > 0 { take(count, from: stream) }
      let now = System.nanoseconds
      let hasCapturedEnd = stream.nextFrameTime(ofAtLeast: 0).time >= end && now >= end + period
      if hasCapturedEnd || now > deadline || faultCount > 0 { return }
      System.sleep(milliseconds: 2)
    }
  }

  // MARK: Errors

  /// Records that frames are missing from the current position on.
  override func interrupted(by problem: StreamProblem) {
    switch problem {
    case .late: timeline.interrupt(.overrun)
    case .asleep: timeline.interrupt(.suspended)
    case .lost: timeline.interrupt(.deviceLost)
    }
  }

  /// Notifies the sink that no samples will arrive for some time.
  override func reportAbsence(_ absence: StreamProblem) {
    sink.notify(absence == .lost ? .deviceLost : .suspended, time: System.nanoseconds)
  }
}
#endif
