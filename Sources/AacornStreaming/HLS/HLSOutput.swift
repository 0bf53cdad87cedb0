import AacornCodec
public import AacornRecording
import AacornSystem

/// An output that offers a recording by HTTP Live Streaming at one or several bitrates (RFC 8216).
///
/// The output collects frames into segments and lists the segments in playlists. A master playlist
/// lists the renditions. All renditions are cut at the same frames, so that a player can switch
/// between them at every cut. Renditions of another profile are cut at the nearest frames
/// (`SegmentAlignment`); their dates and durations state the exact positions. Files are stored
/// before the playlist that lists them. They are removed only long after they left the playlist.
///
/// A segment or part ends when the next frame arrives, one frame late: only then is it known
/// whether the frame is the last one, whose end is cut to the sample.
public struct HLSOutput: PacketOutput {
  /// The display name.
  public let name: String
  /// The number of bytes in all segments that every store has, since the start.
  public private(set) var byteCount = 0
  let configuration: HLSConfiguration
  var monitoredStores: [MonitoredStore]
  var renditions: [HLSRendition] = []
  var grid: HLSGrid?
  /// The index of the rendition whose frames determine the cuts.
  var leader = 0
  var master: [HLSMasterPlaylist.Entry] = []
  /// The current segment of the recording; nil between segments.
  private var start: SegmentStart?
  /// The number of media segments since the last discontinuity.
  private var gridIndex = 0
  /// Whether a discontinuity precedes the next media segment.
  private var isDiscontinuous = false
  /// The number of samples skipped in pauses.
  private var pausedSampleCount = 0
  private var sampleCount = 0
  /// The number of samples in the segments that every store has, and their end in the recording.
  private var storedSampleCount = 0
  private var storedPosition: Int?
  /// The number of media segments that every store has, since the start.
  private(set) var segmentCount = 0
  private var isClosed = false
  /// Whether the failure of a store has been reported.
  private var hasReportedFailure = false

  /// Creates an output to stores.
  ///
  /// `name` is the folder or address to display.
  public init(_ configuration: HLSConfiguration, stores: [any HLSStore], name: String) {
    self.configuration = configuration
    self.name = name
    monitoredStores = stores.map { MonitoredStore($0) }
  }

  /// True: every rendition gets a playlist.
  public var acceptsRenditions: Bool { true }

  /// The end of the audio that every store has, after the failure of one; otherwise nil.
  public var savedPosition: Int? {
    hasFailedStore ? storedPosition : nil
  }

  /// The total of all stores, which are finished one after the other.
  public var closeTimeout: Duration {
    monitoredStores.reduce(.zero) { $0 + $1.store.closeTimeout }
  }

  /// Checks the configuration, and prepares the stores.
  public mutating func open() throws(OutputError) {
    if let fault = configuration.fault { throw OutputError(.unsupported, fault) }
    for monitored in monitoredStores { try monitored.store.prepare(for: configuration) }
  }

  /// Starts a segment of the recording.
  ///
  /// Later segments continue the presentation with a new encoder.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    try check(segment)
    let formats = [segment.format] + segment.furtherFormats
    if renditions.isEmpty {
      try makeRenditions(formats, segment.wallTime)
    } else {
      try replaceWriters(formats)
      isDiscontinuous = renditions[0].playlist.hasBegun
    }
    start = segment
    storedPosition = segment.position
    gridIndex = 0
    for index in renditions.indices {
      renditions[index].beginEncoder(hasEdits: configuration.media == .fragmentedMP4)
      guard let section = renditions[index].beginInitialization() else { continue }
      put(section.bytes, as: section.name, of: renditions[index].playlist.nextNumber)
    }
    try checkStores()
  }

  /// Appends a packet to its rendition, and writes frames while all renditions have matching ones.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    try check(packet)
    guard renditions.indices.contains(packet.rendition) else { return }
    renditions[packet.rendition].waiting.append(packet)
    while isNextFrameReady { try writeStep() }
  }

  /// Does nothing: the packets contain the gaps.
  public mutating func record(_ gap: RecordingGap) throws(OutputError) {}

  /// Completes the media segment.
  ///
  /// The playlists stay open for the next segment of the recording.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try check(end)
    // Encoders of different profiles do not end at the same time, so write the leader's remaining
    // frames.
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
    if hasFailedStore { sampleCount = storedSampleCount }
    return OutputSummary(name: name, sampleCount: sampleCount, byteCount: byteCount)
  }

  /// Reports changes that other programs made to files that listeners may still request.
  public mutating func poll() throws(OutputError) -> [OutputIncident] {
    // A failure while the playlists were completed is reported here.
    if isClosed && !hasReportedFailure { try checkStores() }
    var incidents: [OutputIncident] = []
    for monitored in monitoredStores where monitored.failure == nil {
      incidents += try monitored.store.poll(isLast: isClosed).map { .lost(name: name, $0) }
    }
    return incidents
  }

  /// Whether the leader's next frame and the matching frames of the other renditions are available.
  private var isNextFrameReady: Bool {
    guard renditions.indices.contains(leader) else { return false }
    let frame = renditions[leader].frameIndex
    return renditions.allSatisfy { $0.waiting.count >= $0.frameCount(besides: frame) }
  }

  // Writes one frame of the leader and the matching frames of the other renditions.
  private mutating func writeStep() throws(OutputError) {
    guard let grid else { return }
    let frame = renditions[leader].frameIndex
    var isInterrupted = false
    for packet in renditions[0].waiting.prefix(renditions[0].frameCount(besides: frame)) {
      // The packets of all renditions carry the same gaps, so those of one rendition suffice.
      for gap in packet.gaps where gap.cause == .deviceLost || gap.cause == .paused {
        if gap.cause == .paused { pausedSampleCount += gap.length }
        isInterrupted = true
      }
    }
    // A cut needs audible frames before it and a frame after it in all renditions.
    if renditions.allSatisfy({ $0.segment.frameCount > 0 && !$0.waiting.isEmpty }) {
      let ends = grid.ends(
        segment: gridIndex, frameCount: renditions[leader].segment.frameCount, before: frame)
      if isInterrupted || ends {
        try closeSegment()
        gridIndex = isInterrupted ? 0 : gridIndex + 1
      } else if let count = grid.framesPerPart, renditions[leader].part.frameCount >= count {
        finishPart([])
        publish(isSegmentComplete: false)
        try checkStores()
      }
    }
    if isInterrupted && renditions[0].playlist.hasBegun { isDiscontinuous = true }
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
    let (time, overflow) = start.wallTime.addingReportingOverflow(grid.timing.nanoseconds(samples))
    return overflow ? start.wallTime : time
  }

  // Returns the growing segment as an entry of the rendition's playlist.
  private func listed(in rendition: HLSRendition) -> HLSMediaPlaylist.Segment {
    let wallTime = configuration.hasProgramDateTime ? rendition.segment.wallTime : nil
    return HLSMediaPlaylist.Segment(
      number: rendition.playlist.nextNumber, initializationName: rendition.initializationName,
      isDiscontinuous: isDiscontinuous,
      date: wallTime.map(Timestamp.iso8601))
  }

  // Returns the number of samples at the end of a rendition that must not be played. It is equal in
  // all renditions of one profile.
  private static func remainder(of index: Int, _ trims: [StreamTrim]) -> Int {
    (trims.indices.contains(index) ? trims[index] : trims.first)?.remainder ?? 0
  }

  private mutating func finishPart(_ trims: [StreamTrim]) {
    let hasEdits = configuration.media == .fragmentedMP4
    for index in renditions.indices {
      let remainder = hasEdits ? Self.remainder(of: index, trims) : 0
      let (sampleCount, bytes) = renditions[index].finishPart(remainder: remainder)
      guard grid?.framesPerPart != nil else { continue }
      let number = renditions[index].playlist.nextNumber
      let name = renditions[index].nextPart
      for storeIndex in monitoredStores.indices where monitoredStores[storeIndex].store.servesParts
      {
        monitoredStores[storeIndex].put(bytes, as: name, of: number)
      }
      let start = listed(in: renditions[index])
      renditions[index].playlist.append(part: name, sampleCount: sampleCount, to: start)
    }
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
    finishPart(trims)
    var (addedSampleCount, addedByteCount) = (0, 0)
    for index in renditions.indices {
      let start = listed(in: renditions[index])
      let (sampleCount, bytes) = renditions[index].takeSegment(grid)
      let name = renditions[index].names.segment(start.number)
      put(bytes, as: name, of: start.number)
      renditions[index].playlist.complete(start, name: name, sampleCount: sampleCount)
      addedByteCount += bytes.count
      if index == 0 { addedSampleCount = sampleCount }
    }
    if !hasFailedStore {
      storedSampleCount += addedSampleCount
      storedPosition? += addedSampleCount
      byteCount += addedByteCount
      segmentCount += 1
    }
    isDiscontinuous = false
    publish(isSegmentComplete: true)
    try checkStores()
  }

  private mutating func put(_ bytes: [UInt8], as name: String, of number: Int) {
    for index in monitoredStores.indices { monitoredStores[index].put(bytes, as: name, of: number) }
  }

  /// The error of a store that has failed; nil while all stores work.
  var failure: OutputError? { monitoredStores.lazy.compactMap(\.failure).first }

  private var hasFailedStore: Bool { failure != nil }

  // Throws if a store has failed. Called only after all stores have received a file, so that the
  // failure of one store does not affect the others.
  private mutating func checkStores() throws(OutputError) {
    guard let failure else { return }
    hasReportedFailure = true
    throw failure
  }
}
