import AacornSignal
import AacornSoundFiles
import Testing

@Suite struct PCMFileReaderTests {
  private static let otherFormats: [(start: [UInt8], kind: FileKind.Other)] = [
    ([0x66, 0x4C, 0x61, 0x43, 0, 0, 0, 0x22], .flac),
    ([0x4F, 0x67, 0x67, 0x53, 0, 2, 0, 0], .ogg),
    ([0x49, 0x44, 0x33, 4, 0, 0, 0, 0], .taggedWithID3),
    ([0xFF, 0xFB, 0x90, 0x64, 0, 0, 0, 0], .mp3),
    ([0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x5F, 0xFC, 0], .adts),
    ([0xFF, 0xF9, 0x50, 0x80, 0x2E, 0x5F, 0xFC, 0], .adts),
    ([0x56, 0xE1, 0x20, 0, 0, 0, 0, 0], .loas),
    ([0x41, 0x44, 0x49, 0x46, 0, 0, 0, 0], .adif),
    ([0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70], .mp4),
    ([0x1A, 0x45, 0xDF, 0xA3, 1, 0, 0, 0], .matroska),
    ([0x77, 0x76, 0x70, 0x6B, 0, 0, 0, 0], .wavPack),
    ([0x4D, 0x41, 0x43, 0x20, 0, 0, 0, 0], .monkeysAudio),
    ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .asf),
    ([0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11], .wave64),
    ([0x2E, 0x73, 0x6E, 0x64, 0, 0, 0, 0x18], .sunAudio),
    ([0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6], .midi),
    ([0, 0, 1, 0xBA, 0x44, 0, 4, 0], .programStream),
    ([0x46, 0x4C, 0x56, 1, 5, 0, 0, 0], .flashVideo),
  ]

  @Test(arguments: otherFormats)
  func otherFormatsAreIdentified(start: [UInt8], kind: FileKind.Other) {
    #expect(FileKind(prefix: start.span) == .other(kind))
    expectSame(start + [UInt8](repeating: 0, count: 100), .failure(.otherFormat(kind)))
  }

  private func kind(_ bytes: [UInt8]) -> FileKind { FileKind(prefix: bytes.span) }

  @Test func aVideoInRIFFIsNamed() {
    #expect(kind(Array("RIFF\0\0\0\0AVI LIST".utf8)) == .other(.avi))
    #expect(kind(Array("RIFF\0\0\0\0WAVEfmt ".utf8)) == .wav)
  }

  /// If a second frame fits in the file, it must exist: 128 kb/s at 44.1 kHz are 417 bytes per
  /// frame.
  @Test func framesOfMPEGAudioMustFollowEachOther() {
    let frame = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0x11, count: 413)
    let frames = frame + frame + frame + frame + frame
    #expect(kind(frames) == .other(.mp3))
    #expect(kind(Array(frames.prefix(417))) == .other(.mp3))
    var broken = frames
    broken[417] = 0
    #expect(kind(broken) == .unknown)
    var other = frames
    other[418] = 0xF3
    #expect(kind(other) == .unknown)
  }

  @Test(arguments: [188, 192, 204])
  func transportStreamsAreNamedFromTheirSecondPacketOn(byteCount: Int) {
    let packet = [0x47, 0x40, 0, 0x10] + [UInt8](repeating: 0xFF, count: byteCount - 4)
    let packets = (0..<11).flatMap { _ in packet }
    let stream = byteCount == 192 ? [0, 1, 2, 3] + packets : packets
    #expect(kind(stream) == .other(.transportStream))
    #expect(kind(Array(stream.dropFirst(77))) == .other(.transportStream))
    var damaged = stream
    for index in 1..<11 { damaged[index * byteCount + (byteCount == 192 ? 4 : 0)] = 0 }
    #expect(kind(damaged) == .unknown)
  }

  @Test func kindIsDetectedAfterShortTag() {
    let tag: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 0, count: 130)
    #expect(FileKind.tagByteCount(tag.span) == 140)
    #expect(kind(tag + [0xFF, 0xFB, 0x90, 0x64]) == .other(.mp3))
    #expect(kind(tag + [0xFF, 0xF1, 0x50, 0x80]) == .other(.adts))
    #expect(kind(tag + [1, 2, 3, 4]) == .other(.taggedWithID3))
    #expect(kind(tag) == .other(.taggedWithID3))
    let tags = (0..<1000).flatMap { _ in [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0] as [UInt8] }
    #expect(kind(tags) == .other(.taggedWithID3))
    let none: [UInt8] = [1, 2, 3]
    #expect(FileKind.tagByteCount(none.span) == nil)
  }

  @Test func aShortFileIsStillNamed() {
    expectSame(Array("fLaC".utf8), .failure(.otherFormat(.flac)))
    expectSame(Array("RIFF".utf8), .failure(.truncatedHeader(offset: 4)))
  }

  @Test func readerRejectsUnknownBytes() {
    expectSame([], .failure(.notRecognized))
    expectSame([0], .failure(.notRecognized))
    expectSame(Array("Hello, world: this is text.".utf8), .failure(.notRecognized))
    expectSame([UInt8](repeating: 0xFF, count: 50), .failure(.notRecognized))
    expectSame(Array("RIFF\0\0\0\0AVI LIST".utf8), .failure(.notRecognized))
    expectSame(Array("FORM\0\0\0\u{20}8SVXVHDR".utf8), .failure(.notRecognized))
  }

  @Test func readyReaderRepeatsItsResult() throws {
    let file = WAVWriter(encoding: .int16, sampleRate: 8000, channelCount: 1).header() + [1, 2]
    var reader = PCMFileReader()
    let first = try reader.push(file.span)
    #expect(try reader.push(file.span) == first)
    #expect(try reader.finish() == first)
  }

  @Test func rawFileNeedsOnlyItsFormat() {
    let format = PCMFormat(
      sampleFormat: SampleFormat(.int16BigEndian), sampleRate: 8000, channelCount: 2)
    let info = PCMFileInfo(format: format)
    #expect(info.dataOffset == 0 && info.dataByteCount == nil)
    #expect(readSamples([0x40, 0, 0xC0, 0, 9], info) == [0.5, -0.5])
  }
}
