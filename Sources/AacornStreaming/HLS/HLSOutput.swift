import AacornCodec
public import AacornRecording

/// Offers a recording by HTTP Live Streaming at one or several bitrates (RFC 8216).
///
/// Frames are collected into segments, and segments are listed in playlists; a master playlist
/// lists the renditions. All renditions are cut at the same frames, so that a player can switch
/// between them at every cut; those of another profile are cut at the nearest ones (`HLSCadence`),
/// and their dates and durations say where that is. Everything is stored before the playlist that
/// lists it, and removed only long after no playlist does.
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
  /// The rendition whose frames decide where to cut.
  var leader = 0
  var master: [HLSMasterPlaylist.Entry] = []
  /// The recording segment being streamed.
  private var start: SegmentStart?
  /// How many media segments began since the last discontinuity.
  private var gridIndex = 0
  /// Whether there is a discontinuity before the next media segment.
  private var isBroken = false
  /// Samples left out in pauses.
  private var pausedSampleCount = 0
  private var sampleCount = 0
  private var isClosed = false
  /// Whether it was told that a store has failed.
  private var hasToldFailure = false

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
    for index in renditions.indices {
      renditions[index].beginEncoder(hasEdits: configuration.media == .fragmentedMP4)
      guard let map = renditions[index].beginMap() else { continue }
      put(map.bytes, as: map.name, of: renditions[index].playlist.nextNumber)
    }
    try checkShelves()
  }

  /// Accepts a packet of a rendition, and the frames that it completes in all of them.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    guard renditions.indices.contains(packet.rendition) else { return }
    renditions[packet.rendition].waiting.append(packet)
    while hasStep { try writeStep() }
  }

  /// Does nothing: the packets carry the gaps.
  public mutating func note(_ gap: RecordingGap) throws(OutputError) {}

  /// Completes the media segment; the playlists stay open for another segment of the recording.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    // The encoders of different profiles do not end at the same moment.
    while renditions.indices.contains(leader), !renditions[leader].waiting.isEmpty {
      try writeStep()
    }
    for index in renditions.indices {
      while !renditions[index].waiting.isEmpty { try takeFrame(of: index) }
    }
    try closeSegment([end.trim] + end.furtherTrims)
    sampleCount += end.sampleCount
    start = nil
    return nil
  }

  /// Completes the playlists.
  public mutating func abandon() -> OutputSummary? {
    if isClosed || renditions.isEmpty { return nil }
    isClosed = true
    if start != nil {
      sampleCount += max(0, renditions[0].segment.sampleCount)
      try? closeSegment()
    }
    publishEnd()
    return OutputSummary(name: name, sampleCount: sampleCount, byteCount: byteCount)
  }

  /// Reports what others have done to what listeners are about to fetch.
  public mutating func look() throws(OutputError) -> [OutputMishap] {
    // What fails while the playlists are completed is learned of here.
    if isClosed && !hasToldFailure { try checkShelves() }
    var mishaps: [OutputMishap] = []
    for shelf in shelves where shelf.failure == nil {
      mishaps += try shelf.store.look(isLast: isClosed).map { .lost(name: name, $0) }
    }
    return mishaps
  }

  /// Whether the leader's next frame has come, and with it those of the other renditions.
  private var hasStep: Bool {
    guard renditions.indices.contains(leader) else { return false }
    let frame = renditions[leader].frameIndex
    return renditions.allSatisfy { $0.waiting.count >= $0.frameCount(besides: frame) }
  }

  // One frame of the leader, and the frames of the others that come with it.
  private mutating func writeStep() throws(OutputError) {
    guard let grid else { return }
    let frame = renditions[leader].frameIndex
    var breaksOff = false
    for packet in renditions[0].waiting.prefix(renditions[0].frameCount(besides: frame)) {
      // The packets of every rendition carry the same gaps.
      for gap in packet.gaps where gap.cause == .deviceLost || gap.cause == .paused {
        if gap.cause == .paused { pausedSampleCount += gap.length }
        breaksOff = true
      }
    }
    // What is cut has sound in all renditions, and so has what follows.
    if renditions.allSatisfy({ $0.segment.frameCount > 0 && !$0.waiting.isEmpty }) {
      let ends = grid.ends(
        segment: gridIndex, frameCount: renditions[leader].segment.frameCount, before: frame)
      if breaksOff || ends {
        try closeSegment()
        gridIndex = breaksOff ? 0 : gridIndex + 1
      } else if let count = grid.framesPerPart, renditions[leader].part.frameCount >= count {
        try closePart()
      }
    }
    if breaksOff && renditions[0].playlist.hasBegun { isBroken = true }
    for index in renditions.indices {
      let count = renditions[index].frameCount(besides: frame)
      for _ in 0..<min(count, renditions[index].waiting.count) {
        try takeFrame(of: index)
      }
    }
  }

  private mutating func takeFrame(of index: Int) throws(OutputError) {
    let start = renditions[index].startOfSegment.map { wallTime($0) }
    try renditions[index].takeFrame(wallTime: start)
  }

  private func wallTime(_ position: Int) -> Int64 {
    guard let start, let grid else { return 0 }
    let samples = position - start.position + pausedSampleCount
    return start.wallTime + grid.timing.nanoseconds(samples)
  }

  // The growing segment as a rendition's playlist lists it.
  private func listed(in rendition: HLSRendition) -> HLSMediaPlaylist.Segment {
    let wallTime = configuration.hasProgramDateTime ? rendition.segment.wallTime : nil
    return HLSMediaPlaylist.Segment(
      number: rendition.playlist.nextNumber, map: rendition.map, isDiscontinuous: isBroken,
      date: wallTime.map(Timestamp.iso8601))
  }

  // What is not played at the end of a rendition; those of one profile end alike.
  private static func remainder(of index: Int, _ trims: [StreamTrim]) -> Int {
    (trims.indices.contains(index) ? trims[index] : trims.first)?.remainder ?? 0
  }

  private mutating func takePart(_ trims: [StreamTrim]) {
    let hasEdits = configuration.media == .fragmentedMP4
    for index in renditions.indices {
      let remainder = hasEdits ? Self.remainder(of: index, trims) : 0
      let (sampleCount, bytes) = renditions[index].takePart(remainder: remainder)
      byteCount += bytes.count
      guard grid?.framesPerPart != nil else { continue }
      let number = renditions[index].playlist.nextNumber
      let name = renditions[index].nextPart
      for shelf in shelves.indices where shelves[shelf].store.servesParts {
        shelves[shelf].put(bytes, as: name, of: number)
      }
      let start = listed(in: renditions[index])
      renditions[index].playlist.append(part: name, sampleCount: sampleCount, to: start)
    }
  }

  private mutating func closePart() throws(OutputError) {
    takePart([])
    publish(isSegmentComplete: false)
    try checkShelves()
  }

  private mutating func closeSegment(_ trims: [StreamTrim] = []) throws(OutputError) {
    // Frames without audible samples do not form a segment.
    let isAudible = renditions.indices.allSatisfy { index in
      renditions[index].segment.sampleCount > Self.remainder(of: index, trims)
    }
    guard let grid, isAudible else {
      for index in renditions.indices { renditions[index].dropSegment() }
      return
    }
    takePart(trims)
    for index in renditions.indices {
      let start = listed(in: renditions[index])
      let (sampleCount, bytes) = renditions[index].takeSegment(grid)
      let name = renditions[index].names.segment(start.number)
      put(bytes, as: name, of: start.number)
      renditions[index].playlist.complete(start, name: name, sampleCount: sampleCount)
    }
    isBroken = false
    publish(isSegmentComplete: true)
    try checkShelves()
  }

  private mutating func put(_ bytes: [UInt8], as name: String, of number: Int) {
    for index in shelves.indices { shelves[index].put(bytes, as: name, of: number) }
  }

  // The other stores get their turn before one's failure ends the output.
  private mutating func checkShelves() throws(OutputError) {
    guard let failure = shelves.lazy.compactMap(\.failure).first else { return }
    hasToldFailure = true
    throw failure
  }
}
