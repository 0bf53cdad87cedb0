import AacornCodec
import Testing

@testable import AacornContainers

struct MP4DamageTests {
  let fixtures: MP4Fixtures

  init() throws {
    fixtures = try MP4Fixtures.load()
  }

  private func files() throws -> [[UInt8]] {
    var configuration = MP4Writer.Configuration(stream: mp4Mono, layout: .fragmented)
    configuration.timing.priming = 1024
    configuration.tags.title = "t"
    let fragmented = try mp4File(configuration, mp4Units(50), mp4Trim(units: 50))
    return [
      fixtures.bytes("m4a_edts_roll"), fixtures.bytes("m4a_itunsmpb"), fragmented,
    ]
  }

  /// Reads a file, accesses all properties, and counts the steps.
  private func exercise(_ file: [UInt8], announced: Int? = nil) -> (MP4Reader, steps: Int) {
    let byteCount = announced ?? file.count
    var reader = MP4Reader(byteCount: UInt64(byteCount))
    var steps = 0
    while case .need(let offset, let count) = reader.step(), steps < 100_000 {
      let start = Int(min(offset, UInt64(file.count)))
      reader.supply(Array(file[start..<min(file.count, start + count)]))
      steps += 1
    }
    for index in 0..<min(reader.unitCount, 1000) {
      guard let sample = reader.sample(at: index), index < reader.completeUnitCount else {
        continue
      }
      #expect(sample.offset + UInt64(sample.byteCount) <= UInt64(byteCount))
    }
    _ = reader.trim
    return (reader, steps)
  }

  @Test func everyTruncationIsReported() throws {
    for file in try files() {
      var damage = DamageLog()
      var list = BoxList(file, in: 0..<file.count, fileOffset: 0)
      var borders: [Int] = []
      while let box = list.next(&damage) {
        if box.type == .movieFragment { borders.append(box.start) }
      }
      for length in 0..<file.count {
        let (cut, steps) = exercise(Array(file[..<length]))
        #expect(steps < 1000)
        // A file that is cut between two fragments, or where only zeros follow the last fragment,
        // is valid but shorter.
        let isIntact = borders.contains { $0 <= length && file[$0..<length].allSatisfy { $0 == 0 } }
        #expect(cut.damage.isEmpty == isIntact, "\(length)")
        // If a longer file was announced, the reader detects truncated tables, but not truncated
        // audio, which it does not read.
        let (short, more) = exercise(Array(file[..<length]), announced: file.count)
        #expect(more < 1000)
        if length < 600 { #expect(short.damage.contains { $0.kind == .truncated }, "\(length)") }
      }
    }
  }

  @Test func wholeFramesOfATruncatedFileAreUsable() throws {
    let file = fixtures.bytes("m4a_edts_roll")
    let (reader, _) = exercise(Array(file[..<750]))
    #expect(reader.unitCount == 4)
    #expect(reader.completeUnitCount == 2)
    #expect(reader.damage.map(\.kind) == [.truncated, .sampleOutsideFile])
    #expect(reader.damage.last?.offset == 744)
  }

  @Test func mediaDataWithoutMovieIsReported() {
    let file = fixtures.bytes("m4a_edts_roll")
    let bytes = Array(file[..<32]) + Array(file[695...])
    let (reader, _) = exercise(bytes)
    #expect(reader.damage == [MP4Damage(.missingMovie, offset: 32, length: UInt64(87))])
  }

  @Test(
    "Sizes no box can have are reported",
    arguments: [
      ([0, 0, 0, 7], MP4Damage.Kind.invalidBoxSize), ([0, 0, 0, 2], .invalidBoxSize),
      ([0x7F, 0xFF, 0xFF, 0xFF], .truncated), ([0, 0, 0, 0], .noAudioTrack),
      ([0, 0, 0, 1], .truncated),
    ])
  func oddSizes(_ size: [UInt8], kind: MP4Damage.Kind) {
    var file = fixtures.bytes("m4a_edts_roll")
    // The free box ends with the file, so a size of 0 is legal but leaves no content for the movie.
    file = Array(file[..<32]) + size + Array("moov".utf8) + [0xFF]
    file += [UInt8](repeating: 0xFF, count: kind == .noAudioTrack ? 0 : 23)
    let (reader, _) = exercise(file)
    #expect(reader.damage.contains { $0.kind == kind }, "\(reader.damage)")
  }

  @Test func mediaDataUpToTheEndOfTheFileIsAccepted() {
    var file = fixtures.bytes("m4a_edts_roll")
    file.replaceSubrange(695..<699, with: [0, 0, 0, 0])
    let (reader, _) = exercise(file)
    #expect(reader.damage == [])
    #expect(reader.completeUnitCount == 4)
  }

  @Test(
    "Counts that their box cannot hold are reported",
    arguments: ["stts", "stsc", "stsz", "stco", "elst"])
  func overlongCounts(_ name: String) {
    var file = fixtures.bytes("m4a_edts_roll")
    let start = file.indices.first { file[$0...].starts(with: name.utf8) } ?? 0
    let count = start + (name == "stsz" ? 12 : 8)
    file.replaceSubrange(count..<count + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
    let (reader, _) = exercise(file)
    #expect(reader.damage.contains { $0.kind == .countExceedsBox })
    #expect(reader.unitCount == 4)
  }

  @Test func damageIsBounded() {
    var movie = BoxWriter()
    movie.box(.movie) { box in
      for _ in 0..<1000 { box.box(.track) { _ in } }
    }
    let (reader, _) = exercise(movie.bytes)
    #expect(reader.damage.count == 100)
  }

  @Test func enormousMovieBoxIsSkipped() {
    var reader = MP4Reader(byteCount: .max)
    reader.supply([0, 0, 0, 1] + Array("moov".utf8) + [0x10, 0, 0, 0, 0, 0, 0, 0])
    #expect(reader.damage.map(\.kind) == [.boxTooLarge])
    guard case .need(let offset, _) = reader.step() else {
      Issue.record("The reader asks for nothing.")
      return
    }
    #expect(offset == 1 << 60)
  }

  @Test func movieIsAskedForInPieces() {
    var reader = MP4Reader(byteCount: 1 << 40)
    reader.supply([0x04, 0, 0, 0] + Array("moov".utf8) + [UInt8](repeating: 0, count: 8))
    #expect(reader.step() == .need(offset: 8, count: 1 << 20))
    reader.supply([1, 2, 3])
    #expect(reader.step() == .ready)
    #expect(reader.damage.first == MP4Damage(.truncated, offset: 0, length: 1 << 26))
  }
}
