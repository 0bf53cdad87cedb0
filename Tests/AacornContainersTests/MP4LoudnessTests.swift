import AacornCodec
import Testing

@testable import AacornContainers

struct MP4LoudnessTests {
  private let loud = MP4Loudness(
    integrated: -16, range: 5.25, maximumMomentary: -12.5, maximumShortTerm: -14,
    samplePeak: -1.5, truePeak: -1)

  /// Returns one measurement of the track, without version and flags.
  private func statement(mix: [UInt8] = [0, 0], integrated: UInt8) -> [UInt8] {
    mix + [0x2A, 0x02, 0xA0, 0x23, 1, 1, integrated, 0x23]
  }

  private func box(_ name: FourCharacterCode, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    var writer = BoxWriter()
    writer.fullBox(name, version: version) { $0.put(content) }
    return writer.bytes
  }

  // MARK: - The box

  @Test func theBoxHasTheCodesOfTheStandard() throws {
    var tags = MP4Tags()
    tags.loudness = loud
    let box = try #require(mp4Leaves(try mp4File(tags))["moov/trak/udta/ludt"])
    let track: [UInt8] = [
      // Version, flags, and no downmix or set.
      0, 0, 0, 0, 0, 0,
      // (20 + 1.5) · 32 = 0x2B0 and (20 + 1) · 32 = 0x2A0, by BS.1770-4, measured.
      0x2B, 0x02, 0xA0, 0x23, 4,
      // (57.75 − 16) · 4 and so on; the range in quarters.
      1, 167, 0x23, 4, 181, 0x13, 5, 175, 0x13, 6, 21, 0x13,
    ]
    var wanted: [UInt8] = [0, 0, 0, UInt8(8 + track.count)]
    wanted += Array("tlou".utf8)
    wanted += track
    #expect(Array(box[8...]) == wanted)
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func loudnessRoundTrips(layout: MP4Writer.Layout) throws {
    var tags = MP4Tags()
    tags.loudness = loud
    let reader = MP4Reader(file: try mp4File(tags, layout))
    #expect(reader.damage == [])
    let read = try #require(reader.tags.loudness)
    #expect(read.integrated == -16 && read.range == 5.25)
    #expect(read.maximumMomentary == -12.5 && read.maximumShortTerm == -14)
    #expect(read.samplePeak == -1.5 && read.truePeak == -1)
    // Writing the tags that were read gives the same file.
    #expect(try mp4File(reader.tags, layout) == mp4File(tags, layout))
  }

  @Test func valuesBeyondTheCodesAreTheNearest() throws {
    func read(_ loudness: MP4Loudness) -> MP4Loudness { MP4Loudness(content: loudness.content) }
    #expect(read(MP4Loudness(integrated: -70)).integrated == -57.75)
    #expect(read(MP4Loudness(integrated: 20)).integrated == 6)
    #expect(read(MP4Loudness(integrated: .nan)).integrated == -57.75)
    for (range, wanted): (Float, Float) in [(32.1, 32), (40.5, 40.5), (71.2, 71), (500, 121)] {
      #expect(read(MP4Loudness(integrated: -20, range: range)).range == wanted)
    }
    let peaks = read(MP4Loudness(integrated: nil, samplePeak: 40, truePeak: -300))
    #expect(peaks.samplePeak == 20 - 1.0 / 32 && peaks.truePeak == 20 - 4095.0 / 32)
    let silent = read(MP4Loudness(integrated: nil, samplePeak: -.infinity))
    #expect(silent.samplePeak == nil && silent.truePeak == nil && silent.integrated == nil)
  }

  @Test func loudnessOfDownmixAndAlbumIsIgnored() {
    // In version 1: two measurements, the first of a downmix.
    var several: [UInt8] = [2, 0] + statement(mix: [0, 0x40], integrated: 100)
    several += [0] + statement(integrated: 167)
    let album = box(FourCharacterCode("a", "l", "o", "u"), statement(integrated: 90))
    let content = album + box(.trackLoudness, version: 1, several)
    let read = MP4Loudness(content: content)
    #expect(read.integrated == -16 && read.truePeak == -1 && read.samplePeak == -1)
    #expect(read.range == nil)
    // All content is kept.
    #expect(read.content == content)
    #expect(MP4Loudness(content: album).integrated == nil)
  }

  @Test func truncatedLoudnessBoxIsReadPartially() {
    let whole = box(.trackLoudness, statement(integrated: 167))
    for count in 0...whole.count {
      let read = MP4Loudness(content: Array(whole[..<count]))
      #expect(read.integrated == (count == whole.count ? -16 : nil), "\(count)")
      #expect(read.content == Array(whole[..<count]))
    }
  }

  // MARK: - Tags

  @Test func tagsStateLoudnessForOtherPlayers() throws {
    var tags = MP4Tags()
    tags.setLoudness(loud)
    let reader = MP4Reader(file: try mp4File(tags))
    let texts = reader.tags.loudnessTexts
    #expect(texts.map(\.name) == ["replaygain_track_gain", "replaygain_track_peak", "iTunNORM"])
    // −2 dB to reach −18 LUFS; 10^(−1.5 / 20); 1000 and 2500 mean no gain; 0.841 · 32768.
    #expect(texts[0].text == "-2.00 dB")
    #expect(texts[1].text == "0.841395")
    #expect(
      texts[2].text
        == " 000003E8 000003E8 000009C4 000009C4 00000000 00000000 00006BB3 00006BB3 00000000"
        + " 00000000")
  }

  @Test func newStatementsReplaceOldOnes() throws {
    var tags = MP4Tags()
    tags.setLoudness(loud)
    tags.addFreeForm(
      FreeFormTag(
        meaning: Array("org.example".utf8), name: Array("REPLAYGAIN_ALBUM_GAIN".utf8), texts: [[]]))
    let mood = BoxWriter.bytes { box in
      box.putFreeForm(
        FreeFormTag(meaning: GaplessTag.meaning, name: Array("MOOD".utf8), texts: [[0x61]]))
    }
    tags.otherItems.insert(mood, at: 0)
    tags.setLoudness(MP4Loudness(integrated: -23.5, truePeak: 0))
    #expect(tags.otherItems.first == mood && tags.otherItems.count == 4)
    #expect(tags.loudnessTexts.map(\.text).prefix(2) == ["5.50 dB", "1.000000"])
    tags.setLoudness(MP4Loudness(integrated: nil))
    #expect(tags.otherItems == [mood] && tags.loudness == nil)
  }
}
