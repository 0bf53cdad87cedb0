import AacornDevices
import AacornSignal
import AacornSystem

/// The path of the audio from blocks to outputs; confined to a session's thread.
///
///     block ─► timeline ─► input stage ─► splitter ─► encode stage ─► packets ─► outputs
///               (gaps)    (rate, gain)    (files)        (AAC)
struct RecordingPipeline {
  let configuration: RecordingConfiguration
  let followsClock: Bool
  let outputs: [OutputRunner]
  let events: @Sendable (RecorderEvent) -> Void
  let packets: @Sendable (Packet) -> Void
  let sound: (@Sendable (borrowing Span<Float>) -> Void)?

  var timeline = Timeline()
  var input: InputStage
  var encoder: EncodeStage
  /// Encoders for further renditions.
  var furtherEncoders: [EncodeStage] = []
  var splitter: Splitter
  var meter: LevelMeter
  var ledger = GapLedger()
  /// Blocks that the timeline has not decided on.
  var held: [(block: CaptureBlock, samples: [Float])] = []
  /// Recording frames between the input stage and the encoder.
  var frames: [Float] = []

  /// The gap that is growing, which becomes an entry when audio returns.
  var openGap: Gap?
  /// Gaps that the outputs have not been told about.
  var freshGaps: [Gap] = []
  /// Gaps that no packet has carried yet.
  var packetGaps: [Gap] = []
  var isPaused = false
  /// Frames, at the recording's rate, left out since the pause began.
  var pausedCount = 0
  var pauseWallTime: Int64 = 0
  /// Why samples are missing, if the device is known to be away.
  var absence: Gap.Cause?
  /// Samples of a new source before this time are dropped: the old one delivered them.
  var overlapEnd: Int64?
  /// Frames of a new device to drop for the same reason.
  var repeatedCount = 0

  var segment = 0
  var hasSegment = false
  var segmentByteCount = 0
  /// How far the wall clock is ahead of the monotonic one.
  var wallOffset: Int64
  /// How long the computer had slept at the last check.
  var lastSleptTime = System.sleptNanoseconds
  var startWallTime: Int64 = 0
  var startTime: Int64?
  /// A position in the recording and when it was captured.
  var anchor: (position: Int, time: Int64) = (0, 0)
  var nextCorrection = 0
  /// Recording frames output: the recording's length so far.
  var sampleCount = 0
  /// Whether the wanted length is reached; nothing more is accepted.
  var isComplete = false
  /// Whether the source has ended.
  var hasEnded = false

  /// Whether there is nothing left to wait for.
  var isDone: Bool { isComplete || hasEnded }

  init(
    _ configuration: RecordingConfiguration, followsClock: Bool, outputs: [OutputRunner],
    events: @escaping @Sendable (RecorderEvent) -> Void,
    packets: @escaping @Sendable (Packet) -> Void,
    sound: (@Sendable (borrowing Span<Float>) -> Void)?
  ) throws(RecordingError) {
    self.configuration = configuration
    self.followsClock = followsClock
    self.outputs = outputs
    self.events = events
    self.packets = packets
    self.sound = sound
    input = InputStage(configuration)
    encoder = try EncodeStage(configuration)
    for coding in configuration.furtherCodings {
      furtherEncoders.append(try EncodeStage(configuration, coding))
    }
    splitter = Splitter(configuration)
    meter = LevelMeter(
      channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
    wallOffset = System.wallNanoseconds - System.nanoseconds
  }
}

extension RecordingPipeline {
  /// Accepts a block of samples or a notice.
  mutating func accept(
    _ block: CaptureBlock, _ samples: [Float], from device: CaptureDevice?
  ) throws(RecordingError) {
    switch block.notice {
    case .samples: try acceptSamples(block, samples, device)
    case .deviceLost:
      try settle()
      absence = .deviceLost
      timeline.expectLoss(.deviceLost)
      events(.deviceLost)
    case .suspended:
      try settle()
      absence = .suspended
      timeline.expectLoss(.suspended)
      events(.suspended)
    case .deviceReturned:
      events(.deviceReturned(device))
    case .resumed:
      events(.resumed)
    case .deviceChanged:
      timeline.expectLoss(.deviceLost)
      events(.deviceChanged(device))
    case .ended: hasEnded = true
    // The session ends with it.
    case .failed: break
    }
  }

  mutating func acceptSamples(
    _ block: CaptureBlock, _ samples: [Float], _ device: CaptureDevice?
  ) throws(RecordingError) {
    guard block.channelCount > 0, block.sampleRate > 0,
      block.frameCount > 0 || block.lostFrameCount > 0
    else { return }
    if isComplete { return }
    absence = nil
    var block = block
    var samples = samples
    if let overlapEnd { cutOverlap(&block, &samples, overlapEnd) }
    if block.frameCount == 0 && block.lostFrameCount == 0 { return }
    if startTime == nil { begin(at: block.time, device) }
    if let first = held.first, first.block.sampleRate != block.sampleRate { try settle() }
    switch timeline.accept(&block) {
    case .hold:
      held.append((block, samples))
    case .pass(let lost, let cause):
      try place(block, samples, lost: lost, cause)
    case .release(let lost, let cause):
      try release(lost: lost, cause)
      try place(block, samples, lost: 0, cause)
    case .surplus(let count, isRepeated: true):
      repeatedCount = count
      try release(lost: 0, .surplus)
      try place(block, samples, lost: 0, .surplus)
    case .surplus(let count, isRepeated: false):
      try release(lost: 0, .surplus)
      try place(block, samples, lost: 0, .surplus)
      let length = count * configuration.sampleRate / block.sampleRate
      record(
        Gap(
          position: input.position, length: length, cause: .surplus,
          wallTime: block.time + wallOffset))
    }
  }

  mutating func release(lost: Int, _ cause: Gap.Cause) throws(RecordingError) {
    let blocks = held
    held = []
    for (index, entry) in blocks.enumerated() {
      try place(entry.block, entry.samples, lost: index == 0 ? lost : 0, cause)
    }
  }

  /// Drops what the old source has already delivered.
  mutating func cutOverlap(
    _ block: inout CaptureBlock, _ samples: inout [Float], _ end: Int64
  ) {
    // Times are whole nanoseconds, so a fraction of a frame is rounded.
    let early = Int((Double(end - block.time) * 1e-9 * Double(block.sampleRate)).rounded())
    let count = min(max(0, early), block.frameCount)
    leaveOut(count, of: &block, &samples)
    if block.frameCount > 0 { overlapEnd = nil }
  }

  /// Removes frames at the beginning of a block.
  func leaveOut(_ count: Int, of block: inout CaptureBlock, _ samples: inout [Float]) {
    guard count > 0 else { return }
    samples.removeFirst(count * block.channelCount)
    block.frameCount -= count
    block.time += nanoseconds(count, block.sampleRate)
  }

  /// Prepares for another source from here on.
  mutating func changeSource() throws(RecordingError) {
    try settle()
    timeline.expectLoss(.deviceLost)
    overlapEnd = timeline.clock?.nextTime
    hasEnded = false
  }

  mutating func begin(at time: Int64, _ device: CaptureDevice?) {
    startTime = time
    // A simulated clock may start anywhere.
    if !followsClock { wallOffset = System.wallNanoseconds - time }
    startWallTime = time + wallOffset
    events(.started(device, wallTime: startWallTime))
  }

  /// Whether samples have arrived.
  var hasStarted: Bool { startTime != nil }

  /// Adds a block to the recording, after any silence that belongs before it.
  mutating func place(
    _ block: CaptureBlock, _ samples: [Float], lost: Int, _ cause: Gap.Cause
  ) throws(RecordingError) {
    if !input.takes(block) {
      let isFirst = sampleCount == 0 && frames.isEmpty && input.outputFrameCount == 0
      try input.prepare(for: block, into: &frames)
      try take()
      if !isFirst {
        events(
          .formatChanged(sampleRate: block.sampleRate, channelCount: block.channelCount))
      }
    }
    var (block, samples) = (block, samples)
    // Another device has already delivered these.
    let repeated = min(repeatedCount, block.frameCount)
    repeatedCount -= repeated
    leaveOut(repeated, of: &block, &samples)
    let known = block.lostFrameCount
    let start = block.time - nanoseconds(lost + known, block.sampleRate)
    try fill(lost, cause, at: start)
    try fill(known, Gap.Cause(block.lossCause), at: start + nanoseconds(lost, block.sampleRate))
    closeGap()
    anchor = (input.position, block.time)
    correctForWallClock(block)
    if isPaused {
      leaveOut(block.frameCount, block.sampleRate)
    } else {
      input.process(samples, into: &frames)
      try take()
    }
  }

  func nanoseconds(_ frames: Int, _ rate: Int) -> Int64 {
    Int64(Double(frames) / Double(rate) * 1e9)
  }

  /// Adds silence for lost frames to the recording.
  mutating func fill(
    _ frameCount: Int, _ cause: Gap.Cause, at time: Int64
  ) throws(RecordingError) {
    guard frameCount > 0, let clock = timeline.clock else { return }
    if isPaused { return leaveOut(frameCount, clock.sampleRate) }
    if openGap?.cause != cause { closeGap() }
    if openGap == nil {
      openGap = Gap(
        position: input.position, length: 0, cause: cause, wallTime: time + wallOffset)
    }
    var rest = frameCount
    while rest > 0 && !isComplete {
      let count = min(rest, 4096)
      input.processSilence(frameCount: count, into: &frames)
      if let start = openGap?.position { openGap?.length = input.position - start }
      try take()
      rest -= count
    }
    // Written now and then, so that a crash during a long absence leaves its entries.
    if let gap = openGap, gap.length >= 60 * configuration.sampleRate { closeGap() }
  }

  mutating func closeGap() {
    guard var gap = openGap else { return }
    openGap = nil
    // A complete recording holds only a part of it.
    if let limit = lengthLimit { gap.length = min(gap.length, limit - gap.position) }
    if gap.length > 0 { record(gap) }
  }

  mutating func record(_ gap: Gap) {
    ledger.append(gap)
    events(.gap(gap))
    freshGaps.append(gap)
  }

  /// Reports gaps whose silence has been encoded to the outputs.
  mutating func deliverGaps() {
    while let gap = freshGaps.first, !gap.isFilled || gap.position + gap.length <= sampleCount {
      for output in outputs { output.send(.gap(gap)) }
      packetGaps.append(freshGaps.removeFirst())
    }
  }

  /// Splits gaps where a segment ends, so that every file lists its own part.
  mutating func cutGaps() {
    let end = sampleCount
    for index in freshGaps.indices.reversed() {
      let gap = freshGaps[index]
      guard gap.isFilled, gap.position < end, gap.position + gap.length > end else { continue }
      freshGaps[index].length = end - gap.position
      freshGaps.insert(rest(of: gap, from: end), at: index + 1)
    }
    if let gap = openGap, gap.position < end {
      openGap?.length = end - gap.position
      closeGap()
      openGap = rest(of: gap, from: end)
    }
    deliverGaps()
  }

  func rest(of gap: Gap, from position: Int) -> Gap {
    let offset = position - gap.position
    let seconds = Double(offset) / Double(configuration.sampleRate)
    return Gap(
      position: position, length: max(0, gap.length - offset), cause: gap.cause,
      wallTime: gap.wallTime + Int64(seconds * 1e9))
  }
}
