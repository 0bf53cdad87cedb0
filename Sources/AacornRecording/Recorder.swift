public import AacornDevices
import AacornSystem

/// Records audio to AAC.
///
///     let recorder = Recorder(to: "test.m4a")
///     try await recorder.start()
///     try await Task.sleep(for: .seconds(10))
///     let summary = await recorder.stop()
///
/// A recorder makes one recording. Its actor is for control only: no audio passes through it.
public actor Recorder {
  /// The coded audio.
  ///
  /// The sequence is bounded: a reader more than ten seconds behind loses the oldest packets, as
  /// the positions show.
  public nonisolated let packets: AsyncStream<EncodedPacket>
  /// The recording's events; the last one is `stopped`.
  ///
  /// This sequence is bounded as well.
  public nonisolated let events: AsyncStream<RecorderEvent>

  private let session: RecordingSession
  private let levelFeed: LevelFeed
  private let material: RecordingMaterial
  private let outputs: [any PacketOutput]

  /// The most packets that wait for a reader.
  public static let packetLimit = 512

  /// Creates a recorder from a source to any outputs.
  public init(
    from source: any CaptureSource, to outputs: [any PacketOutput] = [],
    _ configuration: RecordingConfiguration = RecordingConfiguration()
  ) {
    self.init(.one(.source(source)), to: outputs, configuration)
  }

  /// Creates a recorder from several tracks, which are mixed, to any outputs.
  ///
  /// The first track gives the recording its time: the recording ends with it. Devices among the
  /// others are held to it, and signals are played at its pace.
  public init(
    from tracks: [TrackSource], to outputs: [any PacketOutput] = [],
    _ configuration: RecordingConfiguration = RecordingConfiguration()
  ) {
    self.init(.tracks(tracks), to: outputs, configuration)
  }

  /// Creates a recorder from a microphone to any outputs.
  ///
  /// The microphone is looked for when the recording starts.
  public init(
    from request: CaptureRequest, to outputs: [any PacketOutput] = [],
    _ configuration: RecordingConfiguration = RecordingConfiguration()
  ) {
    self.init(.one(.request(request)), to: outputs, configuration)
  }

  private init(
    _ material: RecordingMaterial, to outputs: [any PacketOutput],
    _ configuration: RecordingConfiguration
  ) {
    let (packets, packetContinuation) = AsyncStream<EncodedPacket>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.packetLimit))
    let (events, eventContinuation) = AsyncStream<RecorderEvent>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.packetLimit))
    self.packets = packets
    self.events = events
    self.material = material
    self.outputs = outputs
    let levelFeed = LevelFeed(configuration)
    self.levelFeed = levelFeed
    session = RecordingSession(configuration) { event in
      eventContinuation.yield(event)
      if case .stopped = event {
        levelFeed.finish()
        eventContinuation.finish()
        packetContinuation.finish()
      }
    } packets: { packet in
      packetContinuation.yield(packet)
    } sound: { samples in
      levelFeed.take(samples)
    }
  }

  /// A recorder from the default microphone to a file, whose suffix chooses the format: `.m4a`, `.aac`,
  /// `.wav` or `.caf`, and M4A without one.
  ///
  /// With another suffix, ``start()`` throws before the microphone is looked for. The microphone is looked for when the recording starts.
  public init(
    to path: String, request: CaptureRequest = CaptureRequest(),
    _ configuration: RecordingConfiguration = RecordingConfiguration()
  ) {
    var configuration = configuration
    let output = FileOutput(path)
    if output.format.isPCM, case .aac = configuration.coding { configuration.coding = .int16 }
    self.init(.one(.request(request)), to: [output], configuration)
  }

  deinit { session.stop() }

  /// Peak and RMS of every channel, twenty times per second of audio, for a meter.
  ///
  /// Only the newest is kept for a reader that is late. Nothing is measured before this is called.
  public nonisolated func levels() -> AsyncStream<RecordingLevels> { levelFeed.stream() }

  /// Opens the microphone and the outputs, and begins.
  ///
  /// A device may take seconds to open; no thread of Swift's concurrency waits for it. A canceled
  /// task, or ``stop()``, gives it up.
  public func start() async throws(RecordingError) {
    let (session, material, outputs) = (session, material, outputs)
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        session.begin(material, outputs: outputs) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      session.stop()
    }
    if let failure { throw failure }
  }

  /// The format of ``packets``, for decoders and writers of files; nil before ``start()`` has returned.
  public nonisolated var packetFormat: PacketFormat? { session.state.withLock(\.packetFormat) }

  /// Ends the recording with everything that was captured up to now, and completes the files.
  @discardableResult
  public func stop() async -> RecordingSummary {
    session.stop()
    return await session.end()
  }

  /// Pauses the recording: audio from now on is left out.
  public func pause() { session.setPaused(true) }

  /// Continues after a pause, and takes back a microphone that is away or that something else has.
  ///
  /// After ``RecorderEvent/suspended`` or ``RecorderEvent/deviceLost`` it is otherwise waited for,
  /// and the system does not always tell when a call is over. A person who wants to go on says so.
  public func resume() { session.setPaused(false) }

  /// Mutes or unmutes the recording; time keeps running.
  public func setMuted(_ isMuted: Bool) { session.setMuted(isMuted) }

  /// Multiplies everything that follows by a factor; one that is no finite number changes nothing.
  public func setGain(_ gain: Float) { session.setGain(gain) }

  /// Sends the recording through other effects from now on, or through none.
  ///
  /// Those of the same kinds, in the same order, move to their new numbers; others take over, even if
  /// they hear further ahead. Both is done within ten milliseconds, without a click, and no sample is
  /// lost, doubled or moved by it. It throws, and leaves the effects as they are, if these are more than
  /// ``EffectDescription/mostEffects``, or if one of them cannot be made.
  ///
  /// The code of others may have to be read first; no thread of Swift's concurrency waits for it.
  public func setEffects(_ effects: [EffectDescription]) async throws(EffectError) {
    let session = session
    let failure = await Self.onThread { () -> EffectError? in
      do throws(EffectError) {
        try session.setEffects(effects)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Takes one of the recording's effects out of the way, or back; one that there is not changes
  /// nothing.
  ///
  /// Other effects that take over are in the way.
  public func setBypassed(_ isBypassed: Bool, effect index: Int) {
    session.setBypassed(isBypassed, effect: index)
  }

  /// Takes all of the recording's effects out of the way, or back, those too that take over later.
  public func setBypassed(_ isBypassed: Bool) { session.setBypassed(isBypassed) }

  /// Changes the bitrate of a rendition of AAC from the next packet on: 0 is the recording's coding,
  /// and its further codings follow.
  ///
  /// False, and nothing changes, if ``RecordingConfiguration/adaptableBitrates(ofRendition:)`` does
  /// not contain it, or if an output offers every rendition at the bitrate that it has announced, as
  /// HLS does.
  @discardableResult
  public nonisolated func setBitrate(_ bitsPerSecond: Int, ofRendition rendition: Int = 0) -> Bool {
    session.setBitrate(bitsPerSecond, ofRendition: rendition)
  }

  /// Plays what is recorded on a device, or no longer.
  public func setMonitor(_ monitor: MonitorConfiguration?) { session.setMonitor(monitor) }

  /// How what is played comes through; nil if nothing is.
  public var monitorStatus: MonitorStatus? { session.monitorStatus }

  /// Starts a track: a device is heard, and a signal is played from its beginning, both with the
  /// track's fade.
  ///
  /// A device that has failed stays silent; ``RecorderEvent/trackFailed(_:_:)`` is told again. False
  /// if there is no such track.
  @discardableResult
  public func startTrack(named name: String) -> Bool { session.startTrack(named: name) }

  /// Stops a track, which fades out and is silent until it is started again.
  ///
  /// False if there is no such track.
  @discardableResult
  public func stopTrack(named name: String) -> Bool { session.stopTrack(named: name) }

  /// Stops a track that is heard, or else starts it: one that fades out comes back, and one that waits
  /// for its time starts now.
  ///
  /// False if there is no such track.
  @discardableResult
  public func toggleTrack(named name: String) -> Bool { session.toggleTrack(named: name) }

  /// Makes a track this many decibels louder than it comes, from −60 to 60.
  ///
  /// False if there is no such track, or if the gain is out of range.
  @discardableResult
  public func setGain(_ decibels: Double, ofTrack name: String) -> Bool {
    session.setGain(decibels, ofTrack: name)
  }

  /// Puts a track between left (−1) and right (1).
  ///
  /// False if there is no such track, or if the place is out of range.
  @discardableResult
  public func setPan(_ pan: Double, ofTrack name: String) -> Bool {
    session.setPan(pan, ofTrack: name)
  }

  /// Mutes or unmutes a track.
  ///
  /// False if there is no such track.
  @discardableResult
  public func setMuted(_ isMuted: Bool, track name: String) -> Bool {
    session.setMuted(isMuted, track: name)
  }

  /// Lets a track, and others with the same wish, be heard alone, or no longer.
  ///
  /// False if there is no such track.
  @discardableResult
  public func setSolo(_ isSolo: Bool, track name: String) -> Bool {
    session.setSolo(isSolo, track: name)
  }

  /// Sends a track through other effects from now on.
  ///
  /// Those of the same kinds, in the same order, move to their new numbers; others take over. Both is
  /// done within ten milliseconds, without a click. False if there is no such track, if these are more
  /// than ``EffectDescription/mostEffects``, or if one of them cannot be made.
  @discardableResult
  public func setEffects(_ effects: [EffectDescription], ofTrack name: String) async -> Bool {
    let session = session
    return await Self.onThread { session.setEffects(effects, ofTrack: name) }
  }

  /// Takes one of a track's effects out of the way, or back; one that there is not changes nothing.
  ///
  /// Other effects that take over are in the way. False if there is no such track.
  @discardableResult
  public func setBypassed(_ isBypassed: Bool, effect index: Int, ofTrack name: String) -> Bool {
    session.setBypassed(isBypassed, effect: index, ofTrack: name)
  }

  /// Switches to another source without a gap; with several tracks, that of the first one.
  ///
  /// If it cannot be opened, the old one stays, and an event says why.
  public func switchSource(to source: any CaptureSource) { session.switchSource(to: source) }

  /// Starts a new file with the next sample.
  public func startNewFile() { session.startNewSegment() }

  /// The current status, with the peaks since the last call.
  public func takeStatus() -> RecordingStatus { session.takeStatus() }

  /// Waits until the recording ends by itself: after its length, or when it cannot continue.
  public func end() async -> RecordingSummary { await session.end() }

  /// What comes of work that may wait for a disk, done on a thread of its own.
  private static func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { (continuation: CheckedContinuation<Value, Never>) in
      let run: @Sendable () -> Void = { continuation.resume(returning: work()) }
      // Where the system has no thread left, to wait is better than to do nothing.
      if !System.startThread(run) { run() }
    }
  }
}
