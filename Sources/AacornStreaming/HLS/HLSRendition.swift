import AacornCodec
import AacornRecording

/// One coding of the audio: its bytes, its playlist and its bitrate.
struct HLSRendition: Sendable {
  let names: HLSNames
  /// The stream's configuration and nominal bitrate, which is 0 for a variable one.
  let stream: AudioSpecificConfig
  let bitrate: Int
  var writer: HLSMediaWriter
  var playlist: HLSMediaPlaylist
  /// Packets that wait for those of the other renditions.
  var waiting: [EncodedPacket] = []
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

  init(
    names: HLSNames, stream: AudioSpecificConfig, bitrate: Int, writer: HLSMediaWriter,
    playlist: HLSMediaPlaylist
  ) {
    self.names = names
    self.stream = stream
    self.bitrate = bitrate
    self.writer = writer
    self.playlist = playlist
  }

  /// The name of the next part.
  var nextPart: String {
    names.part(playlist.growing?.parts.count ?? 0, of: playlist.nextNumber)
  }

  /// Starts another initialization section; returns its name and bytes, if the media has such.
  mutating func beginMap() -> (name: String, bytes: [UInt8])? {
    guard let bytes = writer.initialization else { return nil }
    let name = names.initialization(mapCount)
    mapCount += 1
    map = name
    return (name, bytes)
  }

  /// Ends the growing part; returns its bytes, which also go to the segment.
  mutating func takePart(remainder: Int) -> [UInt8] {
    let bytes = writer.takePart(startsSegment: segmentBytes.isEmpty, remainder: remainder)
    segmentBytes += bytes
    return bytes
  }

  /// Counts a segment's bytes and returns them.
  mutating func takeSegment(sampleCount: Int, _ grid: HLSGrid) -> [UInt8] {
    byteCount += segmentBytes.count
    self.sampleCount += sampleCount
    updatePeak(sampleCount: sampleCount, grid)
    defer { segmentBytes = [] }
    return segmentBytes
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
    let average = sampleCount > 0 ? Self.rate(byteCount, sampleCount, grid) : max(1, bitrate)
    if isComplete { return (max(peakBitrate, average), average) }
    if statedBandwidth < max(peakBitrate, average, 1) {
      let framing = 200 * grid.timing.sampleRate / grid.timing.samplesPerUnit
      statedBandwidth = max(peakBitrate, average, bitrate + framing) * 11 / 10
    }
    return (statedBandwidth, average)
  }

  /// Bits per second, rounded up.
  private static func rate(_ byteCount: Int, _ sampleCount: Int, _ grid: HLSGrid) -> Int {
    (byteCount * 8 * grid.timing.sampleRate + sampleCount - 1) / sampleCount
  }
}
