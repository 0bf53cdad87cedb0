import AacornCodec
import Testing

@testable import AacornContainers

struct MP4ReaderTests {
  let fixtures: MP4Fixtures

  init() throws {
    fixtures = try MP4Fixtures.load()
  }

  @Test func exampleWithEditListIsRead() throws {
    let reader = MP4Reader(file: fixtures.bytes("m4a_edts_roll"))
    #expect(reader.damage == [])
    #expect(reader.brand == .brandM4A)
    #expect(reader.isMovieFirst)
    #expect(reader.ignoredTrackCount == 0)
    #expect(reader.gaplessTag == nil)
    #expect(reader.trim == StreamTrim(priming: 1024, remainder: 72, sampleCount: 3000))
    let track = try #require(reader.track)
    #expect(track.stream == mp4Mono)
    #expect(track.objectTypeIndication == 0x40)
    #expect(track.timescale == 44_100)
    #expect(track.movieTimescale == 44_100)
    #expect(track.duration == 4096)
    #expect(track.edits == [MP4Track.Edit(duration: 3000, mediaTime: 1024)])
    #expect(track.channelCount == 1)
    #expect(track.sampleRate == 44_100)
    #expect(track.bufferByteCount == 768)
    #expect(track.maximumBitrate == 128_000)
    #expect(track.averageBitrate == 64_000)
    #expect(track.rollDistance == -1)
    #expect(track.hasRollGroups)
    let samples = (0..<reader.unitCount).compactMap { reader.sample(at: $0) }
    #expect(samples.map(\.byteCount) == [22, 19, 20, 18])
    #expect(samples.map(\.offset) == [703, 725, 744, 764])
    #expect(samples.map(\.time) == [0, 1024, 2048, 3072])
  }

  @Test func exampleWithGaplessTagIsRead() {
    let reader = MP4Reader(file: fixtures.bytes("m4a_itunsmpb"))
    #expect(reader.damage == [])
    #expect(reader.track?.edits == [])
    #expect(reader.track?.rollDistance == nil)
    #expect(reader.track?.hasRollGroups == false)
    #expect(reader.gaplessTag == GaplessTag(priming: 1024, remainder: 72, validCount: 3000))
    #expect(reader.trim == StreamTrim(priming: 1024, remainder: 72, sampleCount: 3000))
  }

  @Test func requestIsRepeatedUntilItIsSupplied() {
    var reader = MP4Reader(byteCount: 100)
    #expect(reader.step() == .need(offset: 0, count: 16))
    #expect(reader.step() == .need(offset: 0, count: 16))
    reader.supply([0, 0, 0, 90] + Array("mdat".utf8) + [UInt8](repeating: 0, count: 50))
    #expect(reader.step() == .need(offset: 90, count: 10))
    reader.supply([])
    #expect(reader.step() == .ready)
    #expect(reader.damage.map(\.kind) == [.truncated, .missingMovie])
    #expect(reader.damage.last == MP4Damage(.missingMovie, offset: 0, length: 90))
  }

  @Test func firstOfSeveralTracksIsTaken() {
    var file = fixtures.bytes("m4a_edts_roll")
    // A second copy of the track, and a third one with video, before the first track.
    let track = Array(file[148..<148 + 0x223])
    var video = track
    for start in video.indices where video[start...].starts(with: "mp4a".utf8) {
      video.replaceSubrange(start..<start + 4, with: Array("avc1".utf8))
    }
    file.insert(contentsOf: video + track, at: 148)
    grow(&file, at: 32, by: 2 * track.count)
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [])
    #expect(reader.ignoredTrackCount == 2)
    #expect(reader.unitCount == 4)
  }

  @Test func quickTimeSoundDescriptionIsRead() {
    // Version 1 with sixteen more bytes, and the descriptor inside `wave` after other boxes.
    let fixture = fixtures.bytes("m4a_edts_roll")
    let table = find("stsd", in: fixture) - 4
    let entry = table + 16
    let descriptor = Array(fixture[entry + 36..<entry + 0x57])
    var wave = BoxWriter()
    wave.box(.quickTimeWave) { box in
      box.box(FourCharacterCode("f", "r", "m", "a")) { $0.put(.mpegAudio) }
      box.box(.mpegAudio) { $0.put32(0) }
      box.put(descriptor)
      box.put32(8)
      box.put32(0)
    }
    var fields = Array(fixture[entry..<entry + 36])
    fields[17] = 1
    let description = fields + [UInt8](repeating: 1, count: 16) + wave.bytes
    var file = fixture
    file.replaceSubrange(entry..<entry + 0x57, with: description)
    let more = description.count - 0x57
    grow(&file, at: entry, by: more)
    for name in ["stsd", "stbl", "minf", "mdia", "trak", "moov"] {
      grow(&file, at: find(name, in: file) - 4, by: more)
    }
    let reader = MP4Reader(file: file)
    #expect(reader.track?.stream == mp4Mono)
    #expect(reader.damage == [])
    #expect(reader.unitCount == 4)
  }

  @Test func editListInMillisecondsYieldsToTheTag() throws {
    var configuration = MP4Writer.Configuration(stream: mp4Mono)
    configuration.tags.title = "x"
    let trim = mp4Trim(units: 50)
    var file = try mp4File(configuration, mp4Units(50), trim)
    // The movie's clock now counts milliseconds, which limits the accuracy of the edit.
    let header = find("mvhd", in: file) + 4 + 12
    file.replaceSubrange(header..<header + 4, with: [0, 0, 3, 0xE8])
    #expect(MP4Reader(file: file).trim == trim)
  }

  @Test(
    "Milliseconds are resolved by the end of the frames where they agree",
    arguments: [(1137, 50_176), (1136, 50_097)])
  func editListInMillisecondsAlone(_ milliseconds: Int, validCount: Int) throws {
    let units = mp4Units(50)
    var file = try mp4File(
      MP4Writer.Configuration(stream: mp4Mono), units, mp4Trim(units: 50))
    let header = find("mvhd", in: file) + 4 + 12
    file.replaceSubrange(header..<header + 4, with: [0, 0, 3, 0xE8])
    let edit = find("elst", in: file) + 12
    file.replaceSubrange(
      edit..<edit + 4, with: [0, 0, UInt8(milliseconds >> 8), UInt8(milliseconds & 255)])
    let name = find("iTunSMPB", in: file)
    file[name] = 0x49
    let trim = StreamTrim(priming: 1024, remainder: 50_176 - validCount, sampleCount: validCount)
    #expect(MP4Reader(file: file).trim == trim)
  }

  @Test func compactSizesAreRead() {
    var table = SampleTable()
    for size: UInt32 in [3, 15, 0, 7] { table.append(size: size) }
    #expect(table.place(3, at: 100) == 118)
    table.place(5, at: 1000)
    table.time(2, duration: 10)
    table.time(9, duration: 20)
    #expect(table.endTime == 60)
    #expect(table.sample(at: 2) == MP4Sample(offset: 118, byteCount: 0, time: 20, duration: 20))
    #expect(table.sample(at: 3) == MP4Sample(offset: 1000, byteCount: 7, time: 40, duration: 20))
    #expect(table.completeCount(before: 1006) == 3)
    #expect(table.completeCount(before: 1007) == 4)
    #expect(table.completeCount(before: 117) == 1)

    var file = fixtures.bytes("m4a_edts_roll")
    // 22, 19, 20 and 18 do not fit in four bits; they do in 8 bits.
    let sizes = find("stsz", in: file)
    let box: [UInt8] =
      Array("stz2".utf8) + [0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 4, 22, 19, 20, 18]
      + [UInt8](repeating: 0, count: 12)
    file.replaceSubrange(sizes..<sizes + 32, with: box)
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [])
    #expect(reader.sample(at: 3)?.byteCount == 18)
  }
}
