import AacornCodec

/// The contents of a rendition's playlist, and its text (RFC 8216, 4.3.2 and 4.3.3).
struct HLSMediaPlaylist: Sendable {
  /// A segment, complete or still growing.
  struct Segment: Sendable {
    /// The media sequence number.
    let number: Int
    /// The name of the initialization section.
    let initializationName: String?
    /// Whether a discontinuity precedes the segment.
    let isDiscontinuous: Bool
    /// The wall-clock time at the start of the segment, as text.
    let date: String?
    /// The listed parts: name and duration in samples.
    var parts: [(name: String, sampleCount: Int)] = []
    /// The duration in samples, without samples that must not be played.
    var sampleCount = 0
    /// The file name; nil until the segment is complete.
    var name: String?
  }

  /// A file that is in no playlist anymore.
  struct ExpiredFile: Sendable {
    var name: String
    /// Whether the file is a part of a segment.
    ///
    /// Stores that do not serve parts have no such file.
    var isPart: Bool
    /// The time from which the file may be removed, in samples of the presentation.
    var deadline: Int
  }

  let configuration: HLSConfiguration
  let grid: HLSGrid
  /// The complete segments in the list.
  private(set) var segments: [Segment] = []
  /// The growing segment; nil until it has a part.
  private(set) var growing: Segment?
  /// The number of the next segment that will be completed.
  private(set) var nextNumber: Int
  /// The number of discontinuity tags that have left the playlist.
  ///
  /// It starts at `firstNumber`, because earlier sessions cannot have had more discontinuities than
  /// segments.
  private var discontinuitySequence: Int
  /// The number of samples in all segments since the start.
  private var sampleCount = 0
  /// The number of samples in the listed segments.
  private var listedSampleCount = 0
  private var maxListedSampleCount = 0
  private(set) var expiredFiles: [ExpiredFile] = []

  /// Creates an empty playlist whose first segment has the number `firstNumber`.
  init(_ configuration: HLSConfiguration, _ grid: HLSGrid, firstNumber: Int) {
    self.configuration = configuration
    self.grid = grid
    nextNumber = firstNumber
    discontinuitySequence = firstNumber
  }

  /// Whether a segment or part has ever been added.
  var hasBegun: Bool { sampleCount > 0 || growing != nil }

  /// Returns the live edge of the playlist without the segments from `limit` on.
  func edge(isComplete: Bool = false, limit: Int = .max) -> HLSEdge {
    HLSEdge(
      segment: min(nextNumber, limit) - 1,
      partCount: limit > nextNumber ? growing?.parts.count ?? 0 : 0, isComplete: isComplete)
  }

  /// Adds a part to the growing segment.
  ///
  /// For the first part, `start` describes the segment.
  mutating func append(part name: String, sampleCount: Int, to start: Segment) {
    growing = growing ?? start
    growing?.parts.append((name, sampleCount))
  }

  /// Adds a segment, or completes the growing one if there are parts.
  ///
  /// Removes segments at the front that exceed the window.
  mutating func complete(_ start: Segment, name: String, sampleCount: Int) {
    var segment = growing ?? start
    growing = nil
    segment.name = name
    segment.sampleCount = sampleCount
    segments.append(segment)
    nextNumber += 1
    self.sampleCount += sampleCount
    listedSampleCount += sampleCount
    removeOldParts()
    if configuration.kind == .live { dropExpiredSegments() }
    maxListedSampleCount = max(maxListedSampleCount, listedSampleCount)
  }

  /// Removes the files whose deadline has passed from the queue, and returns them.
  mutating func takeExpired() -> [ExpiredFile] {
    let count = expiredFiles.prefix { $0.deadline <= sampleCount }.count
    defer { expiredFiles.removeFirst(count) }
    return Array(expiredFiles[..<count])
  }

  /// Removes parts that are three target durations or more from the end of the playlist (RFC
  /// 8216bis, 6.2.2).
  private mutating func removeOldParts() {
    var distance = 0
    for index in segments.indices.reversed() {
      if distance >= 3 * grid.targetDuration * grid.timing.sampleRate {
        if segments[index].parts.isEmpty { return }
        let duration = segments[index].parts.map(\.sampleCount).max() ?? 0
        for part in segments[index].parts { expire(part.name, isPart: true, sampleCount: duration) }
        segments[index].parts = []
      }
      distance += segments[index].sampleCount
    }
  }

  /// Removes segments at the front, but always keeps at least three target durations (RFC 8216,
  /// 6.2.2).
  private mutating func dropExpiredSegments() {
    let minSampleCount = 3 * grid.targetDuration * grid.timing.sampleRate
    while segments.count > configuration.windowSegmentCount,
      let first = segments.first, listedSampleCount - first.sampleCount >= minSampleCount
    {
      segments.removeFirst()
      listedSampleCount -= first.sampleCount
      if first.isDiscontinuous { discontinuitySequence += 1 }
      for part in first.parts { expire(part.name, isPart: true, sampleCount: first.sampleCount) }
      if let name = first.name { expire(name, sampleCount: first.sampleCount) }
      if let section = first.initializationName,
        segments.first?.initializationName != section
      {
        expire(section, sampleCount: first.sampleCount)
      }
    }
  }

  private mutating func expire(_ name: String, isPart: Bool = false, sampleCount duration: Int) {
    // Clamped, so that the product cannot overflow: 2²⁰ target durations are at least 12 days.
    let kept = min(configuration.retainedSegmentCount, 1 << 20)
    let extra = kept * grid.targetDuration * grid.timing.sampleRate
    let deadline = max(
      expiredFiles.last?.deadline ?? 0, sampleCount + duration + maxListedSampleCount + extra)
    expiredFiles.append(ExpiredFile(name: name, isPart: isPart, deadline: deadline))
  }
}

// The text of the playlist, and a summary of its contents.
extension HLSMediaPlaylist {
  /// The options for the text of a playlist.
  struct TextOptions {
    /// Whether parts are listed.
    var hasParts = false
    /// Whether the presentation has ended.
    var isComplete = false
    /// The number of the first segment that must not be listed.
    var limit = Int.max
    /// The file name of the next part.
    var hint = ""
    /// The file names of the playlists of the other renditions.
    var others: [String] = []
  }

  /// Returns the text of the playlist.
  func text(_ options: TextOptions) -> String {
    let hasParts = options.hasParts && grid.framesPerPart != nil
    var text = header(hasParts: hasParts)
    var initializationName: String?
    for segment in segments where segment.number < options.limit {
      put(segment, hasParts: hasParts, &initializationName, to: &text)
    }
    if hasParts, let growing, growing.number < options.limit {
      put(growing, hasParts: true, &initializationName, to: &text)
    }
    if options.isComplete { return text + "#EXT-X-ENDLIST\n" }
    if hasParts {
      text += "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(options.hint)\"\n"
      let (number, part) = lastPart
      for other in options.others {
        text += "#EXT-X-RENDITION-REPORT:URI=\"\(other)\",LAST-MSN=\(number),LAST-PART=\(part)\n"
      }
    }
    return text
  }

  /// Returns a summary of the text with the same options.
  func contents(_ options: TextOptions) -> HLSPlaylistContents {
    let hasParts = options.hasParts && grid.framesPerPart != nil
    let listed = segments.prefix { $0.number < options.limit }
    return HLSPlaylistContents(
      edge: edge(isComplete: options.isComplete, limit: options.limit),
      names: listed.compactMap(\.name), targetDuration: .seconds(grid.targetDuration),
      partTarget: hasParts ? grid.partTargetDuration : nil,
      lastSegmentPartCount: hasParts ? listed.last?.parts.count ?? 0 : 0,
      nextPart: hasParts && !options.isComplete ? options.hint : nil)
  }

  private func header(hasParts: Bool) -> String {
    // Decimal durations need version 3; a map in an audio-only playlist needs 6 (RFC 8216, 7).
    let version = hasParts ? 9 : configuration.media == .fragmentedMP4 ? 6 : 3
    var text = "#EXTM3U\n#EXT-X-VERSION:\(version)\n"
    text += "#EXT-X-TARGETDURATION:\(grid.targetDuration)\n"
    if hasParts, let target = grid.partTarget {
      text += "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=\(target.threefold)"
      text += ",HOLD-BACK=\(3 * grid.targetDuration)\n"
      text += "#EXT-X-PART-INF:PART-TARGET=\(target.seconds)\n"
    }
    text += "#EXT-X-MEDIA-SEQUENCE:\(segments.first?.number ?? nextNumber)\n"
    switch configuration.kind {
    case .live: text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)\n"
    case .event: text += "#EXT-X-PLAYLIST-TYPE:EVENT\n"
    case .vod: text += "#EXT-X-PLAYLIST-TYPE:VOD\n"
    }
    return text + "#EXT-X-INDEPENDENT-SEGMENTS\n"
  }

  private func put(
    _ segment: Segment, hasParts: Bool, _ initializationName: inout String?, to text: inout String
  ) {
    if segment.isDiscontinuous { text += "#EXT-X-DISCONTINUITY\n" }
    // A map applies to all segments up to the next map (RFC 8216, 4.3.2.5).
    if let name = segment.initializationName, name != initializationName {
      text += "#EXT-X-MAP:URI=\"\(name)\"\n"
    }
    initializationName = segment.initializationName
    if let date = segment.date { text += "#EXT-X-PROGRAM-DATE-TIME:\(date)\n" }
    if hasParts {
      for part in segment.parts {
        text += "#EXT-X-PART:DURATION=\(grid.seconds(part.sampleCount)),URI=\"\(part.name)\""
        text += ",INDEPENDENT=YES\n"
      }
    }
    guard let name = segment.name else { return }
    text += "#EXTINF:\(grid.seconds(segment.sampleCount)),\n\(name)\n"
  }

  /// The last part: the number of its segment, and its index in the segment.
  private var lastPart: (number: Int, part: Int) {
    if let growing { return (growing.number, growing.parts.count - 1) }
    return (nextNumber - 1, max(0, (segments.last?.parts.count ?? 0) - 1))
  }
}
