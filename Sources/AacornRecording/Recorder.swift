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
  /// The sequence is bounded: a reader more than ten seconds behind loses the oldest packets. The
  /// positions show the loss.
  public nonisolated let packets: AsyncStream<EncodedPacket>
  /// The recording's events; the last one is `stopped`.
  ///
  /// This sequence is bounded as well.
  public nonisolated let events: AsyncStream<RecorderEvent>

  private let session: RecordingSession
  private let levelFeed: LevelFeed
  private let material: RecordingMaterial
  private let outputs: [any PacketOutput]
  private let effectWork = SerialWork("effects")

  /// The maximum number of packets that wait for a reader.
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
  /// The first track sets the recording's time line, and the recording ends with this track. The
  /// devices of other tracks are kept aligned with the first track, and signals are played at its
  /// pace.
  public init(
    from tracks: [TrackSource], to outputs: [any PacketOutput] = [],
    _ configuration: RecordingConfiguration = RecordingConfiguration()
  ) {
    self.init(.tracks(tracks), to: outputs, configuration)
  }

  /// Creates a recorder from a microphone to any outputs.
  ///
  /// The microphone is found when the recording starts.
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
    session = RecordingSession(
      configuration,
      events: { event in
        eventContinuation.yield(event)
        if case .stopped = event {
          levelFeed.finish()
          eventContinuation.finish()
          packetContinuation.finish()
        }
      },
      packets: { packetContinuation.yield($0) }, sound: levelFeed)
  }

  /// Creates a recorder from a microphone to a file.
  ///
  /// The suffix chooses the format: `.m4a`, `.aac`, `.wav` or `.caf`, and M4A without a suffix.
  /// With another suffix, ``start()`` throws. The microphone, by default the system's, is found
  /// when the recording starts.
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

  /// Returns a stream of the peak and RMS of every channel, twenty times per second of audio.
  ///
  /// The stream is meant for a level meter. A slow reader gets only the newest levels. Nothing is
  /// measured before the first call.
  public nonisolated func levels() -> AsyncStream<RecordingLevels> { levelFeed.stream() }

  /// Opens the microphone and the outputs, and begins.
  ///
  /// A device may take seconds to open; no thread of Swift's concurrency waits for it. Canceling
  /// the task or calling ``stop()`` cancels the start.
  public func start() async throws(RecordingError) {
    let failure = await session.startWithoutBlocking(material, outputs: outputs)
    if let failure { throw failure }
  }

  /// The format of ``packets``, for decoders and file writers; nil before ``start()`` has returned.
  public nonisolated var packetFormat: PacketFormat? { session.state.withLock(\.packetFormat) }

  /// Ends the recording with everything that was captured up to now, and completes the files.
  @discardableResult
  public func stop() async -> RecordingSummary {
    session.stop()
    return await session.end()
  }

  /// Pauses the recording: audio from now on is omitted.
  public func pause() { session.setPaused(true) }

  /// Continues after a pause, and reconnects to a microphone that is disconnected or used by
  /// another program.
  ///
  /// After ``RecorderEvent/suspended`` or ``RecorderEvent/deviceLost`` the recorder otherwise waits
  /// for the device. The system does not always report the end of a call, so let the user call this
  /// function.
  public func resume() { session.setPaused(false) }

  /// Mutes or unmutes the recording; time keeps running.
  public func setMuted(_ isMuted: Bool) { session.setMuted(isMuted) }

  /// Sets the gain factor from now on; ignores a value that is not finite.
  public func setGain(_ gain: Float) { session.setGain(gain) }

  /// Replaces the recording's effects from now on; an empty list removes them.
  ///
  /// If the kinds of the effects and their order stay the same, the settings change gradually.
  /// Otherwise a crossfade leads to the new effects, even if their latency is longer. Either
  /// transition takes at most ten milliseconds and does not click. No sample is lost, repeated or
  /// moved. Throws and changes nothing if there are more than ``EffectDescription/maxEffectCount``
  /// effects or if one cannot be created.
  ///
  /// The library of an effect may have to be loaded first; no thread of Swift's concurrency waits
  /// for it.
  public func setEffects(_ effects: [EffectDescription]) async throws(EffectError) {
    let session = session
    try await effectWork.value {
      Result { () throws(EffectError) in try session.setEffects(effects) }
    }.get()
  }

  /// Bypasses one of the recording's effects, or ends the bypass; ignores an unknown index.
  ///
  /// The bypass also ends when ``setEffects(_:)`` changes the kinds or the order of the effects.
  public func setBypassed(_ isBypassed: Bool, effect index: Int) {
    session.setBypassed(isBypassed, effect: index)
  }

  /// Bypasses all of the recording's effects, including later ones, or ends the bypass.
  public func setBypassed(_ isBypassed: Bool) { session.setBypassed(isBypassed) }

  /// Changes the bitrate of an AAC rendition from the next packet on.
  ///
  /// Rendition 0 is the recording's coding; its further codings are renditions 1, 2 and so on.
  /// Returns false and changes nothing if
  /// ``RecordingConfiguration/adaptableBitrates(ofRendition:)`` does not contain the bitrate, or if
  /// an output has announced fixed bitrates for all renditions, as HLS does.
  @discardableResult
  public nonisolated func setBitrate(_ bitsPerSecond: Int, ofRendition rendition: Int = 0) -> Bool {
    session.setBitrate(bitsPerSecond, ofRendition: rendition)
  }

  /// Starts monitoring the recording on a device; nil stops monitoring.
  public func setMonitor(_ monitor: MonitorConfiguration?) { session.setMonitor(monitor) }

  /// Sets the volume factor of the monitor; ignores a value that is not finite.
  public func setMonitorVolume(_ volume: Float) { session.setMonitorVolume(volume) }

  /// The state of the monitor; nil if there is none.
  public var monitorStatus: MonitorStatus? { session.monitorStatus }

  /// Starts a track with its fade-in: a device becomes audible, and a signal is played from its
  /// beginning.
  ///
  /// A device that has failed stays silent, and ``RecorderEvent/trackFailed(_:_:)`` is reported
  /// again. Returns false if there is no such track.
  @discardableResult
  public func startTrack(named name: String) -> Bool { session.change(.start, of: name) }

  /// Fades out a track, which is silent until it is started again.
  ///
  /// Returns false if there is no such track.
  @discardableResult
  public func stopTrack(named name: String) -> Bool { session.change(.stop, of: name) }

  /// Stops a track that is audible, or starts it otherwise, even if it is fading out or its start
  /// offset has not been reached.
  ///
  /// Returns false if there is no such track.
  @discardableResult
  public func toggleTrack(named name: String) -> Bool { session.change(.toggle, of: name) }

  /// Sets the gain of a track in decibels, from −60 to 60.
  ///
  /// Returns false if there is no such track or the gain is out of range.
  @discardableResult
  public func setGain(_ decibels: Double, ofTrack name: String) -> Bool {
    session.change(.gain(decibels), of: name)
  }

  /// Sets the pan position of a track, from left (−1) to right (1).
  ///
  /// Returns false if there is no such track or the position is out of range.
  @discardableResult
  public func setPan(_ pan: Double, ofTrack name: String) -> Bool {
    session.change(.pan(pan), of: name)
  }

  /// Mutes or unmutes a track.
  ///
  /// Returns false if there is no such track.
  @discardableResult
  public func setMuted(_ isMuted: Bool, track name: String) -> Bool {
    session.change(.muted(isMuted), of: name)
  }

  /// Adds a track to the soloed tracks, which alone are audible, or removes it.
  ///
  /// Returns false if there is no such track.
  @discardableResult
  public func setSolo(_ isSolo: Bool, track name: String) -> Bool {
    session.change(.solo(isSolo), of: name)
  }

  /// Replaces the effects of a track from now on.
  ///
  /// If the kinds of the effects and their order stay the same, the settings change gradually.
  /// Otherwise a crossfade leads to the new effects. Either transition takes at most ten
  /// milliseconds and does not click. Returns false if there is no such track, if there are more
  /// than ``EffectDescription/maxEffectCount`` effects, or if one cannot be created.
  @discardableResult
  public func setEffects(_ effects: [EffectDescription], ofTrack name: String) async -> Bool {
    let session = session
    return await effectWork.value { session.change(.effects(effects), of: name) }
  }

  /// Bypasses one of a track's effects, or ends the bypass; ignores an unknown index.
  ///
  /// The bypass also ends when ``setEffects(_:ofTrack:)`` changes the kinds or the order of the
  /// effects. Returns false if there is no such track.
  @discardableResult
  public func setBypassed(_ isBypassed: Bool, effect index: Int, ofTrack name: String) -> Bool {
    session.change(.bypass(index, isBypassed), of: name)
  }

  /// Switches to another source without a gap; with several tracks, replaces the source of the
  /// first track.
  ///
  /// If the new source cannot be opened, the old source stays, and an event reports the reason.
  public func switchSource(to source: any CaptureSource) { session.switchSource(to: source) }

  /// Starts a new file with the next sample.
  public func startNewFile() { session.startNewSegment() }

  /// Returns the current status, with the peaks since the last call.
  public func takeStatus() -> RecordingStatus { session.takeStatus() }

  /// Messages from the source that explain its behavior.
  public var diagnostics: [String] { session.diagnostics }

  /// Waits until the recording ends by itself: after its duration, or when it cannot continue.
  public func end() async -> RecordingSummary { await session.end() }
}
