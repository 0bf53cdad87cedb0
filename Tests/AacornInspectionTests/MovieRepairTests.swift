import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import Testing

@testable import AacornInspection

struct MovieRepairTests {
  /// Expects a regular file with these frames.
  func expectWhole(
    _ file: [UInt8], _ units: ArraySlice<AccessUnit>, priming: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [], sourceLocation: sourceLocation)
    #expect(reader.fragmentCount == 0, sourceLocation: sourceLocation)
    #expect(movieFrames(file) == units.map(\.bytes), sourceLocation: sourceLocation)
    let total = units.count * 1024
    let trim = StreamTrim(
      priming: min(priming, total), remainder: 0, sampleCount: max(0, total - priming))
    #expect(reader.trim == trim, sourceLocation: sourceLocation)
    #expect(repair(file).isIntact, sourceLocation: sourceLocation)
  }

  /// Expects a repair, to a new file and in place, with these frames; returns the plan.
  @discardableResult
  func expectRepair(
    of file: [UInt8], _ units: ArraySlice<AccessUnit>, _ hints: RepairHints = RepairHints(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RepairPlan {
    let plan = try #require(repair(file, hints).plan, sourceLocation: sourceLocation)
    let healed = try #require(plan.healed(file), sourceLocation: sourceLocation)
    #expect(plan.frameCount == units.count, sourceLocation: sourceLocation)
    for repaired in [plan.made(from: file), healed] {
      expectWhole(repaired, units, priming: 1024, sourceLocation: sourceLocation)
    }
    return plan
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func intactFilesAreUnchanged(layout: MP4Writer.Layout) throws {
    #expect(repair(try RepairFixture().movie(layout)).isIntact)
  }

  @Test func fragmentsOfOtherSoundAreNamed() throws {
    let whole = try RepairFixture().movie(.fragmented)
    let entry = try #require(whole.offset(of: "mp4a"))
    let other = FourCharacterCode("a", "c", "-", "3")
    let errors: [(FourCharacterCode, CodedFileError)] = [
      (other, .unsupportedCodec(.sampleEntry(other))),
      (FourCharacterCode("e", "n", "c", "a"), .encrypted),
    ]
    for (name, error) in errors {
      var file = whole
      file.replaceSubrange(entry..<entry + 4, with: name.bytes)
      #expect(repair(file).error == .noStream(error))
    }
  }

  @Test(arguments: [4096, 0])
  func anUnfinishedRecordingIsFinished(reserve: Int) throws {
    let fixture = try RepairFixture()
    let file = try fixture.recording(reserve: reserve)
    let plan = try #require(repair(file).plan)
    #expect(plan.frameCount == 60 && plan.stream == fixture.stream)
    #expect(plan.losses == RepairLog())
    #expect(plan.gapEntries == [RepairFixture.gap])
    let healed = try #require(plan.healed(file))
    // The audio keeps its position.
    #expect(healed[(200 + reserve)..<file.count].suffix(1000) == file.suffix(1000))
    for repaired in [healed, plan.made(from: file)] {
      expectWhole(repaired, fixture.units[...], priming: 1024)
      let reader = MP4Reader(file: repaired)
      #expect(reader.gapEntries == [RepairFixture.gap])
      #expect(reader.started == "2026-11-20T10:00:00.123Z")
      #expect(reader.creationTime == 3_900_000_000)
      #expect(reader.tags.title == "A title")
      #expect(reader.coverImage?.count == 6)
    }
    #expect(MP4Reader(file: healed).isMovieFirst == (reserve > 0))
    #expect(MP4Reader(file: plan.made(from: file)).isMovieFirst)
  }

  @Test func aRecordingCutAnywhereKeepsItsWholeFrames() throws {
    let fixture = try RepairFixture(rate: 16_000, channels: 1, unitCount: 25)
    let file = try fixture.recording(reserve: 3000)
    let start = Int(try #require(MP4Reader(file: file).sample(at: 0)).offset)
    var (tornCount, emptyCount) = (0, 0)
    for length in stride(from: start - 100, to: file.count, by: 7) {
      let cut = Array(file[..<length])
      let available = MP4Reader(file: cut).completeUnitCount
      if available == 0 {
        #expect(repair(cut).error == .noFrames)
        emptyCount += 1
        continue
      }
      let plan = try expectRepair(of: cut, fixture.units[..<available])
      if let loss = plan.losses.first.first {
        #expect(loss.offset + loss.length == UInt64(length))
        #expect(loss.reason == .tornFrame && plan.losses.count == 1)
        tornCount += 1
      }
    }
    #expect(tornCount > 10 && emptyCount > 5, "\(tornCount), \(emptyCount)")
  }

  @Test func theRepairMayBeStoppedAndBegunAgain() throws {
    let fixture = try RepairFixture(unitCount: 30)
    for reserve in [4096, 0] {
      let file = try fixture.recording(reserve: reserve)
      let writes = Array(try #require(repair(file).plan?.inPlace?.writes))
      var interrupted = file
      for write in writes.dropLast() {
        FileWrite(offset: write.offset, bytes: Array(write.bytes[..<(write.bytes.count / 2)]))
          .apply(to: &interrupted)
        try expectRepair(of: interrupted, fixture.units[...])
        write.apply(to: &interrupted)
      }
      try expectRepair(of: interrupted, fixture.units[...])
    }
  }

  @Test func zerosThatAPowerCutLeftAreDropped() throws {
    let fixture = try RepairFixture()
    var file = try fixture.recording()
    let reader = MP4Reader(file: file)
    let start = Int(try #require(reader.sample(at: 53)).offset)
    for index in start..<file.count { file[index] = 0 }
    let plan = try expectRepair(of: file, fixture.units[..<53])
    #expect(plan.losses.first.allSatisfy { $0.reason == .unreadableFrame })
    #expect(plan.losses.count == 7)
  }

  @Test func fragmentsOfOthersAreRewrapped() throws {
    let fixture = try RepairFixture(unitCount: 150)
    let file = try fixture.movie(.fragmented)
    let last = Int(try #require(MP4Reader(file: file).sample(at: 120)).offset)
    let cut = Array(file[..<(last + 5)])
    try expectRepair(of: cut, fixture.units[..<120])
  }

  @Test func aCutFileWithTablesInFrontKeepsTheFramesThatAreThere() throws {
    let fixture = try RepairFixture()
    let file = try fixture.movie(.faststart)
    let cut = Array(file[..<Int(try #require(MP4Reader(file: file).sample(at: 40)).offset + 3)])
    let plan = try #require(repair(cut).plan)
    #expect(plan.frameCount == 40 && plan.inPlace == nil)
    #expect(plan.losses.first.map(\.length) == [3])
    let new = plan.made(from: cut)
    expectWhole(new, fixture.units[..<40], priming: 1024)
    #expect(MP4Reader(file: new).tags.title == "A title")
  }

  @Test func truncatedTablesAfterMediaAreRebuilt() throws {
    let fixture = try RepairFixture()
    let file = try fixture.movie(.moovAtEnd)
    let movie = Int(try #require(MP4Reader(file: file).movieOffset))
    for length in stride(from: movie + 8, to: file.count, by: 23) {
      let cut = Array(file[..<length])
      try expectRepair(
        of: cut, fixture.units[...], RepairHints(sampleRate: 48_000, priming: 1024))
    }
  }

  static let shapes: [(Int, Int)] = [
    (48_000, 2), (44_100, 1), (32_000, 2), (16_000, 1), (22_050, 2), (48_000, 6), (96_000, 2),
    (8000, 1),
  ]

  @Test(arguments: shapes, [MP4Writer.Layout.faststart, .moovAtEnd])
  func soundWithoutTablesIsFoundByReadingIt(shape: (Int, Int), layout: MP4Writer.Layout) throws {
    let (rate, channels) = shape
    let fixture = try RepairFixture(rate: rate, channels: channels)
    let file = try fixture.movie(layout, isFinished: false)
    var candidates = repair(file).candidates ?? []
    if candidates.isEmpty { candidates = try [#require(repair(file).plan?.stream)] }
    #expect(candidates.contains(fixture.stream))
    #expect(candidates.count <= 3, "\(candidates.map(\.sampleRate))")
    #expect(candidates.allSatisfy { $0.channelCount == channels })
    #expect(repair(file, RepairHints(channelCount: channels + 1)).error == .noFrames)
    let hints = RepairHints(sampleRate: rate, channelCount: channels, priming: 1024)
    let plan = try expectRepair(of: file, fixture.units[...], hints)
    #expect(plan.stream == fixture.stream && plan.losses.count == 0)
  }

  /// Up to 29/32 of the spectrum, the bands at 32 kHz equal the bands at 48 kHz, so both rates are
  /// possible.
  @Test func ratesOfOtherBandTablesAreExcluded() throws {
    let file = try RepairFixture().movie(.moovAtEnd, isFinished: false)
    #expect(repair(file).candidates?.map(\.sampleRate) == [48_000, 44_100, 32_000])
    #expect(repair(file, RepairHints(sampleRate: 16_000)).error == .noFrames)
  }

  @Test func silenceFitsManyRates() throws {
    let file = try RepairFixture(isSilent: true).movie(.moovAtEnd, isFinished: false)
    let rates = repair(file).candidates?.map(\.sampleRate) ?? []
    #expect(rates.first == 48_000 && rates.count >= 5, "\(rates)")
  }

  @Test func soundWithoutTablesMayBeCutAnywhere() throws {
    let fixture = try RepairFixture(rate: 16_000, channels: 1, unitCount: 25)
    let file = try fixture.movie(.moovAtEnd, isFinished: false)
    var ends: [Int] = [44]
    for unit in fixture.units { ends.append((ends.last ?? 0) + unit.bytes.count) }
    #expect(ends.last == file.count)
    for length in stride(from: ends[4], to: file.count, by: 5) {
      let cut = Array(file[..<length])
      let whole = ends.count { $0 <= length } - 1
      let plan = try #require(
        repair(cut, RepairHints(sampleRate: 16_000, priming: 1024)).plan, "\(length)")
      #expect(plan.frameCount == whole)
      expectWhole(plan.made(from: cut), fixture.units[..<whole], priming: 1024)
      if length > ends[whole] {
        #expect(plan.losses.first.map(\.reason) == [.tornFrame])
        #expect(plan.losses.byteCount == UInt64(length - ends[whole]))
      }
    }
  }

  @Test func garbageBetweenFramesIsPassedOver() throws {
    let fixture = try RepairFixture()
    var file = try fixture.movie(.moovAtEnd, isFinished: false)
    let offset = 44 + fixture.units[..<30].reduce(0) { $0 + $1.bytes.count }
    file.insert(contentsOf: [UInt8](repeating: 0xA5, count: 333), at: offset)
    let plan = try expectRepair(
      of: file, fixture.units[...], RepairHints(sampleRate: 48_000, priming: 1024))
    #expect(
      plan.losses.first == [
        RepairLog.Loss(reason: .garbage, offset: UInt64(offset), length: 333)
      ])
  }

  @Test func irreparableFilesReportTheirReason() throws {
    let fixture = try RepairFixture()
    let recording = try fixture.recording()
    let media = Int(try #require(MP4Reader(file: recording).mediaOffset))
    // Fragments without the preceding movie box.
    let orphans = recording[..<32] + recording[(media - 400)...]
    #expect(repair(Array(orphans)).error != nil)
    // The content after a crash in the first second.
    let start = Array(recording[..<4500])
    #expect(repair(start).error == .noFrames)
    #expect(repair(Array(recording[..<32])).error == .noFrames)
    var random: UInt32 = 7
    let noise = (0..<50_000).map { _ -> UInt8 in
      random = random &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: random >> 24)
    }
    let header: [UInt8] = [0, 0, 0, 0] + Array("mdat".utf8)
    #expect(repair(Array(recording[..<32]) + header + noise).error == .noFrames)
  }

  @Test func tablesThatClaimTooMuchAreRefused() throws {
    // All frames have the same offset.
    let fixture = try RepairFixture(unitCount: 100)
    var file = try fixture.movie(.faststart)
    let reader = MP4Reader(file: file)
    let sizes = try #require(file.offset(of: "stsz"))
    let offsets = try #require(file.offset(of: "stco"))
    let chunks = Int(file[offsets + 11])
    for chunk in 0..<chunks {
      for byte in 0..<4 {
        file[offsets + 12 + chunk * 4 + byte] = file[offsets + 12 + byte]
      }
    }
    for index in 0..<100 {
      // 40 frames of 200 bytes each in one chunk.
      file[sizes + 16 + index * 4 + 1] = 0
      file[sizes + 16 + index * 4 + 2] = 4
    }
    #expect(reader.unitCount == 100)
    switch repair(file) {
    case .intact, .irreparable: break
    case .repairable(let plan):
      var total = 0
      for step in plan.newFile { if case .copy(let range) = step { total += range.count } }
      #expect(total <= file.count)
    case .needsConfiguration: Issue.record("nothing to ask for")
    }
  }
}
