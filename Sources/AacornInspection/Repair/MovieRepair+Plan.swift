import AacornCodec
import AacornContainers

extension MovieRepair {
  /// Returns the configuration for a writer, with the metadata of the file.
  func configuration(
    _ stream: AudioSpecificConfig
  ) throws(Failure) -> MP4Writer.Configuration {
    var configuration = MP4Writer.Configuration(stream: stream, layout: .faststart)
    configuration.tags = reader.tags
    configuration.creationTime = reader.creationTime
    configuration.started = reader.started
    configuration.gapEntries = reader.gapEntries
    if let cover = reader.coverImage, cover.upperBound - cover.lowerBound < 1 << 26 {
      let count = Int(cover.upperBound - cover.lowerBound)
      let image = try read(cover.lowerBound, count)
      if image.count == count { configuration.tags.coverImage = image }
    }
    return configuration
  }

  /// Returns the trim that the file specifies, at the rate of the frames found.
  ///
  /// The end is trimmed only if all listed frames are kept.
  func trim(of track: MP4Track, _ found: Found) -> StreamTrim {
    let edit = track.edits.first { $0.mediaTime > 0 }
    let samplesPerTick = reader.samplesPerTick
    let skipped = edit.map { UInt64($0.mediaTime) } ?? UInt64(reader.gaplessTag?.priming ?? 0)
    let priming = skipped.multipliedReportingOverflow(by: samplesPerTick).partialValue
    var remainder: UInt64 = 0
    if found.usesTables, found.droppedCount == 0,
      reader.completeUnitCount == reader.unitCount
    {
      remainder = UInt64(max(0, reader.trim?.remainder ?? 0))
    }
    let rate = UInt64(max(0, found.stream.outputSampleRate))
    let clock = UInt64(track.timescale) * samplesPerTick
    func rescaled(_ count: UInt64) -> Int {
      guard clock > 0, rate > 0, rate != clock else { return Int(clamping: count) }
      let (product, overflow) = count.multipliedReportingOverflow(by: rate)
      return overflow ? 0 : Int(clamping: product / clock)
    }
    return Self.trim(priming: rescaled(priming), remainder: rescaled(remainder), found)
  }

  /// Returns a trim, limited to the available frames.
  static func trim(priming: Int, remainder: Int, _ found: Found) -> StreamTrim {
    let stream = found.stream
    let total = found.frames.sizes.count * StreamTiming(stream).samplesPerUnit
    let priming = min(max(0, priming), total, Int(Int32.max))
    let remainder = min(max(0, remainder), total - priming)
    return StreamTrim(
      priming: priming, remainder: remainder, sampleCount: total - priming - remainder)
  }

  /// The part of the file to change for a repair in place; nil if tables cannot be placed there.
  private var tableLocation: MP4Completion.Location? {
    if reader.fragmentCount > 0 {
      guard reader.ignoredTrackCount == 0, let offset = reader.movieOffset else { return nil }
      return .fragments(
        movieOffset: offset, movieByteCount: Int(clamping: reader.movieByteCount),
        reservedByteCount: Int(clamping: reader.reservedByteCount))
    }
    guard let offset = reader.mediaOffset, reader.movieOffset.map({ $0 > offset }) ?? true else {
      return nil
    }
    return .media(
      offset: offset, headerByteCount: reader.mediaHeaderByteCount,
      hasRoomForLongSize: reader.hasRoomForLongMedia)
  }

  func plan(
    _ configuration: MP4Writer.Configuration, trim: StreamTrim, found: Found
  ) -> RepairOutcome {
    do throws(ContainerError) {
      var plan = RepairPlan(
        container: .movie(isQuickTime: false, isFragmented: reader.fragmentCount > 0),
        stream: configuration.stream, frameCount: found.frames.sizes.count, trim: trim,
        losses: found.losses, started: configuration.started,
        gapEntries: configuration.gapEntries,
        newFile: try newFile(configuration, trim: trim, frames: found.frames))
      plan.silentFrameCount = found.frames.silentCount
      plan.isUnfinishedRecording = reader.isUnfinishedRecording
      plan.statedDuration = reader.statedDuration
      plan.ignoredTrackCount = reader.ignoredTrackCount
      plan.inPlace = try inPlace(configuration, trim: trim, frames: found.frames)
      return .repairable(plan)
    } catch .unrecognizedCoverImage where !configuration.tags.coverImage.isEmpty {
      var configuration = configuration
      configuration.tags.coverImage = []
      return plan(configuration, trim: trim, found: found)
    } catch {
      return .irreparable(.unsupportedStream)
    }
  }

  /// Returns the repair of the file itself, which adds tables to it.
  ///
  /// All silent frames in these tables are one and the same frame, stored after the audio.
  private func inPlace(
    _ configuration: MP4Writer.Configuration, trim: StreamTrim, frames: FrameList
  ) throws(ContainerError) -> InPlaceRepair? {
    guard let tableLocation else { return nil }
    var completion = try MP4Completion(
      configuration: configuration, location: tableLocation,
      spareUnit: frames.silentCount > 0 ? frames.silence : [])
    try frames.forEach { (offset, count) throws(ContainerError) in
      let spare = completion.spareUnitOffset(fileByteCount: byteCount)
      try completion.append(frameAt: offset ?? spare, byteCount: count)
    }
    let writes = try completion.finish(trim, fileByteCount: byteCount)
    return writes.map { InPlaceRepair(writes: $0) }
  }

  /// Returns the steps of a new file, with its tables before the audio.
  ///
  /// If large frames make the tables larger than the reserved room, the tables follow the audio.
  private func newFile(
    _ configuration: MP4Writer.Configuration, trim: StreamTrim, frames: FrameList
  ) throws(ContainerError) -> RepairedFile {
    var configuration = configuration
    configuration.expectedUnitCount = frames.sizes.count
    for layout in [MP4Writer.Layout.faststart, .moovAtEnd] {
      configuration.layout = layout
      var writer = try MP4Writer(configuration: configuration)
      let start = writer.start()
      for size in frames.sizes { try writer.count(Int(size)) }
      let finish = try writer.finish(trim)
      if finish.mediaShift == 0 || layout == .moovAtEnd {
        return RepairedFile(start: start, frames: frames, finish: finish)
      }
    }
    throw .tooManyFrames(limit: frames.sizes.count)
  }
}
