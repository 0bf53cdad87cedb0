import AacornCodec
import AacornContainers
import Testing

@testable import AacornInspection

// M4A files in which some frames have invalid content.
extension MovieRepairTests {
  @Test func frameWithoutChannelsBecomesSilence() throws {
    let fixture = try RepairFixture()
    var file = try fixture.movie(.faststart)
    let offset = try #require(MP4Reader(file: file).sample(at: 20)).offset
    file[Int(offset)] = 0xE0
    let plan = try #require(repair(file).plan)
    let new = plan.made(from: file)
    #expect(repair(new).isIntact)
    var frames = fixture.units.map(\.bytes)
    frames[20] = try #require(SilentUnit.bytes(fixture.stream))
    #expect(movieFrames(new) == frames)
  }

  /// Returns files whose frames 20…24 have invalid content.
  private func spoiled(_ file: [UInt8], _ frames: Range<Int> = 20..<25) throws -> [UInt8] {
    let reader = MP4Reader(file: file)
    var file = file
    for index in frames {
      let sample = try #require(reader.sample(at: index))
      let start = Int(sample.offset)
      // A pair with the reserved code for mid/side stereo.
      for index in start..<start + Int(sample.byteCount) { file[index] = 0x2F }
    }
    return file
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func silenceTakesThePlaceOfFramesThatCannotBeRead(layout: MP4Writer.Layout) throws {
    let fixture = try RepairFixture()
    let whole = try fixture.movie(layout)
    let file = try spoiled(whole)
    #expect(errors(in: file).count == 5)
    let plan = try #require(repair(file).plan)
    #expect(plan.frameCount == 60 && plan.silentFrameCount == 5)
    #expect(plan.losses.first.map(\.reason) == Array(repeating: .unreadableFrame, count: 5))
    let silence = try #require(SilentUnit.bytes(fixture.stream))
    var expected = fixture.units.map(\.bytes)
    for index in 20..<25 { expected[index] = silence }
    for repaired in [plan.made(from: file), plan.healed(file)].compactMap({ $0 }) {
      #expect(errors(in: repaired).isEmpty)
      #expect(movieFrames(repaired) == expected)
      #expect(MP4Reader(file: repaired).trim?.sampleCount == fixture.trim.sampleCount)
      #expect(MP4Reader(file: repaired).trim?.priming == fixture.trim.priming)
    }
    #expect((plan.inPlace == nil) == (layout == .faststart))
  }

  @Test(arguments: [4096, 0])
  func anUnfinishedRecordingWithUnreadableFramesKeepsItsTime(reserve: Int) throws {
    let fixture = try RepairFixture()
    let file = try spoiled(try fixture.recording(reserve: reserve))
    let plan = try #require(repair(file).plan)
    #expect(plan.frameCount == 60 && plan.silentFrameCount == 5)
    let healed = try #require(plan.healed(file))
    let media = Int(try #require(MP4Reader(file: file).mediaOffset))
    #expect(healed[media..<file.count] == file[media...], "nothing of the sound is written over")
    #expect(movieFrames(healed) == movieFrames(plan.made(from: file)))
  }

  @Test func aFragmentWithADamagedHeaderIsFoundByReadingIt() throws {
    let fixture = try RepairFixture()
    var file = try fixture.recording()
    // The third fragment has an invalid type.
    let fragments = file.offsets(of: "moof")
    file[fragments[2]] ^= 0x20
    let plan = try #require(repair(file).plan)
    expectWhole(plan.made(from: file), fixture.units[...], priming: 1024)
    // All bytes from the header of the third fragment to the type of its media box are overwritten.
    let media = file.offsets(of: "mdat")
    for index in fragments[2] - 4..<media[2] + 4 { file[index] = 0xA5 }
    let other = try #require(repair(file).plan)
    #expect(other.frameCount == 60)
    #expect(movieFrames(other.made(from: file)) == fixture.units.map(\.bytes))
  }

  @Test func sizesAndPlacesThatAreWrongAreFoundByReadingFrames() throws {
    let fixture = try RepairFixture()
    let whole = try fixture.movie(.faststart)
    let sizes = try #require(whole.offset(of: "stsz")) + 16
    let offsets = try #require(whole.offset(of: "stco")) + 12
    for (index, change) in [
      (sizes + 4 * 7 + 3, 4), (sizes + 4 * 7 + 3, 64), (sizes + 4 * 50 + 2, 1), (sizes + 3, 9),
      (offsets + 2, 1), (offsets + 4 + 3, 5), (offsets + 4, 0x70),
    ] as [(Int, UInt8)] {
      var file = whole
      file[index] ^= change
      #expect(!errors(in: file).isEmpty)
      let plan = try #require(repair(file).plan, "\(index)")
      #expect(movieFrames(plan.made(from: file)) == fixture.units.map(\.bytes), "\(index)")
      #expect(plan.losses.count == 0 && plan.silentFrameCount == 0)
    }
  }

  @Test func aFileWithTablesAndNothingThatCanBeReadIsRefused() throws {
    let fixture = try RepairFixture(unitCount: 20)
    for layout in [MP4Writer.Layout.faststart, .fragmented] {
      let file = try spoiled(try fixture.movie(layout), 0..<20)
      #expect(repair(file).error == .noFrames)
    }
  }

  @Test func estimateReadsOnlyTablesAndLastFrames() throws {
    let fixture = try RepairFixture(unitCount: 2000, level: 1)
    for file in [try fixture.movie(.faststart), try spoiled(try fixture.movie(.faststart))] {
      var count = 0
      let outcome = FileRepair.estimate(byteCount: UInt64(file.count)) { (offset, length) in
        count += length
        return Array(file[Int(offset)...].prefix(length))
      }
      #expect(outcome.isIntact)
      #expect(count < 40_000)
    }
  }

  /// A fragment whose data offset is far outside the file, and whose start time implies missing frames
  /// after the previous fragment.
  @Test(arguments: [1, 1 << 20, 1 << 60] as [UInt64])
  func fragmentOutsideTheFileAddsNoFrames(gap: UInt64) throws {
    let fixture = try RepairFixture()
    var file = try fixture.recording()
    let times = file.offsets(of: "tfdt")
    let runs = file.offsets(of: "trun")
    for index in 0..<8 {
      file[times[3] + 8 + index] = UInt8(truncatingIfNeeded: (gap << 10) >> UInt64(8 * (7 - index)))
    }
    // A distance of −2³¹ from a fragment near the start is an offset near 2⁶⁴.
    file.replaceSubrange(runs[3] + 12..<runs[3] + 16, with: [0x80, 0, 0, 0])
    let plan = try #require(repair(file).plan)
    #expect(plan.frameCount <= 60)
    #expect(errors(in: plan.made(from: file)).isEmpty)
  }

  @Test func silenceIsLimitedByTheFile() throws {
    let fixture = try RepairFixture()
    var found = MovieRepair<Never>.Found(fixture.stream, of: 1000)
    found.appendSilence(10)
    #expect(found.frames.silentCount == 10 && !found.isContradictory)
    found.appendSilence(.max)
    #expect(found.frames.silentCount == 10 && found.isContradictory)
    var gap = MovieRepair<Never>.FrameGap()
    gap.add(inferred: .max)
    gap.add(inferred: 5)
    #expect(gap.count == .max)
  }
}
