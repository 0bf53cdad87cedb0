import AacornCodec
import AacornRecording

/// One coding of the audio: its bytes, its playlist and its bitrate.
struct HLSRendition: Sendable {
  let names: HLSNames
  /// The stream's configuration and timing, whose bitrate is 0 for a variable one.
  let stream: AudioSpecificConfig
  let timing: StreamTiming
  /// How its frames keep step with those of the rendition that leads.
  let step: HLSCadence.Step
  var writer: HLSMediaWriter
  var playlist: HLSMediaPlaylist
  /// Packets that wait for those of the other renditions.
  var waiting: [EncodedPacket] = []
  /// Frames since the encoder's first.
  private(set) var frameIndex = 0
  /// Samples of the encoder's delay that the edit list must still cut.
  private var primingLeft = 0
  /// The growing segment.
  private(set) var segment = Piece()
  /// Its growing part.
  private(set) var part = Piece()
  /// The parts of the growing segment.
  var segmentBytes: [UInt8] = []
  /// Initialization sections so far.
  private(set) var mapCount = 0
  /// The name of the current one.
  private(set) var map: String?
  private var byteCount = 0
  private var sampleCount = 0
  /// The highest bitrate of consecutive segments that last about a target duration.
  private var peakBitrate = 0
  /// The last segments, as far as a later one can be consecutive with them.
  private var recent: [(byteCount: Int, sampleCount: Int)] = []
  /// The highest bandwidth stated to listeners.
  private var statedBandwidth = 0

  /// A stretch of frames.
  struct Piece: Sendable {
    /// Frames with audible samples.
    var frameCount = 0
    /// Audible samples.
    var sampleCount = 0
    /// The wall clock at its start.
    var wallTime: Int64?

    mutating func add(_ heard: Int) {
      if heard > 0 { frameCount += 1 }
      sampleCount += heard
    }
  }

  init(
    names: HLSNames, stream: AudioSpecificConfig, timing: StreamTiming, step: HLSCadence.Step,
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

  /// Prepares for the first frame of an encoder, whose delay is not heard if there is an edit list.
  mutating func beginEncoder(hasEdits: Bool) {
    frameIndex = 0
    primingLeft = hasEdits ? timing.priming : 0
    waiting = []
  }

  /// How many of its frames come with one of the rendition that leads, after those before it.
  func frameCount(besides frame: Int) -> Int {
    max(0, step.frameCount(before: frame + 1) - frameIndex)
  }

  /// The position in the recording of the first sample that is heard of the next frame; nil if none
  /// is, or the segment has a first one already.
  var startOfSegment: Int? {
    guard segment.wallTime == nil, let packet = waiting.first,
      primingLeft < timing.samplesPerUnit
    else { return nil }
    return packet.position + primingLeft
  }

  /// Takes the next frame; `wallTime` is when the segment began, if it begins with it.
  mutating func takeFrame(wallTime: Int64?) throws(OutputError) {
    let unheard = min(primingLeft, timing.samplesPerUnit)
    primingLeft -= unheard
    segment.wallTime = segment.wallTime ?? wallTime
    try writer.append(waiting.removeFirst())
    segment.add(timing.samplesPerUnit - unheard)
    part.add(timing.samplesPerUnit - unheard)
    frameIndex += 1
  }

  /// Forgets the growing segment.
  mutating func dropSegment() {
    segment = Piece()
    part = Piece()
  }

  /// Starts another initialization section; returns its name and bytes, if the media has such.
  mutating func beginMap() -> (name: String, bytes: [UInt8])? {
    guard let bytes = writer.initialization else { return nil }
    let name = names.initialization(mapCount)
    mapCount += 1
    map = name
    return (name, bytes)
  }

  /// Ends the growing part; returns its length in samples and its bytes, which also go to the
  /// segment.
  mutating func takePart(remainder: Int) -> (sampleCount: Int, bytes: [UInt8]) {
    let bytes = writer.takePart(startsSegment: segmentBytes.isEmpty, remainder: remainder)
    segmentBytes += bytes
    segment.sampleCount -= remainder
    let sampleCount = part.sampleCount - remainder
    part = Piece()
    return (sampleCount, bytes)
  }

  /// Ends the growing segment; returns its length in samples and its bytes.
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

  /// The peak is that of any consecutive segments that last from a half to one and a half target
  /// durations (RFC 8216, 4.1); those that end with the new segment are examined here.
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

  /// The bitrates to state in the master playlist.
  ///
  /// Until everything is known they are estimates, and the peak must not be too low (RFC 8216,
  /// 4.3.4.2); it is raised by a tenth more than needed, so that it is not raised often.
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

  /// Bits per second, rounded up.
  private static func rate(_ byteCount: Int, _ sampleCount: Int, _ grid: HLSGrid) -> Int {
    (byteCount * 8 * grid.timing.sampleRate + sampleCount - 1) / sampleCount
  }
}
