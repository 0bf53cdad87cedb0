import AacornCodec
import AacornSignal
import Testing

@testable import AacornContainers

struct CodedMovieTests {
  let units = mp4Units(100)

  private func file(_ layout: MP4Writer.Layout) throws -> [UInt8] {
    var configuration = MP4Writer.Configuration(stream: mp4Mono, layout: layout)
    configuration.timing.priming = 1024
    return try mp4File(configuration, units, mp4Trim(units: units.count))
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func samplesAreUnits(layout: MP4Writer.Layout) throws {
    let file = try file(layout)
    var reader = CodedFileReader(byteCount: UInt64(file.count))
    let steps = try codedSteps(of: &reader, file)
    #expect(reader.kind == .mp4)
    #expect(steps.count == 1 + units.count)
    #expect(steps.first == .configuration(mp4Mono))
    #expect(steps.units.map { $0.bytes } == units)
    #expect(steps.units.map { $0.index } == Array(units.indices))
    let unitsAtOffsets = steps.units.map { Array(file[Int($0.offset)...].prefix($0.bytes.count)) }
    #expect(unitsAtOffsets == units)
    #expect(reader.movie?.trim == mp4Trim(units: units.count))
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .fragmented])
  func tablesInFrontCanComeFromAPipe(layout: MP4Writer.Layout) throws {
    let file = try file(layout)
    var reader = CodedFileReader(byteCount: nil)
    let steps = try codedSteps(of: &reader, file, isPiped: true)
    let whole = try codedSteps(file)
    #expect(steps == whole)
    #expect(reader.movie?.trim == mp4Trim(units: units.count))
    #expect(reader.movie?.damage == [])
  }

  @Test func tablesAtTheEndCannotComeFromAPipe() throws {
    let file = try file(.moovAtEnd)
    #expect(throws: CodedFileError.requiresSeeking) { try codedSteps(file, isPiped: true) }
  }

  @Test func unitsAreReadTogether() throws {
    let file = try file(.faststart)
    var reader = CodedFileReader(byteCount: UInt64(file.count))
    var requestCount = 0
    loop: while true {
      switch try reader.step() {
      case .need(let offset, let count):
        requestCount += 1
        reader.supply(Array(file[Int(offset)..<Int(offset) + count]))
      case .end: break loop
      default: break
      }
    }
    #expect(requestCount < 8)
  }

  @Test func anyUnitCanBeTheNext() throws {
    let file = try file(.moovAtEnd)
    var reader = CodedFileReader(byteCount: UInt64(file.count))
    _ = try codedSteps(of: &reader, file, limit: 3)
    for index in [70, 3, 99, 0] {
      let canSeek = reader.seek(toUnit: index)
      #expect(canSeek)
      let next = try codedSteps(of: &reader, file, limit: 1)
      #expect(next.units.map { $0.index } == [index])
      #expect(next.units.map { $0.bytes } == [units[index]])
    }
    let isBeyond = reader.seek(toUnit: units.count)
    #expect(!isBeyond)
    let rest = try codedSteps(of: &reader, file)
    #expect(rest.units.map { $0.index } == Array(1..<100))
    // A seek also works after the end.
    let canSeek = reader.seek(toUnit: 98)
    #expect(canSeek)
    let last = try codedSteps(of: &reader, file)
    #expect(last.units.map { $0.index } == [98, 99])
  }

  @Test func unitOfAbsurdLengthIsDamage() throws {
    var file = try file(.faststart)
    // The first chunk contains one second, units 0…42. The invalid size of unit 3 moves the
    // following units of the chunk past the end of the file.
    let size = find("stsz", in: file) + 16 + 4 * 3
    file.replaceSubrange(size..<size + 4, with: [0, 0x20, 0, 0])
    let steps = try codedSteps(file)
    #expect(steps.units.map { $0.index } == [0, 1, 2] + Array(43..<100))
    #expect(steps.units.allSatisfy { $0.bytes == units[$0.index] })
    #expect(steps.damage.map { $0.kind } == [.missingUnits])
    #expect(steps[4] == .damage(steps.damage[0]))
  }

  @Test func truncatedFileYieldsAvailableUnits() throws {
    let whole = try file(.faststart)
    let media = find("mdat", in: whole) + 4
    for cut in stride(from: media, to: whole.count, by: 611) {
      let steps = try codedSteps(Array(whole[..<cut]))
      #expect(units.starts(with: steps.units.map { $0.bytes }))
      #expect(steps.damage.map { $0.kind } == [.missingUnits])
    }
  }

  @Test func trackCanBeChosen() throws {
    var file = try MP4Fixtures.load().bytes("m4a_edts_roll")
    let track = Array(file[148..<148 + 0x223])
    file.insert(contentsOf: track, at: 148)
    grow(&file, at: 32, by: track.count)
    for number in [1, 2] {
      let reader = MP4Reader(byteCount: UInt64(file.count), track: number)
      #expect(reader.aacTrackCount == 0)
      var coded = CodedFileReader(byteCount: UInt64(file.count), track: number)
      _ = try codedSteps(of: &coded, file)
      #expect(coded.movie?.aacTrackCount == number)
      #expect(coded.movie?.ignoredTrackCount == 1)
    }
    #expect(throws: CodedFileError.noAudioTrack(found: 2)) { try codedSteps(file, track: 3) }
  }

  @Test func otherCodecsAreIdentified() throws {
    let whole = try file(.faststart)
    func renamed(_ name: String) -> [UInt8] {
      var file = whole
      let entry = find("mp4a", in: file)
      file.replaceSubrange(entry..<entry + 4, with: Array(name.utf8))
      return file
    }
    #expect(
      throws: CodedFileError.unsupportedCodec(
        .sampleEntry(FourCharacterCode("a", "l", "a", "c")))
    ) { try codedSteps(renamed("alac")) }
    #expect(throws: CodedFileError.encrypted) { try codedSteps(renamed("enca")) }
    // The object type follows the headers of two descriptors.
    var layer3 = whole
    layer3[find("esds", in: layer3) + 21] = 0x6B
    #expect(throws: CodedFileError.unsupportedCodec(.objectTypeIndication(0x6B))) {
      try codedSteps(layer3)
    }
    var video = whole
    let handler = find("soun", in: video)
    video.replaceSubrange(handler..<handler + 4, with: Array("vide".utf8))
    let entry = find("mp4a", in: video)
    video.replaceSubrange(entry..<entry + 4, with: Array("avc1".utf8))
    #expect(throws: CodedFileError.noAudio) { try codedSteps(video) }
    // Clear the elementary stream descriptor, which follows the type and version of the box.
    var torn = whole
    let descriptor = find("esds", in: torn)
    for index in descriptor + 8..<descriptor + 30 { torn[index] = 0 }
    #expect(throws: CodedFileError.invalidConfiguration) { try codedSteps(torn) }
  }

  @Test func piecesOfAStreamInFragmentsAreNamed() throws {
    var writer = try MP4SegmentWriter(stream: mp4Mono, timing: StreamTiming(mp4Mono))
    let segments = try MP4SegmentWriterTests.fragments(units, perFragment: 50, writer: &writer)
    let beginning = writer.initialization
    #expect(throws: CodedFileError.pieceOfFragments(isBeginning: true)) {
      try codedSteps(beginning)
    }
    // A segment starts with the box for its type, or without that box directly with the fragment.
    for dropped in [0, Int(segments[0][3])] {
      #expect(throws: CodedFileError.pieceOfFragments(isBeginning: false)) {
        try codedSteps(Array(segments[0].dropFirst(dropped)))
      }
    }
    #expect(try codedSteps(beginning + segments[1]).units.count == 50)
    // A file without its tables has a different error.
    let whole = try file(.fragmented)
    let movie = find("moov", in: whole) - 4
    let end = movie + Int(whole[movie + 2]) << 8 + Int(whole[movie + 3])
    #expect(throws: CodedFileError.unfinished(hasAudio: false)) {
      try codedSteps(Array(whole[..<movie] + whole[end...]))
    }
  }

  @Test func missingTablesThrowUnfinished() throws {
    let whole = try file(.moovAtEnd)
    let movie = find("moov", in: whole) - 4
    let cut = Array(whole[..<movie])
    #expect(throws: CodedFileError.unfinished(hasAudio: true)) { try codedSteps(cut) }
    let torn = Array(whole[..<(movie + 200)])
    #expect(throws: CodedFileError.unfinished(hasAudio: true)) { try codedSteps(torn) }
    let front = try file(.faststart)
    for count in [20, 32, find("mvhd", in: front) + 40] {
      let head = Array(front[..<count])
      #expect(throws: CodedFileError.unfinished(hasAudio: false)) { try codedSteps(head) }
      #expect(throws: CodedFileError.unfinished(hasAudio: false)) {
        try codedSteps(head, isPiped: true)
      }
    }
  }

  @Test func truncatedTablesThrowUnfinished() throws {
    let whole = try file(.faststart)
    let movie = find("moov", in: whole) - 4
    let end = movie + Int(whole[movie + 2]) << 8 + Int(whole[movie + 3])
    for count in stride(from: movie + 8, to: end, by: 5) {
      let cut = Array(whole[..<count])
      #expect(throws: CodedFileError.unfinished(hasAudio: false)) { try codedSteps(cut) }
      #expect(throws: CodedFileError.unfinished(hasAudio: false)) {
        try codedSteps(cut, isPiped: true)
      }
    }
  }
}
