import AacornCodec
import AacornSignal
import AacornSystem

extension RecordingPipeline {
  /// Begins a new file with the next sample.
  mutating func startNewSegment() {
    if hasSegment && encoders[0].sampleCount > 0 { endSegment() }
  }

  /// Passes waiting frames to the encoder, split into segments, up to the recording's end.
  mutating func encodeFrames() throws(RecordingError) {
    if frames.isEmpty { return }
    var batch: [Float] = []
    swap(&batch, &frames)
    let channelCount = configuration.channelCount
    if let limit = lengthLimit, sampleCount + batch.count / channelCount >= limit {
      batch.removeLast(batch.count - max(0, limit - sampleCount) * channelCount)
      isComplete = true
    }
    meter.process(batch.span)
    loudness.process(batch.span)
    if !batch.isEmpty { sound?.receive(batch.span) }
    var start = 0
    while start < batch.count {
      if !hasSegment { try beginSegment() }
      let rest = batch.span.extracting(start...)
      let cut = splitter.cut(
        rest, sampleCount: encoders[0].sampleCount, byteCount: largestByteCount)
      let count = cut.map { $0 * channelCount } ?? rest.count
      for index in encoders.indices { encoders[index].encode(rest.extracting(..<count)) }
      partStage?.encode(sampleCount: count)
      sampleCount += count / channelCount
      sendPackets()
      start += count
      if cut != nil { endSegment() }
      deliverGaps()
      try checkEncoders()
    }
    batch.removeAll(keepingCapacity: true)
    swap(&batch, &frames)
  }

  /// Throws once if an encoder has failed; the earlier audio is recorded, and nothing after it.
  mutating func checkEncoders() throws(RecordingError) {
    if hasBrokenEncoder { return }
    let failures =
      [encoders.first?.failure, partStage?.failure] + encoders.dropFirst().map(\.failure)
    guard let failure = failures.compactMap(\.self).first else { return }
    hasBrokenEncoder = true
    isComplete = true
    throw failure
  }

  /// The bytes to allow for headers, and for the packets that the encoder outputs after a cut.
  private static let fixedByteCount = 32_768

  /// The current size of the largest file.
  private var largestByteCount: Int {
    fileRenditions.reduce(0) { max($0, segmentByteCounts[$1]) }
  }

  var lengthLimit: Int? {
    configuration.duration.flatMap { $0.sampleLimit(at: configuration.sampleRate) }
  }

  mutating func beginSegment() throws(RecordingError) {
    if segment > 0 || encoders[0].sampleCount > 0 {
      for index in encoders.indices { try encoders[index].begin(at: sampleCount) }
    }
    hasSegment = true
    for rendition in segmentByteCounts.indices {
      segmentByteCounts[rendition] = Self.fixedByteCount
    }
    let total = lengthLimit.map { $0 - sampleCount }
    let isCertain = splitter.segmentLength != nil || !splitter.isActive
    let length = isCertain ? [total, splitter.segmentLength].compactMap(\.self).min() : nil
    let wallTime =
      mixdown.leader.startWallTime
      + System.nanoseconds(ofFrames: Int64(sampleCount), at: configuration.sampleRate)
    let formats = encoders.map(\.format)
    for output in outputs {
      var start = SegmentStart(
        index: segment, format: formats[output.rendition], position: sampleCount,
        wallTime: wallTime,
        expectedPacketCount: length.map { encoders[output.rendition].packetCount(for: $0) })
      if output.acceptsRenditions { start.furtherFormats = Array(formats.dropFirst()) }
      output.send(.begin(start))
    }
    try partStage?.begin(segment, at: sampleCount, wallTime: wallTime, length: length)
  }

  /// Ends the file; `isLast` is true at the end of the recording.
  mutating func endSegment(isLast: Bool = false) {
    for index in encoders.indices { encoders[index].finish() }
    sendPackets()
    let trims = encoders.map(\.trim)
    cutGaps()
    for output in outputs {
      let trim = trims[output.rendition]
      var end = SegmentEnd(sampleCount: trim.sampleCount, trim: trim)
      if output.acceptsRenditions { end.furtherTrims = Array(trims.dropFirst()) }
      end.isLast = isLast
      output.send(.end(end))
    }
    partStage?.end(isLast: isLast)
    hasSegment = false
    segment += 1
  }

  mutating func sendPackets() {
    for index in encoders.indices {
      while let packet = encoders[index].nextPacket() { send(packet, rendition: index) }
    }
  }

  mutating func send(_ packet: EncodedPacket, rendition: Int) {
    var packet = packet
    packet.segment = segment
    packet.rendition = rendition
    let anchor = mixdown.leader.anchor
    packet.captureTime =
      anchor.time
      + System.nanoseconds(
        ofFrames: Int64(packet.position - anchor.position), at: configuration.sampleRate)
    packet.gaps = packetGaps[rendition]
    packetGaps[rendition].removeAll()
    // A file's tables take four bytes per frame, and fragments ten.
    segmentByteCounts[rendition] += packet.bytes.count + 14
    for output in outputs where output.acceptsRenditions || output.rendition == rendition {
      output.waitForRoom(while: mayWait)
      var packet = packet
      if !output.acceptsRenditions { packet.rendition = 0 }
      output.send(.packet(packet))
    }
    if rendition == 0 { packets(packet) }
  }

  mutating func update(_ status: inout RecordingStatus) {
    status.sampleCount = sampleCount
    status.sampleRate = configuration.sampleRate
    status.byteCount = outputs.first?.byteCount ?? 0
    status.gapCount = ledger.count
    status.filledGapCount = ledger.filledCount
    status.filledSampleCount = ledger.filledSampleCount + (mixdown.leader.openGap?.length ?? 0)
    status.driftPartsPerMillion = mixdown.leader.timeline.clock?.driftPartsPerMillion
    status.clippedSampleCount = meter.clippedSampleCount
    status.loudness = loudness.reading
    status.isPaused = mixdown.leader.isPaused
    status.isMuted = mixdown.isSilenced
    let absence = mixdown.leader.absence
    status.isDeviceLost = absence != nil
    status.isStalled = absence != nil && absence != .deviceLost
    status.isSilent = mixdown.isSilent
    // The client may not have fetched the previous status, so keep its higher peaks.
    let tracks = mixdown.takeTrackLevels()
    for index in tracks.indices {
      let before = status.tracks.indices.contains(index) ? status.tracks[index].peak : 0
      if !status.tracks.indices.contains(index) { status.tracks.append(tracks[index]) }
      status.tracks[index] = tracks[index]
      status.tracks[index].peak = max(before, tracks[index].peak)
    }
    let peaks = meter.takePeaks()
    if status.peaks.count != peaks.count { status.peaks = peaks }
    for channel in peaks.indices {
      status.peaks[channel] = max(status.peaks[channel], peaks[channel])
    }
  }

  /// The recording's summary, without the outputs.
  var summary: RecordingSummary {
    var summary = RecordingSummary()
    summary.sampleCount = sampleCount
    summary.sampleRate = configuration.sampleRate
    summary.driftPartsPerMillion = mixdown.leader.timeline.clock?.driftPartsPerMillion
    summary.clippedSampleCount = meter.clippedSampleCount
    summary.silences = mixdown.silences(upTo: sampleCount)
    summary.loudness = loudness.total
    summary.startWallTime = mixdown.leader.startWallTime
    summary.ledger = ledger
    return summary
  }
}

/// Determines the positions of new files.
struct Splitter {
  private let rule: RecordingConfiguration.Split
  private let sampleRate: Int
  private let channelCount: Int
  /// The number of consecutive samples per channel below the threshold.
  private var silentCount = 0
  /// Whether sound followed the last cut, so that each silence causes only one cut.
  private var hasSound = false

  /// The level below which audio is silence: −50 dB, below speech and above room noise.
  private static let threshold: Float = 0.003_162

  init(_ configuration: RecordingConfiguration) {
    rule = configuration.split
    sampleRate = configuration.sampleRate
    channelCount = configuration.channelCount
  }

  /// Whether the recording can have more than one file.
  var isActive: Bool { rule != .never }

  /// Samples per segment, if known.
  var segmentLength: Int? {
    guard case .every(let duration) = rule else { return nil }
    return duration.sampleLimit(at: sampleRate).map { max(1, $0) }
  }

  /// Returns the index of the first frame of `samples` in the next segment; nil without a cut.
  ///
  /// `sampleCount` is the length of the segment before the samples, `byteCount` its size.
  mutating func cut(_ samples: Span<Float>, sampleCount: Int, byteCount: Int) -> Int? {
    let frames = samples.count / channelCount
    switch rule {
    case .never: return nil
    case .every:
      guard let segmentLength, sampleCount + frames > segmentLength else { return nil }
      return max(0, segmentLength - sampleCount)
    case .bytes(let limit):
      return sampleCount > 0 && byteCount >= limit ? 0 : nil
    case .onSilence:
      return cutInSilence(samples, frameCount: frames, sampleCount: sampleCount)
    }
  }

  private mutating func cutInSilence(
    _ samples: Span<Float>, frameCount: Int, sampleCount: Int
  ) -> Int? {
    for frame in 0..<frameCount {
      var isSilent = true
      for index in frame * channelCount..<(frame + 1) * channelCount
      where abs(samples[index]) >= Self.threshold { isSilent = false }
      if !isSilent {
        silentCount = 0
        hasSound = true
        continue
      }
      silentCount += 1
      if silentCount == 2 * sampleRate && hasSound && sampleCount + frame > 0 {
        hasSound = false
        return frame
      }
    }
    return nil
  }
}

extension Duration {
  /// Returns the number of samples in this time as a limit; nil if no recording can reach it.
  func sampleLimit(at sampleRate: Int) -> Int? {
    let count = sampleCount(at: sampleRate)
    return count < Int.max - (1 << 20) ? count : nil
  }
}
