import AacornCodec

/// The boxes of a sample table that this reader uses.
struct SampleTableBoxes {
  var description: Box?
  var times: Box?
  var chunks: Box?
  var sizes: Box?
  var offsets: Box?
  var groupDescription: Box?
  var hasRollGroups = false
}

extension MovieParser {
  /// Finds the boxes in `minf/stbl`; if several have the same name, the first counts.
  mutating func findTables(in information: Box) -> SampleTableBoxes? {
    var outer = boxes(in: information.content)
    while let table = outer.next(&damage) {
      guard table.type == .sampleTable else { continue }
      var found = SampleTableBoxes()
      var list = boxes(in: table.content)
      while let box = list.next(&damage) {
        switch box.type {
        case .sampleDescription: found.description = found.description ?? box
        case .timeToSample: found.times = found.times ?? box
        case .sampleToChunk: found.chunks = found.chunks ?? box
        case .sampleSizes, .compactSampleSizes: found.sizes = found.sizes ?? box
        case .chunkOffsets, .largeChunkOffsets: found.offsets = found.offsets ?? box
        case .sampleGroupDescription where groupingType(of: box) == .roll:
          found.groupDescription = found.groupDescription ?? box
        case .sampleToGroup where groupingType(of: box) == .roll: found.hasRollGroups = true
        default: break
        }
      }
      return found
    }
    return nil
  }

  private func groupingType(of box: Box) -> FourCharacterCode {
    var reader = fields(of: box)
    reader.skip(32)
    return reader.readCode()
  }

  func readRollDistance(_ tables: SampleTableBoxes) -> Int16? {
    guard let box = tables.groupDescription else { return nil }
    var reader = fields(of: box)
    let version = reader.read(8)
    reader.skip(24)
    var roll = RollDescription()
    roll.transfer(&reader, version: version)
    return roll.count == 0 || reader.isOverrun ? nil : roll.distance
  }

  /// Returns the track in a sample description, or nil if it is not AAC.
  ///
  /// If an audio track has another codec, stores it in `foreignCodec`.
  mutating func readSampleDescription(_ tables: SampleTableBoxes, isAudio: Bool) -> MP4Track? {
    guard let description = tables.description else { return nil }
    let content = description.content
    // Skip the version, flags and entry count; a second entry would be another stream.
    guard content.count > 8 else { return nil }
    var list = boxes(in: content.lowerBound + 8..<content.upperBound)
    guard let entry = list.next(&damage) else { return nil }
    guard entry.type == .mpegAudio else {
      let isHidden = entry.type == .encryptedAudio || entry.type == .protectedAudio
      if isHidden { movie.isEncrypted = true }
      if isAudio && !isHidden {
        movie.foreignCodec = movie.foreignCodec ?? .sampleEntry(entry.type)
      }
      return nil
    }
    var reader = fields(of: entry)
    var sound = AudioSampleEntry()
    sound.transfer(&reader)
    // In QuickTime files, versions 1 and 2 of the entry have 16 and 36 more bytes.
    if sound.version == 1 { reader.skip(128) }
    if sound.version == 2 { reader.skip(288) }
    let start = reader.position / 8
    let descriptor = findDescriptor(in: start..<entry.content.upperBound, isInsideWave: true)
    if let indication = descriptor?.objectTypeIndication, !Self.isMPEGAudio(indication) {
      movie.foreignCodec = movie.foreignCodec ?? .objectTypeIndication(indication)
    }
    guard let descriptor,
      let stream = AudioSpecificConfig(parsing: descriptor.decoderSpecificInfo),
      stream.channelCount > 0 || stream.channelConfiguration != 0
    else {
      report(.invalidConfiguration, in: entry)
      return nil
    }
    guard Self.isAAC(descriptor.objectTypeIndication, stream) else {
      movie.foreignCodec = movie.foreignCodec ?? .audioObjectType(stream.objectType)
      return nil
    }
    var track = MP4Track(
      stream: stream, objectTypeIndication: descriptor.objectTypeIndication,
      bufferByteCount: descriptor.bufferByteCount, maximumBitrate: descriptor.maximumBitrate,
      averageBitrate: descriptor.averageBitrate)
    track.channelCount = sound.channelCount
    track.sampleRate = sound.sampleRate
    return track
  }

  /// Returns whether an object type indication means MPEG-2 AAC or MPEG-4 audio.
  private static func isMPEGAudio(_ indication: UInt8) -> Bool {
    indication == 0x40 || MP4Track.isMPEG2(indication)
  }

  private static func isAAC(_ indication: UInt8, _ stream: AudioSpecificConfig) -> Bool {
    if MP4Track.isMPEG2(indication) { return true }
    // 14496-3, table 1.17: the general audio types, and xHE-AAC (42) and ELD (39).
    let types: [UInt8] = [1, 2, 3, 4, 5, 6, 17, 19, 20, 22, 23, 29, 39, 42]
    return indication == 0x40 && types.contains(stream.objectType.rawValue)
  }

  /// Finds `esds`, which is inside a `wave` box in QuickTime files.
  private mutating func findDescriptor(
    in range: Range<Int>, isInsideWave: Bool
  ) -> ElementaryStreamDescriptor? {
    var list = boxes(in: range)
    while let box = list.next(&damage) {
      if box.type == .elementaryStreamDescriptor, box.content.count > 4 {
        return ElementaryStreamDescriptor(
          parsing: bytes, range: box.content.lowerBound + 4..<box.content.upperBound)
      }
      if box.type == .quickTimeWave, isInsideWave {
        return findDescriptor(in: box.content, isInsideWave: false)
      }
    }
    return nil
  }

  /// Reads the sizes, offsets and times of the frames.
  mutating func readSamples(_ tables: SampleTableBoxes, in media: Box) {
    guard let sizes = tables.sizes, let chunks = tables.chunks, let offsets = tables.offsets,
      let times = tables.times
    else { return report(.missingTable, in: media) }
    readSizes(sizes)
    readChunkOffsets(chunks: chunks, offsets: offsets)
    if movie.samples.placedCount < movie.samples.sizes.count {
      report(.tableMismatch, in: chunks)
      movie.samples.dropUnplaced()
    }
    readTimes(times)
    if movie.samples.timedCount < movie.samples.sizes.count {
      report(.tableMismatch, in: times)
      movie.samples.time(movie.samples.sizes.count, duration: movie.samples.lastDuration ?? 1024)
    }
  }

  private mutating func readSizes(_ box: Box) {
    var reader = fields(of: box)
    reader.skip(32)
    var sizes = SampleSizes()
    sizes.transfer(&reader)
    let (common, count) = (sizes.common, sizes.count)
    let isCompact = box.type == .compactSampleSizes
    if isCompact || common == 0 {
      let bits = isCompact ? Int(common & 0xFF) : 32
      guard [4, 8, 16, 32].contains(bits), isCompact == (bits < 32) else {
        return report(.tableMismatch, in: box)
      }
      for _ in 0..<entryCount(count, entryBits: bits, left: reader, in: box) {
        movie.samples.append(size: reader.read(bits))
      }
      return
    }
    // No table confirms this count, but the size of the file limits the number of frames.
    let room = min(fileByteCount / UInt64(common), UInt64(unitLimit))
    if UInt64(count) > room { report(.countExceedsBox, in: box) }
    for _ in 0..<min(UInt64(count), room) { movie.samples.append(size: common) }
  }

  private mutating func readChunkOffsets(chunks: Box, offsets: Box) {
    let offsetBits = offsets.type == .largeChunkOffsets ? 64 : 32
    var (offsetReader, chunkCount) = table(offsets, entryBits: offsetBits)
    var (reader, runsLeft) = table(chunks, entryBits: 96)
    var perChunk = 0
    // A run of equal chunks lasts until the first chunk of the next run.
    var nextRun: ChunkRuns.Run?
    for chunk in 0..<chunkCount {
      while true {
        if nextRun == nil, runsLeft > 0 {
          runsLeft -= 1
          nextRun = ChunkRuns.Run(first: reader.read(32), unitCount: reader.read(32))
          reader.skip(32)
        }
        guard let run = nextRun, UInt64(run.first) <= UInt64(chunk) + 1 else { break }
        perChunk = Int(min(run.unitCount, UInt32(TrackParameters.unitLimit)))
        nextRun = nil
      }
      movie.samples.place(perChunk, at: offsetReader.readLong(offsetBits))
    }
  }

  private mutating func readTimes(_ box: Box) {
    var (reader, count) = table(box, entryBits: 64)
    for _ in 0..<count {
      let count = Int(min(reader.read(32), UInt32(TrackParameters.unitLimit)))
      movie.samples.time(count, duration: reader.read(32))
    }
  }
}
