import AacornCodec
import AacornContainers
import Testing

@testable import AacornInspection

struct StreamRepairTests {
  let fixture: RepairFixture
  let stream: [UInt8]
  let offsets: [Int]

  init() throws {
    fixture = try RepairFixture(unitCount: 20)
    (stream, offsets) = try fixture.adts()
  }

  @Test func aStreamCutAnywhereKeepsItsWholeFrames() throws {
    for length in offsets[1]..<stream.count {
      let cut = Array(stream[..<length])
      let whole = offsets.last { $0 <= length } ?? 0
      let outcome = repair(cut)
      if whole == length {
        #expect(outcome.isIntact)
        continue
      }
      let plan = try #require(outcome.plan, "\(length)")
      #expect(plan.frameCount == offsets.count { $0 < whole })
      #expect(plan.stream == fixture.stream && plan.container == .adts)
      #expect(plan.made(from: cut) == Array(stream[..<whole]))
      #expect(plan.healed(cut) == Array(stream[..<whole]))
      // A part of a torn frame that looks like a frame is listed separately.
      #expect(plan.losses.first.first?.reason == .tornFrame)
      #expect(plan.losses.first.first?.offset == UInt64(whole))
      #expect(plan.losses.byteCount == UInt64(length - whole))
    }
  }

  @Test func garbageIsDroppedAndTagsAreKept() throws {
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4, 5]
    let garbage = [UInt8](repeating: 0x55, count: 100)
    let head = stream[..<offsets[5]]
    let tail = stream[offsets[5]...]
    let damaged = tag + head + garbage + tail
    let plan = try #require(repair(damaged).plan)
    #expect(plan.frameCount == 20)
    #expect(plan.made(from: damaged) == tag + stream)
    #expect(plan.inPlace == nil)
    #expect(
      plan.losses.first == [
        RepairLog.Loss(
          reason: .garbage, offset: UInt64(tag.count + head.count), length: 100)
      ])
    #expect(repair(tag + stream).isIntact)
  }

  @Test func aFrameThatCannotBeReadIsDropped() throws {
    var damaged = stream
    // A pair with the reserved code for mid/side stereo.
    for index in offsets[7] + 7..<offsets[8] { damaged[index] = 0x2F }
    let plan = try #require(repair(damaged).plan)
    #expect(plan.frameCount == 19)
    #expect(plan.losses.first.map(\.reason) == [.unreadableFrame])
    #expect(repair(plan.made(from: damaged)).isIntact)
  }

  /// Every eighth frame has a header of band replication.
  @Test func placesAfterWhichBandReplicationIsTornAreCounted() throws {
    var encoder = try AACEncoder(
      .init(
        sampleRate: 48_000, channelCount: 1, rateControl: .constant(bitsPerSecond: 32_000),
        profile: .highEfficiency))
    var state: UInt32 = 1
    let samples = (0..<60_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state) >> 18) / 32_768
    }
    let (stream, accessUnits, _) = encoder.encoded(samples)
    let units = accessUnits.map(\.bytes)
    let counts = try (8..<16).map { index in
      var blocks = units
      // A pair with the reserved code for mid/side stereo.
      blocks[index] = [UInt8](repeating: 0x2F, count: 40)
      let damaged = try adtsStream(blocks, configuration: stream)
      let plan = try #require(repair(damaged).plan)
      #expect(plan.frameCount == units.count - 1)
      return plan.tornJointCount
    }
    #expect(counts.allSatisfy { $0 <= 1 } && counts.contains(1) && counts.last == 0)
  }

  @Test func aFrameWithoutChannelsIsDropped() throws {
    var damaged = stream
    // The frame begins with the end element.
    damaged[offsets[7] + 7] = 0xE0
    let plan = try #require(repair(damaged).plan)
    #expect(plan.losses.first.map(\.reason) == [.unreadableFrame])
    #expect(plan.made(from: damaged) == Array(stream[..<offsets[7]]) + stream[offsets[8]...])
  }

  @Test func ofAnADIFStreamEveryBlockWithSoundIsKept() throws {
    let (head, good) = (try adifHeader(), TestBlock().bytes)
    let silent = TestBlock(sequences: []).bytes
    for pattern in [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1, 0, 1, 0]] {
      let file = head + pattern.flatMap { $0 == 1 ? good : silent }
      let plan = try #require(repair(file).plan)
      let count = pattern.reduce(0, +)
      #expect(plan.frameCount == count && plan.container == .adif)
      #expect(plan.made(from: file) == head + [[UInt8]](repeating: good, count: count).joined())
      #expect(plan.losses.count == pattern.count - count)
    }
    #expect(repair(head + silent + silent).plan == nil)
  }

  @Test func blockWithOnlyProgramConfigIsKept() throws {
    var description = BitWriter()
    description.put(UInt32(ElementKind.programConfig.rawValue), count: 3)
    let mono = try #require(ChannelConfiguration(rawValue: 1))
    let rate = try #require(SamplingFrequency(hertz: 44_100))
    ProgramConfig(mono, samplingFrequency: rate).write(to: &description, origin: 0)
    description.put(UInt32(ElementKind.end.rawValue), count: 3)
    let (told, good) = (description.bytes, TestBlock().bytes)
    let whole = try streamWithoutChannelConfiguration([told, good, good, good])
    #expect(repair(whole).isIntact)
    // A silent block without channels, after the channels are known.
    let silent = try streamWithoutChannelConfiguration([
      told, good, good, TestBlock(sequences: []).bytes, good,
    ])
    let plan = try #require(repair(silent).plan)
    #expect(plan.made(from: silent) == whole)
  }

  /// Returns frames whose headers leave the channel configuration to the blocks.
  private func streamWithoutChannelConfiguration(_ blocks: [[UInt8]]) throws -> [UInt8] {
    try blocks.flatMap { block in
      var frame = try adtsStream([block])
      frame[2] &= 0xFE
      frame[3] &= 0x3F
      return frame
    }
  }

  @Test func aBrokenByteLeavesAStreamThatIsIntactAfterwards() {
    var (planned, healedCount) = (0, 0)
    for index in stride(from: 0, to: stream.count, by: 3) {
      var damaged = stream
      damaged[index] ^= 0x81
      // Most bytes of a frame may have any value, so the file often stays valid.
      guard let plan = repair(damaged).plan else { continue }
      planned += 1
      let new = plan.made(from: damaged)
      #expect(repair(new).isIntact, "\(index)")
      #expect(plan.frameCount >= 17)
      guard let healed = plan.healed(damaged) else { continue }
      healedCount += 1
      #expect(healed == new)
    }
    #expect(planned > 10 && healedCount > 0, "\(planned), \(healedCount)")
  }

  @Test func nonStreamCannotBeRepaired() {
    #expect(repair([]).error == .noFrames)
    #expect(repair([1]).error == .noFrames)
    #expect(repair([UInt8](repeating: 0xFF, count: 10_000)).error == .noFrames)
    #expect(repair(Array("RIFF".utf8) + [UInt8](repeating: 0, count: 1000)).error == .noFrames)
  }

  @Test func aFrameThatItsChecksumDoesNotAgreeWithIsDropped() throws {
    var (file, offsets) = try fixture.adts(hasChecksum: true)
    #expect(repair(file).isIntact)
    let whole = file
    // One byte of a checksum, and one protected byte in a frame that is still readable.
    file[offsets[4] + 7] ^= 1
    let plan = try #require(repair(file).plan)
    #expect(plan.frameCount == 19)
    #expect(plan.losses.first.map(\.reason) == [.wrongChecksum])
    #expect(plan.made(from: file) == Array(whole[..<offsets[4]]) + whole[offsets[5]...])
    // If no checksum matches, the writer of the file is faulty, and a repair would improve nothing.
    for offset in offsets { file[offset + 8] ^= 0x40 }
    guard case .remainingFaults(let count, let first) = repair(file).error else {
      Issue.record("\(repair(file))")
      return
    }
    #expect(count == 20 && first?.kind == .checksum)
  }

  @Test func aLATMStreamIsRepairedLikeAnyOther() throws {
    let stream = try fixture.latm()
    #expect(repair(stream).isIntact)
    let cut = Array(stream.dropLast(20))
    let plan = try #require(repair(cut).plan)
    #expect(plan.container == .loas && plan.stream == fixture.stream && plan.frameCount == 19)
    #expect(plan.losses.first.map(\.reason) == [.tornFrame])
    let new = plan.made(from: cut)
    #expect(stream.starts(with: new) && plan.healed(cut) == new)
    let garbage = [UInt8](repeating: 0x55, count: 100)
    let broken = Array(stream[..<1000]) + garbage + stream[1000...]
    let other = try #require(repair(broken).plan)
    #expect(other.frameCount >= 18 && errors(in: other.made(from: broken)).isEmpty)
  }

  @Test func framesThatMeetWhereOthersWereAreReadAgain() throws {
    // A frame's length is wrong, so that its remainder swallows the next frame.
    var damaged = stream
    for offset in offsets[3...6] { damaged[offset + 4] ^= 0x08 }
    let plan = try #require(repair(damaged).plan)
    #expect(errors(in: plan.made(from: damaged)).isEmpty)
    #expect(plan.frameCount >= 12)
  }

  @Test func theFirstBytesOfAMovieMayBeDamaged() throws {
    let whole = try fixture.movie(.faststart)
    for index in 0..<28 {
      var file = whole
      file[index] ^= 0x41
      switch repair(file) {
      case .intact: #expect(errors(in: file).isEmpty)
      case .repairable(let plan):
        #expect(movieFrames(plan.made(from: file)) == fixture.units.map(\.bytes), "\(index)")
      case .needsConfiguration, .irreparable: Issue.record("\(index)")
      }
    }
  }
}
