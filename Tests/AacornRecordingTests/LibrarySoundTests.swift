import AacornDevices
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Testing

@testable import AacornRecording

/// Files that the system's sound library reads.
///
/// The tests use Sun audio, the format that is easiest to write by hand.
@Suite struct LibrarySoundTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func samples(_ count: Int) -> [Int16] {
    (0..<count).map { Int16(truncatingIfNeeded: $0 &* 2_654_435_761 >> 12) }
  }

  /// Writes a Sun audio file of 16-bit samples.
  ///
  /// The header may announce more frames than the file has.
  @discardableResult
  private func writeSunAudio(
    _ name: String, frames: Int, channels: Int = 2, rate: Int = 44_100, announced: Int? = nil
  ) throws -> String {
    var bytes = Array(".snd".utf8)
    // Header size, data size, encoding, sample rate and channel count.
    let byteCount = (announced ?? frames) * channels * 2
    for number in [24, byteCount, 3, rate, channels] {
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    for sample in Self.samples(frames * channels) {
      bytes += [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
    }
    return try folder.write(bytes, to: name)
  }

  @Test func theBytesAreThoseOfTheSameSamplesInAWAVFile() async throws {
    let sun = try writeSunAudio("a.au", frames: 30_000)
    let wav = try folder.writeWAV(
      Self.samples(60_000).map { Float($0) / 32_768 }, to: "b.wav")
    let summary = try await AACFile.encode(from: sun, to: folder.file("a.m4a"))
    #expect(summary.sampleCount == 30_000 && summary.warnings.isEmpty)
    try await AACFile.encode(from: wav, to: folder.file("b.m4a"))
    #expect(try folder.bytes("a.m4a") == folder.bytes("b.m4a"))
  }

  @Test func aFileThatIsCutShortIsEncodedWithAWarning() async throws {
    let path = try writeSunAudio("a.au", frames: 22_050, announced: 44_100)
    let summary = try await AACFile.encode(from: path, to: folder.file("a.m4a"))
    #expect(summary.sampleCount == 22_050)
    // Some versions of the library use the file's length, not its header.
    #expect(summary.warnings.allSatisfy { $0.contains("is damaged or cut off") })
  }

  @Test func copiesOfASignalReadIndependently() throws {
    let path = try writeSunAudio("a.au", frames: 9000)
    var whole = try FileSignal(path: path)
    #expect(whole.frameCount == 9000 && whole.sampleRate == 44_100 && whole.channelCount == 2)
    let untouched = whole
    var expected: [Float] = []
    #expect(whole.read(into: &expected, frameCount: 10_000) == 9000)
    #expect(expected == Self.samples(18_000).map { Float($0) / 32_768 })
    var first = untouched
    var samples: [Float] = []
    #expect(first.read(into: &samples, frameCount: 4000) == 4000)
    var second = first
    #expect(second.read(into: &samples, frameCount: 5000) == 5000)
    #expect(samples == expected)
    // The file handle is at the end now; this copy continues at its own position.
    samples.removeAll()
    #expect(first.read(into: &samples, frameCount: 5001) == 5000)
    #expect(samples == Array(expected[8000...]))
    #expect(first.read(into: &samples, frameCount: 1) == 0 && first.failure == nil)
  }

  @Test func aBrokenFileIsNamedAndItsKindToo() async throws {
    let path = try folder.write(Array("fLaC\0\0\0\u{22}".utf8), to: "a.wav")
    let error = await #expect(throws: AACFileError.self) {
      try await AACFile.encode(from: path, to: folder.file("a.m4a"))
    }
    #expect(error?.kind == .unsupported)
    #expect(error?.problem.hasPrefix("“\(path)” is a FLAC file that ") == true)
    let signal = #expect(throws: DeviceError.self) { try FileSignal(path: path) }
    #expect(signal?.message.contains("it is a FLAC file that ") == true)
    let video = try folder.write([0x1A, 0x45, 0xDF, 0xA3, 1, 0, 0, 0], to: "b.mkv")
    let videoError = #expect(throws: DeviceError.self) { try FileSignal(path: video) }
    #expect(videoError?.message.contains("it is a Matroska or WebM file") == true)
    let empty = try folder.write([], to: "c.wav")
    let emptyError = #expect(throws: (any Error).self) { try FileSignal(path: empty) }
    #expect(
      emptyError.map { "\($0)" }
        == "Cannot read “\(empty)”: it is empty. Check the program that created it.")
    let folderError = #expect(throws: (any Error).self) { try FileSignal(path: folder.path) }
    #expect(folderError.map { "\($0)" }?.contains(": it is not a regular file.") == true)
    #expect(throws: DeviceError.self) { try FileSignal(path: path, usesLibrary: false) }
  }

  @Test func libraryIsUsedForFormatsItSupports() {
    func use(
      _ error: PCMFileError, _ kind: FileKind, _ head: [UInt8] = [0x41]
    ) -> SoundLibraryUse {
      SoundLibraryUse(after: error, kind: kind, head: head)
    }
    for format in FileKind.Other.allCases {
      let isNeeded = [.flac, .mp3, .taggedWithID3, .ogg, .wave64, .sunAudio].contains(format)
      #expect(
        use(.otherFormat(format), .other(format)) == (isNeeded ? .needed(format) : .never))
    }
    #expect(use(.compressedWAV(formatTag: 2), .wav) == .ifReadable)
    #expect(use(.notRecognized, .unknown) == .ifReadable)
    #expect(use(.notRecognized, .unknown, [0xFF, 0xFE]) == .never)
    #expect(use(.truncatedHeader(offset: 9), .wav) == .never)
  }

  @Test func libraryErrorsHaveMessagesWithSuggestions() {
    func message(_ error: SoundLibraryError, _ format: FileKind.Other) -> String {
      AACFileError(error, format, path: "a").message
    }
    let missing = SoundLibraryError.libraryMissing(
      library: "libsndfile.so.1", package: "libsndfile1")
    #expect(
      message(missing, .flac)
        == "“a” is a FLAC file, and the library that reads it, libsndfile.so.1, is not installed. "
        + "On Debian it is in the package libsndfile1.")
    let old = SoundLibraryError.refused(
      library: "libsndfile 1.0.31", version: 1_000_031, reason: "Format not recognised")
    #expect(
      message(old, .mp3).hasPrefix(
        "“a” is an MP3 file that libsndfile 1.0.31 does not read (Format not recognised). "
          + "MP3 needs libsndfile 1.1 or later. "))
    #expect(!message(old, .ogg).contains("Opus needs"))
    #expect(AACFileError(.system(.device), .flac, path: "a").kind == .cannotRead)
  }

  #if os(Linux)
  @Test func channelsAreInTheOrderOfTheirFormat() {
    for count in 1...8 {
      let flac = ChannelLayout(flacChannelCount: count)
      let vorbis = ChannelLayout(vorbisChannelCount: count)
      #expect(flac?.speakers.count == count && vorbis?.speakers.count == count)
      #expect(flac?.waveMask == vorbis?.waveMask)
    }
    #expect(ChannelLayout(vorbisChannelCount: 6)?.standardOrder == [0, 2, 1, 5, 3, 4])
    #expect(ChannelLayout(flacChannelCount: 6)?.standardOrder == [0, 1, 2, 3, 4, 5])
    #expect(ChannelLayout(flacChannelCount: 9) == nil && ChannelLayout(flacChannelCount: 0) == nil)
    #expect(ChannelLayout(vorbisChannelCount: 9) == nil)
  }
  #endif
}
