import AacornCodec
import AacornSignal
import AacornSoundFiles
import Testing

@testable import AacornContainers

struct MP4RecordingWriterTests {
  static let entry = Array(
    #"{"position":4711,"length":256,"cause":"over\"run, ]}","filled":true}"#.utf8)

  static func configuration(
    reserve: Int = 2000, expecting count: Int? = nil
  ) -> MP4RecordingWriter.Configuration {
    var configuration = MP4RecordingWriter.Configuration(stream: mp4Mono)
    configuration.timing.priming = 1024
    configuration.timing.nominalBitrate = 96_000
    configuration.unitsPerFragment = 7
    configuration.reservedByteCount = reserve
    configuration.expectedUnitCount = count
    configuration.started = "2026-11-20T10:00:00.123Z"
    configuration.tags.title = "Träume"
    return configuration
  }

  struct Recording {
    var writer: MP4RecordingWriter
    var file: [UInt8]
    /// The number of frames and gap records in the file at each size in bytes.
    var steps: [(byteCount: Int, unitCount: Int, gapCount: Int)] = []

    init(_ configuration: MP4RecordingWriter.Configuration) throws {
      writer = try MP4RecordingWriter(configuration: configuration)
      file = writer.start()
      steps = [(file.count, 0, 0)]
    }

    /// Adds frames.
    ///
    /// Between them, it adds a gap and ends a fragment early.
    mutating func add(_ units: [[UInt8]]) throws {
      for (index, unit) in units.enumerated() {
        try writer.append(AccessUnit(bytes: unit), to: &file)
        let isOnDisk = (index + 1 - (index >= 17 ? 18 : 0)) % 7 == 0
        if index == 17 { writer.flush(to: &file) }
        if index == 17 || isOnDisk {
          steps.append((file.count, index + 1, index > 9 ? 2 : 0))
        }
        if index == 9 {
          try writer.append(gap: entry, to: &file)
          steps.append((file.count, 7, 1))
          try writer.append(gap: Array("{}".utf8), to: &file)
          steps.append((file.count, 7, 2))
        }
      }
      #expect(writer.byteCount == UInt64(file.count))
      #expect(writer.unitCount == units.count)
    }
  }

  static func frames(_ file: [UInt8], _ reader: MP4Reader) -> [[UInt8]] {
    (0..<reader.completeUnitCount).compactMap { index in
      reader.sample(at: index).map {
        Array(file[Int($0.offset)..<Int($0.offset) + Int($0.byteCount)])
      }
    }
  }

  @Test func everyPrefixOfARecordingPlaysItsWholeFragments() throws {
    let units = mp4Units(40)
    var recording = try Recording(Self.configuration())
    try recording.add(units)
    let file = recording.file
    for length in recording.steps[0].byteCount...file.count {
      let step = try #require(recording.steps.last { $0.byteCount <= length })
      let prefix = Array(file[..<length])
      let reader = MP4Reader(file: prefix)
      let found = Self.frames(prefix, reader)
      #expect(found.count >= step.unitCount, "\(length)")
      #expect(found[...] == units[..<found.count], "\(length)")
      #expect(reader.gapEntries.count == step.gapCount, "\(length)")
      #expect(reader.started == "2026-11-20T10:00:00.123Z")
      #expect(reader.tags.title == "Träume")
      let count = found.count * 1024
      #expect(
        reader.trim
          == (reader.unitCount == 0
            ? nil
            : StreamTrim(
              priming: min(1024, count), remainder: 0, sampleCount: max(0, count - 1024))),
        "\(length)")
      if length == step.byteCount {
        #expect(reader.damage == [])
        #expect(found.count == step.unitCount)
      }
    }
  }

  @Test(arguments: [0, 24, 700, 2000, 16_384], [1, 6, 7, 8, 40])
  func aCompleteRecordingIsAnOrdinaryFile(reserve: Int, count: Int) throws {
    let units = mp4Units(count)
    var recording = try Recording(Self.configuration(reserve: reserve))
    try recording.add(units)
    let trim = StreamTrim(
      priming: count == 1 ? 0 : 1024, remainder: 72,
      sampleCount: count * 1024 - (count == 1 ? 72 : 1096))
    let media = recording.file[recording.steps[0].byteCount...]
    var tags = MP4Tags()
    tags.title = "Done"
    for write in try recording.writer.finish(trim, tags: tags) { recording.apply(write) }
    let file = recording.file
    // The audio keeps its position.
    #expect(file[recording.steps[0].byteCount...].starts(with: media))
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [])
    #expect(Self.frames(file, reader) == units)
    #expect(reader.fragmentCount == 0)
    #expect(reader.trim == trim)
    #expect(reader.gaplessTag?.validCount == UInt64(trim.sampleCount))
    #expect(reader.isMovieFirst == (reserve >= 2000))
    #expect(reader.track?.rollDistance == -1)
    #expect(reader.track?.hasRollGroups == true)
    #expect(reader.track?.duration == UInt64(count * 1024))
    #expect(reader.tags.title == "Done")
    #expect(reader.started == "2026-11-20T10:00:00.123Z")
    #expect(reader.gapEntries == (count > 9 ? [Self.entry, Array("{}".utf8)] : []))
    #expect(reader.sample(at: count - 1)?.time == UInt64((count - 1) * 1024))
  }

  @Test(arguments: [24, 2000])
  func theFinishMayStopAtEveryByte(reserve: Int) throws {
    let units = mp4Units(20)
    var recording = try Recording(Self.configuration(reserve: reserve))
    try recording.add(units)
    let before = recording.file
    let trim = mp4Trim(units: 20)
    let writes = Array(try recording.writer.finish(trim))
    // Only the last write changes the result of a reader, and it is so short that it is atomic.
    #expect(writes.map(\.needsSync) == writes.map { $0 == writes.last })
    #expect(writes.last?.bytes.count == 8)
    #expect(writes.last?.offset == 32)
    for write in writes.dropLast() {
      for count in 0..<write.bytes.count {
        var torn = recording
        torn.apply(FileWrite(offset: write.offset, bytes: Array(write.bytes[..<count])))
        let reader = MP4Reader(file: torn.file)
        let found = Self.frames(torn.file, reader)
        #expect(found.count >= 18 && found[...] == units[..<found.count])
        #expect(reader.fragmentCount >= 3)
        #expect(reader.track?.edits == [MP4Track.Edit(duration: 0, mediaTime: 1024)])
        #expect(reader.gapEntries.count == 2)
      }
      recording.apply(write)
    }
    #expect(recording.file[..<before.count] != before[...] || reserve == 24)
    recording.apply(try #require(writes.last))
    #expect(Self.frames(recording.file, MP4Reader(file: recording.file)) == units)
  }

  @Test(arguments: [0, 1, 7, 100, 1000])
  func anExpectedCountReservesEnough(_ count: Int) throws {
    var recording = try Recording(Self.configuration(reserve: 0, expecting: count))
    for unit in mp4Units(count) {
      try recording.writer.append(AccessUnit(bytes: unit), to: &recording.file)
    }
    let trim =
      count < 2 ? StreamTrim(priming: 0, remainder: 0, sampleCount: 0) : mp4Trim(units: count)
    for write in try recording.writer.finish(trim) { recording.apply(write) }
    let reader = MP4Reader(file: recording.file)
    #expect(reader.damage == [])
    #expect(reader.isMovieFirst && reader.fragmentCount == 0)
    #expect(reader.completeUnitCount == count)
  }

  @Test func aDayIsFinishedInSmallPieces() throws {
    let count = 4_050_000
    let perFragment = 23
    let spacing = UInt64(1500 * perFragment + 200)
    var tables = try MovieTables(mp4Mono, StreamTiming(mp4Mono), expecting: count)
    for _ in 0..<count { try tables.append(byteCount: 1500) }
    var end: UInt64 = 20_000
    for first in stride(from: 0, to: count, by: perFragment) {
      let unitCount = min(perFragment, count - first)
      tables.append(MP4FragmentWriter.Chunk(offset: end, unitCount: unitCount))
      end += spacing
    }
    #expect(end > 0xFFFF_FFFF)
    let movie = tables.completed(
      Movie(parameters: tables.parameters, tags: MP4Tags(), creationTime: 0),
      StreamTrim(priming: 1024, remainder: 976, sampleCount: count * 1024 - 2000))
    let front = MovieHeaderReservation(
      movieOffset: 32, movieByteCount: 600, reservedByteCount: 16_384)
    var fileType = BoxWriter()
    fileType.putFileType(isFragmented: true)
    var writes = [FileWrite(offset: 0, bytes: fileType.bytes)]
    var rest = front.writes(completing: movie, tables, tail: [], fileByteCount: end)
    while let write = rest.next() { writes.append(write) }
    #expect(writes.count > 100)
    #expect(writes.allSatisfy { $0.bytes.count <= 1 << 17 })
    let reader = mp4Reader(of: writes, byteCount: writes.map(\.end).max() ?? 0)
    #expect(reader.damage == [])
    #expect(reader.unitCount == count)
    #expect(
      reader.trim == StreamTrim(priming: 1024, remainder: 976, sampleCount: count * 1024 - 2000))
    #expect(
      reader.sample(at: count - 1)?.offset == end - spacing + 1500
        * UInt64((count - 1) % perFragment))
  }

  @Test func recordingWriterRejectsInvalidInput() throws {
    var recording = try Recording(Self.configuration())
    #expect(throws: ContainerError.frameTooLong(byteCount: 65_536, limit: 65_535)) {
      let unit = AccessUnit(bytes: [UInt8](repeating: 0, count: 65_536))
      try recording.writer.append(unit, to: &recording.file)
    }
    #expect(throws: ContainerError.tagsTooLong(byteCount: 5000, limit: 4096)) {
      try recording.writer.append(gap: [UInt8](repeating: 32, count: 5000), to: &recording.file)
    }
    try recording.add(mp4Units(2))
    #expect(throws: ContainerError.trimOutsideStream(priming: 1024, sampleCount: 1025)) {
      _ = try recording.writer.finish(StreamTrim(priming: 1024, remainder: 0, sampleCount: 1025))
    }
    var configuration = Self.configuration(expecting: .max)
    #expect(throws: ContainerError.tooManyFrames(limit: 1 << 28)) {
      _ = try MP4RecordingWriter(configuration: configuration)
    }
    configuration = Self.configuration()
    configuration.unitsPerFragment = .max
    configuration.reservedByteCount = .min
    #expect(throws: Never.self) { _ = try MP4RecordingWriter(configuration: configuration) }
  }
}

extension MP4RecordingWriterTests.Recording {
  mutating func apply(_ write: FileWrite) { write.apply(to: &file) }
}

extension FileWrite {
  fileprivate var end: UInt64 { offset + UInt64(bytes.count) }
}
