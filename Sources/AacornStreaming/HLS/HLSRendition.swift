import AacornCodec
import AacornRecording

/// One encoding of the audio, with its writer, playlist and bitrate.
struct HLSRendition: Sendable {
  let names: HLSNames
  /// The configuration and timing of the stream.
  ///
  /// The bitrate in `timing` is 0 if it is variable.
  let stream: AudioSpecificConfig
  let timing: StreamTiming
  /// The alignment of the frames with the leader's frames.
  let step: SegmentAlignment.Step
  var writer: HLSMediaWriter
  var playlist: HLSMediaPlaylist
  /// The packets that wait for matching packets of the other renditions.
  var waiting: [EncodedPacket] = []
  /// The number of frames since the start of the encoder.
  private(set) var frameIndex = 0
  /// The number of samples of the encoder's delay that the edit list must still skip.
  private var primingLeft = 0
  /// The growing segment.
  private(set) var segment = Extent()
  /// The growing part of `segment`.
  private(set) var part = Extent()
  /// The bytes of the complete parts of the growing segment.
  var segmentBytes: [UInt8] = []
  /// The number of initialization sections since the start.
  private(set) var initializationCount = 0
  /// The name of the current initialization section.
  private(set) var initializationName: String?
  private var byteCount = 0
  private var sampleCount = 0
  /// The maximum bitrate of consecutive segments that last about a target duration.
  private var peakBitrate = 0
  /// The latest segments, which may be part of a run that a later segment ends.
  private var recent: [(byteCount: Int, sampleCount: Int)] = []
  /// The highest bandwidth stated in a master playlist, in bits per second.
  private var statedBandwidth = 0

  /// The duration and start of a growing segment or part.
  struct Extent: Sendable {
    /// The number of frames with audible samples.
    var frameCount = 0
    /// The number of audible samples.
    var sampleCount = 0
    /// The wall-clock time at the start, in nanoseconds since 1970.
    var wallTime: Int64?

    mutating func add(_ playedSampleCount: Int) {
      if playedSampleCount > 0 { frameCount += 1 }
      sampleCount += playedSampleCount
    }
  }

  init(
    names: HLSNames, stream: AudioSpecificConfig, timing: StreamTiming, step: SegmentAlignment.Step,
    writer: HLSMediaWriter, playlist: HLSMediaPlaylist
  ) {
    self.names = names
    self.stream = stream
    self.timing = timing
    self.step = step
    self.writer = writer
    self.playlist = playlist
  }

  /// The name of the next part.
  var nextPart: String {
    names.part(playlist.growing?.parts.count ?? 0, of: playlist.nextNumber)
  }

  /// Prepares for the first frame of an encoder.
  ///
  /// An edit list, if there is one, skips the encoder's delay.
  mutating func beginEncoder(hasEdits: Bool) {
    frameIndex = 0
    primingLeft = hasEdits ? timing.priming : 0
    waiting = []
  }

  /// Returns the number of frames of this rendition that match the leader's frame `frame` and are
  /// not written yet.
  func frameCount(besides frame: Int) -> Int {
    max(0, step.frameCount(before: frame + 1) - frameIndex)
  }

  /// The position in the recording of the first audible sample of the next frame.
  ///
  /// Nil if the frame has no audible sample, or if the segment already has a start.
  var startOfSegment: Int? {
    guard segment.wallTime == nil, let packet = waiting.first,
      primingLeft < timing.samplesPerUnit
    else { return nil }
    return packet.position + primingLeft
  }

  /// Appends the next frame to the segment.
  ///
  /// `wallTime` is the start of the segment if the frame begins one.
  mutating func takeFrame(wallTime: Int64?) throws(OutputError) {
    let primingSampleCount = min(primingLeft, timing.samplesPerUnit)
    primingLeft -= primingSampleCount
    segment.wallTime = segment.wallTime ?? wallTime
    try writer.append(waiting.removeFirst())
    segment.add(timing.samplesPerUnit - primingSampleCount)
    part.add(timing.samplesPerUnit - primingSampleCount)
    frameIndex += 1
  }

  /// Discards the growing segment.
  mutating func dropSegment() {
    segment = Extent()
    part = Extent()
  }

  /// Starts another initialization section, and returns its name and bytes.
  ///
  /// Returns nil if the format has none.
  mutating func beginInitialization() -> (name: String, bytes: [UInt8])? {
    guard let bytes = writer.initialization else { return nil }
    let name = names.initialization(initializationCount)
    initializationCount += 1
    initializationName = name
    return (name, bytes)
  }

  /// Ends the growing part, and returns its duration in samples and its bytes.
  ///
  /// The segment includes the bytes, too.
  mutating func finishPart(remainder: Int) -> (sampleCount: Int, bytes: [UInt8]) {
    let bytes = writer.finishPart(startsSegment: segmentBytes.isEmpty, remainder: remainder)
    segmentBytes += bytes
    segment.sampleCount -= remainder
    let sampleCount = part.sampleCount - remainder
    part = Extent()
    return (sampleCount, bytes)
  }

  /// Ends the growing segment, and returns its duration in samples and its bytes.
  mutating func takeSegment(_ grid: HLSGrid) -> (sampleCount: Int, bytes: [UInt8]) {
    let sampleCount = segment.sampleCount
    byteCount += segmentBytes.count
    self.sampleCount += sampleCount
    updatePeak(sampleCount: sampleCount, grid)
    defer {
      segmentBytes = []
      dropSegment()
    }
    return (sampleCount, segmentBytes)
  }

  /// Updates the peak bitrate with the runs that end with the new segment.
  ///
  /// The peak is the maximum over consecutive segments that last from 0.5 to 1.5 target durations
  /// (RFC 8216, 4.1).
  private mutating func updatePeak(sampleCount: Int, _ grid: HLSGrid) {
    recent.append((segmentBytes.count, sampleCount))
    let target = grid.targetDuration * grid.timing.sampleRate
    var row = (byteCount: 0, sampleCount: 0)
    for index in recent.indices.reversed() {
      row.byteCount += recent[index].byteCount
      row.sampleCount += recent[index].sampleCount
      if 2 * row.sampleCount > 3 * target {
        recent.removeFirst(index + 1)
        return
      }
      if 2 * row.sampleCount >= target {
        peakBitrate = max(peakBitrate, Self.rate(row.byteCount, row.sampleCount, grid))
      }
    }
  }

  /// Returns the bitrates for the master playlist.
  ///
  /// The bitrates are estimates until the presentation is complete. The peak must not be too low
  /// (RFC 8216, 4.3.4.2). It is raised by a tenth more than necessary, so that it rarely changes.
  mutating func bandwidth(_ grid: HLSGrid, isComplete: Bool) -> (peak: Int, average: Int) {
    let bitrate = timing.nominalBitrate
    let average = sampleCount > 0 ? Self.rate(byteCount, sampleCount, grid) : max(1, bitrate)
    if isComplete { return (max(peakBitrate, average), average) }
    if statedBandwidth < max(peakBitrate, average, 1) {
      let framing = 200 * timing.sampleRate / timing.samplesPerUnit
      statedBandwidth = max(peakBitrate, average, bitrate + framing) * 11 / 10
    }
    return (statedBandwidth, average)
  }

  /// Returns the bitrate in bits per second, rounded up.
  private static func rate(_ byteCount: Int, _ sampleCount: Int, _ grid: HLSGrid) -> Int {
    (byteCount * 8 * grid.timing.sampleRate + sampleCount - 1) / sampleCount
  }
}
