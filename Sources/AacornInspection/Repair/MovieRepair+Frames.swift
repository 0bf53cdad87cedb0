import AacornCodec
import AacornContainers

extension MovieRepair {
  /// Returns the frames listed in the tables, and checks only those at the end.
  ///
  /// After a power failure, the end of a file may contain only zeros.
  mutating func trusted(_ stream: AudioSpecificConfig) throws(Failure) -> Found {
    var found = Found(stream, of: byteCount)
    var frameReader = FrameReader(stream)
    var count = reader.completeUnitCount
    while count > 0, let sample = reader.sample(at: count - 1) {
      if try length(of: sample, &frameReader) != nil { break }
      found.losses.add(.unreadableFrame, bytes(of: sample))
      found.isEndRecorded = true
      found.droppedCount += 1
      count -= 1
    }
    for index in 0..<count {
      guard let sample = reader.sample(at: index) else { break }
      let size = Int(clamping: sample.byteCount)
      if size > FrameLimits.maxTableByteCount { return found }
      if size > 0 { found.frames.append(sample.offset, byteCount: size) }
      if found.frames.byteCount > byteCount { found.isContradictory = true }
      if found.isContradictory { return found }
    }
    return found
  }

  /// Returns the frames listed in the tables after parsing each of them.
  ///
  /// Unreadable frames become silence, so that later frames stay in time.
  mutating func listed(_ stream: AudioSpecificConfig) throws(Failure) -> Found {
    var found = Found(stream, of: byteCount)
    var frameReader = FrameReader(stream)
    let isStrict = try isPlausible(&frameReader)
    var gap = FrameGap()
    var time: UInt64?
    for index in 0..<reader.unitCount {
      guard let sample = reader.sample(at: index) else { break }
      gap.add(inferred: inferredCount(before: sample, at: time, found, gap))
      time = sample.time &+ UInt64(sample.duration)
      guard let length = try length(of: sample, &frameReader, isStrict: isStrict) else {
        gap.add(bytes(of: sample), of: sample)
        continue
      }
      if gap.count > 0 { try fill(gap, before: sample, &found) }
      if found.isContradictory { return found }
      gap = FrameGap(start: sample.offset + UInt64(length))
      found.frames.append(sample.offset, byteCount: Int(sample.byteCount))
      // Frames that overlap in the file could make its repaired copy arbitrarily large.
      found.isContradictory = found.frames.byteCount > found.byteLimit
      if found.isContradictory { return found }
    }
    if gap.count > 0 { try continueEnd(gap, &found) }
    return found
  }

  /// Missing or unreadable frames between two readable ones.
  struct FrameGap {
    /// The end of the previous frame according to its content.
    var start: UInt64?
    var listedCount = 0
    /// The number of frames inferred from the gap in time.
    var inferredCount = 0
    var losses = RepairLog()
    var firstOffset: UInt64?

    init(start: UInt64? = nil) { self.start = start }

    var count: Int { Self.sum(listedCount, inferredCount) }

    mutating func add(inferred count: Int) { inferredCount = Self.sum(inferredCount, count) }

    /// Returns a saturating sum: no file has room for the maximum, so it need not be exact.
    private static func sum(_ first: Int, _ second: Int) -> Int {
      let (sum, overflow) = first.addingReportingOverflow(second)
      return overflow ? .max : sum
    }

    /// Adds a listed frame; `range` is its part inside the file.
    mutating func add(_ range: Range<UInt64>, of sample: MP4Sample) {
      listedCount += 1
      firstOffset = firstOffset ?? range.lowerBound
      // A frame that extends beyond the end of the file belongs to the torn end, which
      // `recordTornEnd` records.
      if range.upperBound - range.lowerBound == UInt64(sample.byteCount) {
        losses.add(.unreadableFrame, range)
      }
    }
  }

  /// Returns the range of a listed frame inside the file.
  private func bytes(of sample: MP4Sample) -> Range<UInt64> {
    let start = min(sample.offset, byteCount)
    return start..<start + min(UInt64(sample.byteCount), byteCount - start)
  }

  /// Returns the length of a listed frame according to its content, or nil if it cannot be read or
  /// lacks channels.
  ///
  /// A wrong table may list the middle of a frame, which can still be parsable. `isStrict`
  /// therefore rejects frames whose channels differ from the stream, or that are followed by other
  /// data.
  private mutating func length(
    of sample: MP4Sample, _ frameReader: inout FrameReader, isStrict: Bool = false
  ) throws(Failure) -> Int? {
    let size = Int(clamping: sample.byteCount)
    guard size > 0, size <= FrameLimits.maxTableByteCount, sample.offset < byteCount else {
      return nil
    }
    let range = try window.range(at: sample.offset, count: size)
    guard range.count >= size,
      let length = frameReader.length(ofBlockIn: window.bytes, range: range)
    else { return nil }
    let expected = frameReader.configuration.channelCount
    if frameReader.block.isSilent(where: expected) { return nil }
    guard isStrict else { return length }
    let rest = window.bytes[range].dropFirst(length)
    return rest.allSatisfy { $0 == 0 } && [0, frameReader.block.channelCount].contains(expected)
      ? length : nil
  }

  /// Returns whether most frames match the configuration, based on a few dozen of them.
  private mutating func isPlausible(_ frameReader: inout FrameReader) throws(Failure) -> Bool {
    var balance = 0
    let step = max(1, reader.unitCount / 32)
    for index in stride(from: 0, to: reader.unitCount, by: step) {
      guard let sample = reader.sample(at: index),
        try length(of: sample, &frameReader) != nil
      else { continue }
      balance += try length(of: sample, &frameReader, isStrict: true) == nil ? -1 : 1
    }
    return balance > 0
  }

  /// Returns the number of missing frames between two fragments, inferred from their times and the
  /// bytes between them.
  ///
  /// A fragment can specify any offset, so only a gap inside the file counts.
  private func inferredCount(
    before sample: MP4Sample, at time: UInt64?, _ found: Found, _ gap: FrameGap
  ) -> Int {
    guard reader.fragmentCount > 0, let time, sample.time > time, sample.duration > 0,
      let start = gap.start, sample.offset > start, sample.offset < byteCount,
      found.frames.foundCount > 0
    else { return 0 }
    let count = (sample.time - time) / UInt64(sample.duration)
    let mean = found.frames.byteCount / UInt64(found.frames.foundCount)
    let (room, overflow) = (sample.offset - start).multipliedReportingOverflow(by: 2)
    return !overflow && count <= room / max(1, mean) ? Int(clamping: count) : 0
  }

  /// Finds the frames of a gap, or fills it with silence.
  private mutating func fill(
    _ gap: FrameGap, before sample: MP4Sample, _ found: inout Found
  ) throws(Failure) {
    let start = gap.start ?? gap.firstOffset ?? sample.offset
    if start < sample.offset,
      let ranges = try frames(gap.count, found.stream, from: start, to: sample.offset)
    {
      if gap.start != nil { found.frames.endLast(at: start) }
      for range in ranges {
        found.frames.append(
          range.lowerBound, byteCount: Int(range.upperBound - range.lowerBound))
      }
      return
    }
    found.losses.add(gap.losses)
    if gap.listedCount == 0 { found.losses.add(.garbage, start..<max(start, sample.offset)) }
    if found.frames.silence.isEmpty { return }
    found.appendSilence(gap.count)
  }

  /// Returns exactly `count` frames in a range, or nil if their number differs.
  private mutating func frames(
    _ count: Int, _ stream: AudioSpecificConfig, from start: UInt64, to limit: UInt64
  ) throws(Failure) -> [Range<UInt64>]? {
    guard limit - start <= searchBudget else { return nil }
    searchBudget -= limit - start
    var finder = FrameFinder<Failure>(stream)
    var ranges: [Range<UInt64>] = []
    var offset = start
    while offset < limit {
      if case .frame(let length) = try finder.result(at: offset, limit: limit, &window) {
        if ranges.count == count { return nil }
        ranges.append(offset..<offset + UInt64(length))
        offset += UInt64(length)
      } else if let next = try finder.nextOffset(after: offset, limit: limit, &window) {
        offset = next
      } else {
        break
      }
    }
    return ranges.count == count ? ranges : nil
  }

  /// Recovers frames at the end with wrong offsets in the tables; drops the others.
  private mutating func continueEnd(_ gap: FrameGap, _ found: inout Found) throws(Failure) {
    var count = gap.listedCount
    if let start = gap.start, let media = reader.mediaRange, media.contains(start) {
      var finder = FrameFinder<Failure>(found.stream)
      var offset = start
      while count > 0,
        case .frame(let length) = try finder.result(at: offset, limit: media.upperBound, &window)
      {
        if offset == start { found.frames.endLast(at: start) }
        found.frames.append(offset, byteCount: length)
        offset += UInt64(length)
        count -= 1
      }
    }
    found.droppedCount = count
    if count == gap.listedCount, gap.losses.count > 0 {
      found.losses.add(gap.losses)
      found.isEndRecorded = true
    }
  }

  /// Parses frame after frame; `gap` is the number of missing frames to assume at each gap.
  mutating func parseFrames(
    _ stream: AudioSpecificConfig, from start: UInt64, to end: UInt64, gap: Int = 0
  ) throws(Failure) -> Found {
    var found = Found(stream, of: byteCount)
    found.usesTables = false
    var finder = FrameFinder<Failure>(stream)
    var offset = start
    while offset < end {
      let result = try finder.result(at: offset, limit: end, &window)
      if case .frame(let length) = result {
        found.frames.append(offset, byteCount: length)
        offset += UInt64(length)
        continue
      }
      let next = try finder.nextOffset(after: offset, limit: end, &window)
      found.losses.add(
        result == .torn && next == nil ? .tornFrame : .garbage, offset..<(next ?? end))
      if next != nil {
        found.gapCount += 1
        found.appendSilence(gap)
      }
      offset = next ?? end
    }
    return found
  }

  /// Records the loss after the last kept frame, in a file that was cut off.
  func recordTornEnd(_ found: inout Found) {
    guard found.usesTables, !found.isEndRecorded, case .file(let last) = found.frames.parts.last
    else { return }
    for damage in reader.damage {
      switch damage.kind {
      case .sampleOutsideFile, .truncated, .invalidBoxSize:
        // Truncated media may contain complete frames before the cut.
        let start =
          damage.kind == .sampleOutsideFile
          ? damage.offset : max(damage.offset, last.upperBound)
        if start < byteCount {
          return found.losses.add(.tornFrame, max(start, last.upperBound)..<byteCount)
        }
      default: break
      }
    }
  }
}
