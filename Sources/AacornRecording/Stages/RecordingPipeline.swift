import AacornDevices
import AacornSignal
import AacornSystem

/// The path of the audio from blocks to outputs; confined to a session's thread.
///
///     block ─► source track ─► mixdown ─► effects ─► splitter ─► encode stage ─► outputs
///             (time, gaps, rate)  │                  (files)       (packets)
///                                 └─► part stage ─► a file for each track
struct RecordingPipeline {
  let configuration: RecordingConfiguration
  let followsClock: Bool
  /// Whether the source can wait for slow outputs.
  let mayWait: @Sendable () -> Bool
  let outputs: [OutputRunner]
  let events: @Sendable (RecorderEvent) -> Void
  let packets: @Sendable (EncodedPacket) -> Void
  let sound: (any SampleListener)?

  var mixdown: Mixdown
  /// The effects of the mix, which can be replaced during the recording.
  var effects: EffectRack
  /// The encoding of tracks to separate files; nil without these.
  var partStage: PartStage?
  /// The encoders of all renditions.
  var encoders: [EncodeStage] = []
  var splitter: Splitter
  var meter: LevelMeter
  var loudness: LoudnessStage
  var ledger = GapLedger()
  /// Frames between the mix and the encoder.
  var frames: [Float] = []

  /// Gaps that have not been reported to the outputs.
  var unreportedGaps: [RecordingGap] = []
  /// Gaps that no packet contains yet, for every rendition.
  var packetGaps: [[RecordingGap]]

  var segment = 0
  var hasSegment = false
  /// The number of bytes of every rendition in the segment.
  var segmentByteCounts: [Int]
  /// The renditions of outputs that accept only one.
  let fileRenditions: Set<Int>
  /// The number of recording frames that have been output: the current length of the recording.
  var sampleCount = 0
  /// Whether the requested duration is reached; no more samples are accepted.
  var isComplete = false
  /// Whether an encoder's failure has been reported.
  var hasBrokenEncoder = false

  var isDone: Bool { isComplete || mixdown.hasEnded }

  var hasStarted: Bool { mixdown.leader.hasStarted }

  init(
    _ configuration: RecordingConfiguration, followsClock: Bool, outputs: [OutputRunner],
    events: @escaping @Sendable (RecorderEvent) -> Void,
    packets: @escaping @Sendable (EncodedPacket) -> Void,
    sound: (any SampleListener)?,
    mixdown: Mixdown? = nil, partOutputs: [OutputRunner] = [],
    makeEncoder: EncodeStage.EncoderFactory? = nil,
    isStopping: @escaping @Sendable () -> Bool = { false }
  ) throws(RecordingError) {
    // A source without a clock can wait for slow outputs, until the recording is stopped.
    let mayWait: @Sendable () -> Bool = { !followsClock && !isStopping() }
    self.mayWait = mayWait
    self.configuration = configuration
    self.followsClock = followsClock
    self.outputs = outputs
    self.events = events
    self.packets = packets
    self.sound = sound
    self.mixdown = mixdown ?? Mixdown(SourceTrack(configuration, followsClock: followsClock))
    if !partOutputs.isEmpty {
      partStage = try PartStage(
        configuration, mayWait: mayWait, partOutputs, makeEncoder: makeEncoder)
    }
    for coding in configuration.codings {
      encoders.append(try EncodeStage(configuration, coding, makeEncoder: makeEncoder))
    }
    packetGaps = Array(repeating: [], count: encoders.count)
    segmentByteCounts = Array(repeating: 0, count: encoders.count)
    let single = Set(outputs.filter { !$0.acceptsRenditions }.map(\.rendition))
    fileRenditions = single.isEmpty ? [0] : single
    effects = try configuration.rack(of: configuration.effects)
    splitter = Splitter(configuration)
    meter = LevelMeter(
      channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
    loudness = LoudnessStage(
      channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
  }

  /// Accepts a block of samples or an event of the source.
  mutating func accept(
    _ block: CaptureBlock, _ samples: [Float], from device: Device?
  ) throws(RecordingError) {
    if isComplete && block.event == nil { return }
    mixdown.leader.accept(block, samples, from: device)
    try work()
  }

  /// Handles a period without blocks.
  mutating func idle(now: Int64, isStalled: Bool) throws(RecordingError) {
    if isComplete { return }
    mixdown.leader.idle(now: now, isStalled: isStalled)
    try work()
  }

  /// Changes the first track, and processes what follows from the change.
  mutating func changeLeader(_ change: (inout SourceTrack) -> Void) throws(RecordingError) {
    change(&mixdown.leader)
    try work()
  }

  /// Finishes the recording and outputs all waiting frames.
  ///
  /// `time` is the time at which the end was requested; if the device is missing, silence fills the
  /// time until then.
  mutating func finish(at time: Int64?) throws(RecordingError) {
    if !isComplete {
      mixdown.end(at: time)
      try work()
      effects.finish(into: &frames)
      try encodeFrames()
    }
    mixdown.closeGaps()
    reportEvents()
    if hasSegment { endSegment(isLast: true) }
    deliverGaps()
    try checkEncoders()
  }

  /// Applies the client's settings, and its requests since the last call.
  mutating func apply(_ controls: RecordingSession.Controls) {
    mixdown.pause(controls.isPaused, at: System.nanoseconds)
    reportEvents()
    mixdown.mute(controls.isMuted)
    reportEvents()
    mixdown.setGain(controls.gain)
    for (track, change) in controls.trackChanges { mixdown.apply(change, to: track) }
    for change in controls.effectChanges { change(&effects) }
    setBitrates(controls.bitrates)
  }

  /// Changes bitrates, by rendition, unless an output has announced fixed bitrates.
  private mutating func setBitrates(_ bitrates: [Int: Int]) {
    if outputs.contains(where: { $0.acceptsRenditions }) { return }
    for (rendition, bitrate) in bitrates where encoders.indices.contains(rendition) {
      encoders[rendition].setBitrate(bitrate)
    }
  }

  /// Processes the tracks' pending work and passes on the results.
  private mutating func work() throws(RecordingError) {
    var failure: RecordingError?
    while !isComplete {
      do throws(RecordingError) {
        guard try mixdown.advance() else { break }
      } catch {
        // Record the audio before the error nevertheless.
        failure = error
        mixdown.leader.work = []
      }
      reportEvents()
      mixdown.take(into: &frames)
      effects.process(&frames)
      partStage?.append(mixdown.parts)
      try encodeFrames()
    }
    reportEvents()
    if let failure { throw failure }
  }

  private mutating func reportEvents() {
    for event in mixdown.takeEvents() {
      if case .gap(let gap) = event { record(gap) } else { events(event) }
    }
  }

  private mutating func record(_ gap: RecordingGap) {
    var gap = gap
    // The end of the recording may cut the gap.
    if gap.isFilled, let limit = lengthLimit { gap.length = min(gap.length, limit - gap.position) }
    guard gap.length > 0 else { return }
    ledger.append(gap)
    events(.gap(gap))
    unreportedGaps.append(gap)
  }

  /// Reports to the outputs the gaps whose silence has been encoded.
  mutating func deliverGaps() {
    if unreportedGaps.isEmpty { return }
    var waiting: [RecordingGap] = []
    for gap in unreportedGaps {
      // A gap with silence is due when all of it is encoded, so a long gap of one track does not
      // delay the gaps of others. Gaps without silence keep their order.
      let isDue =
        gap.isFilled
        ? gap.position + gap.length <= sampleCount
        : waiting.isEmpty || gap.position <= sampleCount
      guard isDue else {
        waiting.append(gap)
        continue
      }
      for output in outputs { output.send(.gap(gap)) }
      partStage?.record(gap, mixdown.faders.map(\.configuration.name))
      for rendition in packetGaps.indices { packetGaps[rendition].append(gap) }
    }
    unreportedGaps = waiting
  }

  /// Splits gaps at the end of a segment, so that every file lists its own part.
  mutating func cutGaps() {
    let end = sampleCount
    for index in unreportedGaps.indices.reversed() {
      let gap = unreportedGaps[index]
      guard gap.isFilled, gap.position < end, gap.position + gap.length > end else { continue }
      unreportedGaps[index].length = end - gap.position
      unreportedGaps.insert(gap.remainder(from: end, at: configuration.sampleRate), at: index + 1)
    }
    mixdown.cutGaps(at: end)
    reportEvents()
    deliverGaps()
  }
}
