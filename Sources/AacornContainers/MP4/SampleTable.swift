import AacornSoundFiles

/// The positions and times of a track's frames.
///
/// Memory: four bytes per frame, and one entry for every few dozen consecutive frames. Finding a
/// frame takes one binary search and a short sum.
struct SampleTable: Sendable {
  private struct Run: Sendable {
    var firstSample: Int
    var offset: UInt64
  }

  private struct TimeRun: Sendable {
    var firstSample: Int
    var time: UInt64
    var duration: UInt32
  }

  private(set) var sizes: [UInt32] = []
  private var runs: [Run] = []
  private var times: [TimeRun] = []
  /// The number of frames with an offset.
  private(set) var placedCount = 0
  /// The number of frames with a time.
  private(set) var timedCount = 0
  /// The end of the last frame with a time, in ticks.
  private(set) var endTime: UInt64 = 0
  /// Whether frames before the last played one differ in duration, for example because a recorder
  /// stored the time of each frame.
  private(set) var hasUnevenDurations = false

  private static let samplesPerRun = 64

  /// Appends a frame that has no offset and time yet.
  mutating func append(size: UInt32) {
    sizes.append(size)
  }

  /// Places the next `count` frames consecutively from `offset`; returns the offset of their end.
  @discardableResult
  mutating func place(_ count: Int, at offset: UInt64) -> UInt64 {
    var offset = offset
    var left = min(count, sizes.count - placedCount)
    while left > 0 {
      let part = min(left, Self.samplesPerRun)
      runs.append(Run(firstSample: placedCount, offset: offset))
      for size in sizes[placedCount..<placedCount + part] { offset &+= UInt64(size) }
      placedCount += part
      left -= part
    }
    return offset
  }

  /// Sets the duration of the next `count` frames; the first starts at `start` or after the
  /// previous frame.
  mutating func time(_ count: Int, duration: UInt32, from start: UInt64? = nil) {
    let count = min(count, sizes.count - timedCount)
    if count <= 0 { return }
    // A duration of 0 does not count as uneven: the frames with it come after the last played one.
    if duration > 0, let first = times.first, let last = times.last {
      let isOdd = duration != first.duration && count > 1
      if isOdd || last.duration != first.duration { hasUnevenDurations = true }
    }
    let start = start ?? endTime
    if times.last?.duration != duration || start != endTime {
      times.append(TimeRun(firstSample: timedCount, time: start, duration: duration))
    }
    timedCount += count
    endTime = start &+ UInt64(count) &* UInt64(duration)
  }

  /// The duration of the first frame, or nil without frames.
  var firstDuration: UInt32? { times.first?.duration }

  /// The duration of the last frame that has one, in ticks.
  var lastDuration: UInt32? { times.last?.duration }

  /// Returns the index of the frame that plays at `time`, and the offset of `time` in the frame, in
  /// ticks.
  ///
  /// Both are 0 without frames. After the end, returns the last frame.
  func position(of time: UInt64) -> (index: Int, offset: UInt64) {
    guard !times.isEmpty else { return (0, 0) }
    var number = Self.last(in: times.count) { times[$0].time <= time }
    if number > 0, times[number].duration == 0 { number -= 1 }
    let run = times[number]
    let end = number + 1 < times.count ? times[number + 1].firstSample : timedCount
    let elapsed = time - min(time, run.time)
    let duration = UInt64(run.duration)
    let whole = duration == 0 ? 0 : elapsed / duration
    let passed = min(whole, UInt64(end - 1 - run.firstSample))
    return (run.firstSample + Int(passed), elapsed - passed * duration)
  }

  /// Drops frames without an offset.
  mutating func dropUnplaced() {
    sizes.removeLast(sizes.count - placedCount)
  }

  /// Returns the frame at `index`, or nil if it does not exist or lacks an offset or a time.
  func sample(at index: Int) -> MP4Sample? {
    guard index >= 0, index < placedCount, index < timedCount else { return nil }
    let run = runs[Self.last(in: runs.count) { runs[$0].firstSample <= index }]
    let time = times[Self.last(in: times.count) { times[$0].firstSample <= index }]
    var offset = run.offset
    for size in sizes[run.firstSample..<index] { offset &+= UInt64(size) }
    return MP4Sample(
      offset: offset, byteCount: sizes[index],
      time: time.time &+ UInt64(index - time.firstSample) &* UInt64(time.duration),
      duration: time.duration)
  }

  /// Returns the end of the first `count` frames, in ticks.
  func endTime(of count: Int) -> UInt64 {
    guard let last = sample(at: count - 1) else { return 0 }
    return last.time &+ UInt64(last.duration)
  }

  /// Returns the number of frames, from the first one on, that are before `end` in the file.
  func completeCount(before end: UInt64) -> Int {
    for (number, run) in runs.enumerated() {
      let next = number + 1 < runs.count ? runs[number + 1].firstSample : placedCount
      // An empty frame beyond the end counts as missing.
      if run.offset > end { return run.firstSample }
      var left = end - run.offset
      for index in run.firstSample..<next {
        if UInt64(sizes[index]) > left { return index }
        left -= UInt64(sizes[index])
      }
    }
    return placedCount
  }

  /// Returns the number of bytes that the first `count` frames share: bytes of several frames,
  /// counted once for each frame after the first.
  func sharedByteCount(of count: Int) -> UInt64 {
    var pieces: [Range<UInt64>] = []
    var areInOrder = true
    for (number, run) in runs.enumerated() where run.firstSample < count {
      let next = number + 1 < runs.count ? runs[number + 1].firstSample : placedCount
      var end = run.offset
      for size in sizes[run.firstSample..<min(next, count)] { end &+= UInt64(size) }
      if end <= run.offset { continue }
      areInOrder = areInOrder && run.offset >= pieces.last?.upperBound ?? 0
      pieces.append(joining: run.offset..<end)
    }
    if areInOrder { return 0 }
    pieces.sort { $0.lowerBound < $1.lowerBound }
    var (shared, reach): (UInt64, UInt64) = (0, 0)
    for piece in pieces {
      if piece.lowerBound < reach { shared &+= min(piece.upperBound, reach) - piece.lowerBound }
      reach = max(reach, piece.upperBound)
    }
    return shared
  }

  /// Returns the last index below `count` for which `isBefore` is true; it must be true for index
  /// 0.
  private static func last(in count: Int, _ isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle } else { high = middle }
    }
    return low
  }
}

/// One frame of a track.
public struct MP4Sample: Equatable, Sendable {
  /// The file offset of the frame.
  public let offset: UInt64
  /// The size in bytes.
  public let byteCount: UInt32
  /// The decoding time, in ticks of the track.
  public let time: UInt64
  /// The duration, in ticks of the track.
  public let duration: UInt32
}
