import AACFormat
import AudioCapture
import PCM
import Platform

/// The way of the sound from blocks to outputs; confined to the thread of a session.
///
///     block ─► timeline ─► input stage ─► splitter ─► encode stage ─► packets ─► outputs
///               (gaps)    (rate, gain)    (files)        (AAC)
struct RecordingPipeline {
  private let configuration: RecordingConfiguration
  private let followsClock: Bool
  private let outputs: [OutputRunner]
  private let events: @Sendable (RecorderEvent) -> Void
  private let packets: @Sendable (Packet) -> Void

  private var timeline = Timeline()
  private var input: InputStage
  private var encoder: EncodeStage
  private var splitter: Splitter
  private var meter: LevelMeter
  private(set) var ledger = GapLedger()
  /// Blocks about which the timeline has not decided.
  private var held: [(block: CaptureBlock, samples: [Float])] = []
  /// Recording frames on their way from the input stage to the encoder.
  private var frames: [Float] = []
  private var clipped: Float = 0

  /// The gap that is growing, which becomes an entry when sound comes again.
  private var openGap: Gap?
  /// Gaps of which the outputs have not been told.
  private var freshGaps: [Gap] = []
  /// Gaps that no packet has carried yet.
  private var packetGaps: [Gap] = []
  private(set) var isPaused = false
  /// Frames of the recording's rate left out since the pause began.
  private var pausedCount = 0
  private var pauseWallTime: Int64 = 0
  /// Why samples fail to come, if it is known that they do.
  private var absence: Gap.Cause?
  /// Samples of another source before this time are not taken: the old one had them.
  private var overlapEnd: Int64?
  /// Frames of another device that are not taken for the same reason.
  private var repeatedCount = 0

  private var segment = 0
  private var hasSegment = false
  private var segmentByteCount = 0
  /// What the wall clock is ahead of the monotonic one.
  private var wallOffset: Int64
  private(set) var startWallTime: Int64 = 0
  private var startTime: Int64?
  /// A position in the recording and when it was captured.
  private var anchor: (position: Int, time: Int64) = (0, 0)
  private var nextCorrection = 0
  /// Recording frames given out: the recording's length so far.
  private(set) var sampleCount = 0
  /// Whether the wanted length is reached; nothing more is taken.
  private var isComplete = false
  /// Whether the source has come to its end.
  private var hasEnded = false

  /// Whether there is nothing to wait for.
  var isDone: Bool { isComplete || hasEnded }

  init(
    _ configuration: RecordingConfiguration, followsClock: Bool, outputs: [OutputRunner],
    events: @escaping @Sendable (RecorderEvent) -> Void,
    packets: @escaping @Sendable (Packet) -> Void
  ) throws(RecordingError) {
    self.configuration = configuration
    self.followsClock = followsClock
    self.outputs = outputs
    self.events = events
    self.packets = packets
    input = InputStage(configuration)
    encoder = try EncodeStage(configuration)
    splitter = Splitter(configuration)
    meter = LevelMeter(
      channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
    wallOffset = System.wallNanoseconds - System.nanoseconds
  }
}

// MARK: - Blocks

extension RecordingPipeline {
  /// Takes a block, or what it tells.
  mutating func accept(
    _ block: CaptureBlock, _ samples: [Float], from device: CaptureDevice?
  ) throws(RecordingError) {
    switch block.notice {
    case .samples: try acceptSamples(block, samples, device)
    case .deviceLost:
      absence = .deviceLost
      timeline.expectLoss(.deviceLost)
      events(.deviceLost)
    case .suspended:
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
    case .failed: break
    }
  }

  private mutating func acceptSamples(
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
    switch timeline.accept(block) {
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

  private mutating func release(lost: Int, _ cause: Gap.Cause) throws(RecordingError) {
    let blocks = held
    held = []
    for (index, entry) in blocks.enumerated() {
      try place(entry.block, entry.samples, lost: index == 0 ? lost : 0, cause)
    }
  }

  /// Leaves out what the old source has delivered already.
  private mutating func cutOverlap(
    _ block: inout CaptureBlock, _ samples: inout [Float], _ end: Int64
  ) {
    let early = Int(Double(end - block.time) * 1e-9 * Double(block.sampleRate))
    let count = min(max(0, early), block.frameCount)
    samples.removeFirst(count * block.channelCount)
    block.frameCount -= count
    block.time += Int64(Double(count) / Double(block.sampleRate) * 1e9)
    if block.frameCount > 0 { overlapEnd = nil }
  }

  /// The source is to be another one from here on.
  mutating func changeSource() throws(RecordingError) {
    try settle()
    timeline.expectLoss(.deviceLost)
    overlapEnd = timeline.clock?.nextTime
  }

  private mutating func begin(at time: Int64, _ device: CaptureDevice?) {
    startTime = time
    // A simulated clock begins wherever it likes.
    if !followsClock { wallOffset = System.wallNanoseconds - time }
    startWallTime = time + wallOffset
    events(.started(device, wallTime: startWallTime))
  }

  /// Whether samples have come.
  var hasStarted: Bool { startTime != nil }

  /// Puts a block into the recording, after the silence that belongs before it.
  private mutating func place(
    _ block: CaptureBlock, _ samples: [Float], lost: Int, _ cause: Gap.Cause
  ) throws(RecordingError) {
    if !input.takes(sampleRate: block.sampleRate, channelCount: block.channelCount) {
      let isFirst = sampleCount == 0 && frames.isEmpty && input.outputFrameCount == 0
      try input.prepare(
        sampleRate: block.sampleRate, channelCount: block.channelCount, into: &frames)
      try take()
      if !isFirst {
        events(
          .formatChanged(sampleRate: block.sampleRate, channelCount: block.channelCount))
      }
    }
    let (block, samples) = leavingOutRepeated(block, samples)
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

  /// The block without frames of moments that another device has delivered.
  private mutating func leavingOutRepeated(
    _ block: CaptureBlock, _ samples: [Float]
  ) -> (CaptureBlock, [Float]) {
    let count = min(repeatedCount, block.frameCount)
    if count == 0 { return (block, samples) }
    repeatedCount -= count
    var rest = block
    rest.frameCount -= count
    rest.time += nanoseconds(count, block.sampleRate)
    return (rest, Array(samples.dropFirst(count * block.channelCount)))
  }

  private func nanoseconds(_ frames: Int, _ rate: Int) -> Int64 {
    Int64(Double(frames) / Double(rate) * 1e9)
  }

  /// Puts silence for lost frames into the recording.
  private mutating func fill(
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
  }

  private mutating func closeGap() {
    guard var gap = openGap else { return }
    openGap = nil
    // A recording that is complete holds only a part of it.
    if let limit = lengthLimit { gap.length = min(gap.length, limit - gap.position) }
    if gap.length > 0 { record(gap) }
  }

  private mutating func record(_ gap: Gap) {
    ledger.append(gap)
    events(.gap(gap))
    freshGaps.append(gap)
  }

  /// Tells the outputs of gaps whose silence has been encoded.
  private mutating func deliverGaps() {
    while let gap = freshGaps.first, !gap.isFilled || gap.position + gap.length <= sampleCount {
      for output in outputs { output.send(.gap(gap)) }
      packetGaps.append(freshGaps.removeFirst())
    }
  }

  /// Cuts gaps in two where a segment ends, so that every file tells of its own part.
  private mutating func cutGaps() {
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

  private func rest(of gap: Gap, from position: Int) -> Gap {
    let offset = position - gap.position
    let seconds = Double(offset) / Double(configuration.sampleRate)
    return Gap(
      position: position, length: max(0, gap.length - offset), cause: gap.cause,
      wallTime: gap.wallTime + Int64(seconds * 1e9))
  }
}

// MARK: - Time without samples

extension RecordingPipeline {
  /// Nothing came for a while.
  ///
  /// While the device is known to be away, silence keeps time.
  mutating func idle(now: Int64, isStandstill: Bool) throws(RecordingError) {
    guard followsClock, startTime != nil, !isComplete else { return }
    if isStandstill && absence == nil {
      absence = .unexplained
      timeline.expectLoss(.unexplained)
    }
    // What is late by less may still come with its samples.
    try fillAbsence(until: now - 300_000_000)
  }

  private mutating func fillAbsence(until time: Int64) throws(RecordingError) {
    guard let absence, held.isEmpty, let clock = timeline.clock else { return }
    let start = clock.nextTime
    let count = timeline.frames(until: time)
    try fill(count, absence, at: start)
  }

  /// Decides about what is held, because nothing more comes.
  private mutating func settle() throws(RecordingError) {
    let (lost, cause) = timeline.finish()
    try release(lost: lost, cause)
  }

  /// The end: everything that waits goes out.
  ///
  /// `time` is when the end was asked for; a device that is away is waited for in silence until
  /// then.
  mutating func finish(at time: Int64?) throws(RecordingError) {
    if !isComplete {
      try settle()
      if let time, followsClock { try fillAbsence(until: time) }
      closeGap()
      if isPaused { pause(false, at: System.nanoseconds) }
      input.finish(into: &frames)
      try take()
    }
    closeGap()
    if hasSegment { endSegment() }
    deliverGaps()
  }

  /// Pauses, or goes on.
  mutating func pause(_ isPaused: Bool, at time: Int64) {
    guard isPaused != self.isPaused else { return }
    self.isPaused = isPaused
    closeGap()
    if isPaused {
      pausedCount = 0
      pauseWallTime = time + wallOffset
    } else if pausedCount > 0 {
      record(
        Gap(
          position: input.position, length: pausedCount, cause: .paused, wallTime: pauseWallTime))
    }
    events(.paused(isPaused))
  }

  private mutating func leaveOut(_ frameCount: Int, _ rate: Int) {
    pausedCount += Int(
      (Double(frameCount) * Double(configuration.sampleRate) / Double(rate)).rounded())
  }

  /// Mutes, or no longer.
  mutating func mute(_ isMuted: Bool) {
    guard isMuted != input.isMuted else { return }
    input.isMuted = isMuted
    events(.muted(isMuted))
  }

  /// Multiplies with another number from here on.
  mutating func amplify(_ gain: Float) {
    input.gain = gain
  }

  /// Once a second, has the recording's length follow the computer's clock.
  private mutating func correctForWallClock(_ block: CaptureBlock) {
    guard configuration.followsWallClock, let startTime, sampleCount >= nextCorrection else {
      return
    }
    nextCorrection = sampleCount + configuration.sampleRate
    let elapsed = Double(block.time - startTime) * 1e-9 * Double(configuration.sampleRate)
    let behind = elapsed - Double(sampleCount + ledger.pausedSampleCount)
    let drift = timeline.clock?.driftPartsPerMillion ?? 0
    // A lag is made good over half a minute, slower than any ear would notice.
    let correction = behind / Double(configuration.sampleRate) / 30 * 1e6
    input.stretch(partsPerMillion: min(max(correction - drift, -1000), 1000))
  }
}

// MARK: - Segments and packets

extension RecordingPipeline {
  /// Begins a new file with the next sample.
  mutating func startNewSegment() {
    if hasSegment && encoder.sampleCount > 0 { endSegment() }
  }

  /// Passes the recording frames that wait to the encoder, cut into segments and at the end.
  private mutating func take() throws(RecordingError) {
    if frames.isEmpty { return }
    var batch: [Float] = []
    swap(&batch, &frames)
    let channelCount = configuration.channelCount
    if let limit = lengthLimit, sampleCount + batch.count / channelCount >= limit {
      batch.removeLast(batch.count - max(0, limit - sampleCount) * channelCount)
      isComplete = true
    }
    meter.process(batch.span)
    var start = 0
    while start < batch.count {
      if !hasSegment { try beginSegment() }
      let rest = batch.span.extracting(start...)
      let cut = splitter.cut(
        rest, sampleCount: encoder.sampleCount, byteCount: segmentByteCount)
      let count = cut.map { $0 * channelCount } ?? rest.count
      encoder.encode(rest.extracting(..<count))
      sampleCount += count / channelCount
      while let packet = encoder.nextPacket() { send(packet) }
      start += count
      if cut != nil { endSegment() }
      deliverGaps()
    }
    batch.removeAll(keepingCapacity: true)
    swap(&batch, &frames)
  }

  /// What a file has besides its packets, and the packets that follow a cut, at most.
  private static let fixedByteCount = 32_768

  private var lengthLimit: Int? {
    configuration.milliseconds.map { $0 * configuration.sampleRate / 1000 }
  }

  private mutating func beginSegment() throws(RecordingError) {
    if segment > 0 || encoder.sampleCount > 0 { try encoder.begin(at: sampleCount) }
    hasSegment = true
    segmentByteCount = Self.fixedByteCount
    let total = lengthLimit.map { $0 - sampleCount }
    let length = [total, splitter.segmentLength].compactMap(\.self).min()
    let isCertain = splitter.segmentLength != nil || !splitter.isActive
    let start = SegmentStart(
      index: segment, isPartOfMany: splitter.isActive || segment > 0, format: encoder.format,
      position: sampleCount,
      wallTime: startWallTime + Int64(Double(sampleCount) / Double(configuration.sampleRate) * 1e9),
      expectedPacketCount: isCertain ? length.map(encoder.packetCount) : nil)
    for output in outputs { output.send(.begin(start)) }
  }

  private mutating func endSegment() {
    let count = encoder.sampleCount
    let trim = encoder.finish()
    while let packet = encoder.nextPacket() { send(packet) }
    cutGaps()
    for output in outputs { output.send(.end(SegmentEnd(sampleCount: count, trim: trim))) }
    hasSegment = false
    segment += 1
  }

  private mutating func send(_ packet: Packet) {
    var packet = packet
    packet.segment = segment
    let distance = Double(packet.position - anchor.position) / Double(configuration.sampleRate)
    packet.captureTime = anchor.time + Int64(distance * 1e9)
    packet.gaps = packetGaps
    packetGaps.removeAll()
    // The tables of a file take four bytes a frame, and fragments ten.
    segmentByteCount += packet.bytes.count + 14
    for output in outputs { output.send(.packet(packet)) }
    packets(packet)
  }

  /// Writes what is known into a status.
  mutating func update(_ status: inout RecordingStatus) {
    status.sampleCount = sampleCount
    status.sampleRate = configuration.sampleRate
    status.byteCount = outputs.first?.byteCount ?? 0
    status.gapCount = ledger.count
    status.filledSampleCount = ledger.filledSampleCount + (openGap?.length ?? 0)
    status.driftPartsPerMillion = timeline.clock?.driftPartsPerMillion
    status.clippedSampleCount = meter.clippedSampleCount
    status.isPaused = isPaused
    status.isMuted = input.isMuted
    status.isDeviceLost = absence != nil
    let peaks = meter.takePeaks()
    if status.peaks.count != peaks.count { status.peaks = peaks }
    for channel in peaks.indices {
      status.peaks[channel] = max(status.peaks[channel], peaks[channel])
    }
  }

  /// What has become of it, without the outputs.
  var summary: RecordingSummary {
    var summary = RecordingSummary()
    summary.sampleCount = sampleCount
    summary.sampleRate = configuration.sampleRate
    summary.gapCount = ledger.count
    summary.filledSampleCount = ledger.filledSampleCount
    summary.pausedSampleCount = ledger.pausedSampleCount
    summary.driftPartsPerMillion = timeline.clock?.driftPartsPerMillion
    summary.clippedSampleCount = meter.clippedSampleCount
    summary.startWallTime = startWallTime
    return summary
  }
}
