import AacornCodec
public import AacornRecording

/// Offers a recording by HTTP Live Streaming at one or several bitrates (RFC 8216).
///
/// Frames are collected into segments, and segments are listed in playlists; a master playlist
/// lists the renditions. All renditions are cut at the same frames, so that a player can switch
/// between them at every cut. Everything is stored before the playlist that lists it, and removed
/// only long after no playlist does.
///
/// A segment or part ends when the next frame comes, one frame late: only then is it known whether
/// it is the last one, whose end is cut to the sample.
public struct HLSOutput: PacketOutput {
  /// Its display name.
  public let name: String
  /// Bytes of all segments so far.
  public private(set) var byteCount = 0
  let configuration: HLSConfiguration
  var shelves: [HLSShelf]
  var renditions: [HLSRendition] = []
  var grid: HLSGrid?
  var master: [HLSMasterPlaylist.Entry] = []
  /// The recording segment being streamed.
  private var start: SegmentStart?
  /// The growing media segment.
  private var segment = Piece()
  /// Its growing part.
  private var part = Piece()
  /// How many media segments began since the last discontinuity.
  private var gridIndex = 0
  /// Frames since the encoder's first.
  private var frameIndex = 0
  /// Whether there is a discontinuity before the next media segment.
  private var isBroken = false
  /// Samples of the encoder's delay that the edit list must still cut.
  private var primingLeft = 0
  /// Samples left out in pauses.
  private var pausedSampleCount = 0
  private var sampleCount = 0
  private var isClosed = false

  /// A stretch of frames.
  private struct Piece {
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

  /// Creates an output to stores; `name` is the folder or address to show.
  public init(_ configuration: HLSConfiguration, stores: [any HLSStore], name: String) {
    self.configuration = configuration
    self.name = name
    shelves = stores.map { HLSShelf($0) }
  }

  /// Every rendition gets a playlist.
  public var takesRenditions: Bool { true }

  /// A sleeping or busy disk may take long.
  public var patience: Duration { .seconds(60) }

  /// Checks that the stores are ready.
  public mutating func open() throws(OutputError) {
    if let fault = configuration.fault { throw OutputError(.unsupported, fault) }
    for shelf in shelves { try shelf.store.prepare(for: configuration) }
  }

  /// Begins, or continues with a new encoder.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    let formats = [segment.format] + segment.furtherFormats
    if renditions.isEmpty {
      try makeRenditions(formats, segment.wallTime)
    } else {
      try replaceWriters(formats)
      isBroken = renditions[0].playlist.hasBegun
    }
    start = segment
    gridIndex = 0
    frameIndex = 0
    primingLeft = 0
    if case .aac(_, let timing) = segment.format, configuration.media == .fragmentedMP4 {
      primingLeft = timing.priming
    }
    for index in renditions.indices {
      guard let map = renditions[index].beginMap() else { continue }
      put(map.bytes, as: map.name, of: renditions[index].playlist.nextNumber)
    }
    try checkShelves()
  }

  /// Accepts a packet of a rendition, and the frame that it completes in all of them.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    guard renditions.indices.contains(packet.rendition) else { return }
    renditions[packet.rendition].waiting.append(packet)
    while renditions.allSatisfy({ !$0.waiting.isEmpty }) { try writeFrame() }
  }

  /// Does nothing: the packets carry the gaps.
  public mutating func note(_ gap: RecordingGap) throws(OutputError) {}

  /// Completes the media segment; the playlists stay open for another segment of the recording.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try closeSegment(remainder: end.trim.remainder)
    sampleCount += end.sampleCount
    start = nil
    return nil
  }

  /// Completes the playlists.
  public mutating func abandon() -> OutputSummary? {
    if isClosed || renditions.isEmpty { return nil }
    isClosed = true
    if start != nil {
      sampleCount += max(0, segment.sampleCount)
      try? closeSegment(remainder: 0)
    }
    publishEnd()
    return OutputSummary(name: name, sampleCount: sampleCount, byteCount: byteCount)
  }

  /// Reports what others have done to what listeners are about to fetch.
  public mutating func look() throws(OutputError) -> [OutputMishap] {
    var mishaps: [OutputMishap] = []
    for shelf in shelves where shelf.failure == nil {
      mishaps += try shelf.store.look(isLast: isClosed).map { .lost(name: name, $0) }
    }
    return mishaps
  }

  // One frame of every rendition.
  private mutating func writeFrame() throws(OutputError) {
    guard let grid, let first = renditions.first?.waiting.first else { return }
    var breaksOff = false
    for gap in first.gaps where gap.cause == .deviceLost || gap.cause == .paused {
      if gap.cause == .paused { pausedSampleCount += gap.length }
      breaksOff = true
    }
    if segment.frameCount > 0 {
      let ends = grid.ends(
        segment: gridIndex, frameCount: segment.frameCount, before: frameIndex)
      if breaksOff || ends {
        try closeSegment(remainder: 0)
        gridIndex = breaksOff ? 0 : gridIndex + 1
      } else if let count = grid.framesPerPart, part.frameCount >= count {
        try closePart()
      }
    }
    if breaksOff && renditions[0].playlist.hasBegun { isBroken = true }
    let unheard = min(primingLeft, grid.timing.samplesPerUnit)
    primingLeft -= unheard
    let heard = grid.timing.samplesPerUnit - unheard
    if segment.wallTime == nil, heard > 0 { segment.wallTime = wallTime(first.position + unheard) }
    for index in renditions.indices {
      try renditions[index].writer.append(renditions[index].waiting.removeFirst())
    }
    segment.add(heard)
    part.add(heard)
    frameIndex += 1
  }

  private func wallTime(_ position: Int) -> Int64 {
    guard let start, let grid else { return 0 }
    let samples = position - start.position + pausedSampleCount
    return start.wallTime + grid.timing.nanoseconds(samples)
  }

  // The growing segment as a rendition's playlist lists it.
  private func listed(in rendition: HLSRendition) -> HLSMediaPlaylist.Segment {
    HLSMediaPlaylist.Segment(
      number: rendition.playlist.nextNumber, map: rendition.map, isDiscontinuous: isBroken,
      date: configuration.hasProgramDateTime ? segment.wallTime.map(Timestamp.iso8601) : nil)
  }

  private mutating func takePart(remainder: Int) {
    let remainder = configuration.media == .fragmentedMP4 ? remainder : 0
    segment.sampleCount -= remainder
    part.sampleCount -= remainder
    for index in renditions.indices {
      let bytes = renditions[index].takePart(remainder: remainder)
      byteCount += bytes.count
      guard grid?.framesPerPart != nil else { continue }
      let number = renditions[index].playlist.nextNumber
      let name = renditions[index].nextPart
      for shelf in shelves.indices where shelves[shelf].store.servesParts {
        shelves[shelf].put(bytes, as: name, of: number)
      }
      let start = listed(in: renditions[index])
      renditions[index].playlist.append(part: name, sampleCount: part.sampleCount, to: start)
    }
    part = Piece()
  }

  private mutating func closePart() throws(OutputError) {
    takePart(remainder: 0)
    publish(isSegmentComplete: false)
    try checkShelves()
  }

  private mutating func closeSegment(remainder: Int) throws(OutputError) {
    // Frames without audible samples do not form a segment.
    guard let grid, segment.sampleCount > remainder else {
      segment = Piece()
      part = Piece()
      return
    }
    takePart(remainder: remainder)
    for index in renditions.indices {
      let start = listed(in: renditions[index])
      let bytes = renditions[index].takeSegment(sampleCount: segment.sampleCount, grid)
      let name = renditions[index].names.segment(start.number)
      put(bytes, as: name, of: start.number)
      renditions[index].playlist.complete(start, name: name, sampleCount: segment.sampleCount)
    }
    segment = Piece()
    isBroken = false
    publish(isSegmentComplete: true)
    try checkShelves()
  }

  private mutating func put(_ bytes: [UInt8], as name: String, of number: Int) {
    for index in shelves.indices { shelves[index].put(bytes, as: name, of: number) }
  }

  // The other stores get their turn before one's failure ends the output.
  private func checkShelves() throws(OutputError) {
    if let failure = shelves.lazy.compactMap(\.failure).first { throw failure }
  }
}
