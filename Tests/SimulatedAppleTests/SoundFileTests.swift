#if SIMULATED_IOS
import AacornSignal
import AacornSystem
import Glibc
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornRecording

extension OnSimulatedApple {
  /// Files that Audio Toolbox reads.
  @Suite struct SoundFiles {
    private static func samples(_ count: Int) -> [Int16] {
      (0..<count).map { Int16(truncatingIfNeeded: $0 &* 2_654_435_761 >> 12) }
    }

    private static func floats(_ count: Int) -> [Float] {
      samples(count).map { Float($0) / 32_768 }
    }

    /// Returns a number in big-endian order.
    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Returns a 16-bit stereo file; its header may announce more frames than it has.
    private static func sun(_ frameCount: Int, announced: Int? = nil) -> [UInt8] {
      Array(".snd".utf8)
        + [24, (announced ?? frameCount) * 4, 3, 44_100, 2].flatMap { big($0, 4) }
        + samples(frameCount * 2).flatMap { big(Int($0), 2) }
    }

    /// Calls `body` with the path of a file of these bytes, and deletes the file.
    private func with(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
      let path = "/tmp/aacorn-sound-\(getpid())"
      let file = unsafe try #require(unsafe fopen(path, "wb"))
      #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
      _ = unsafe fclose(file)
      defer { _ = unsafe unlink(path) }
      try body(path)
    }

    private func open(_ path: String) throws(SoundLibraryError) -> LibrarySoundFile {
      try LibrarySoundFile(path: path, descriptor: 0, origin: 0, byteCount: 0)
    }

    /// Returns the remaining samples, read in steps of `count` frames.
    private func rest(of file: LibrarySoundFile, by count: Int = 1000) -> [Float] {
      var all: [Float] = []
      var block = [Float](repeating: 0, count: count * file.channelCount)
      while true {
        let found = unsafe block.withUnsafeMutableBytes { unsafe file.read(into: $0) }
        all += block.prefix(found * file.channelCount)
        if found < count { return all }
      }
    }

    @Test(arguments: [nil, 101 << 16 | 2] as [UInt32?])
    func aFileIsReadInFullAndAgain(layoutTag: UInt32?) throws {
      SimulatedFiles.changes.layoutTag = layoutTag
      try with(Self.sun(5000)) { path in
        let file = try open(path)
        #expect(file.sampleRate == 44_100 && file.channelCount == 2)
        #expect(rest(of: file) == Self.floats(10_000))
        #expect(file.position == 5000)
        #expect(file.frameCount == 5000 && file.shortfall == nil)
        #expect(file.layout == layoutTag.flatMap { _ in ChannelLayout.standard(channelCount: 2) })
        #expect(file.rewind())
        #expect(rest(of: file, by: 77) == Self.floats(10_000))
      }
    }

    @Test func piecesThatAreSmallerThanAskedForAreJoined() throws {
      SimulatedFiles.changes.largestFrameCount = 13
      try with(Self.sun(3000)) { path in
        let file = try open(path)
        #expect(rest(of: file) == Self.floats(6000))
      }
    }

    @Test func fileSeeksForwardAndBackward() throws {
      try with(Self.sun(9000)) { path in
        let sound = try SeekableSound(path, interruption: Interruption())
        for frame in [4000, 100, 8000, 0] {
          #expect(try sound.seek(toFrame: frame))
          var samples: [Float] = []
          #expect(try sound.next(into: &samples))
          #expect(samples[0] == Self.floats(2 * frame + 1).last)
          #expect(sound.damageMessage == nil)
        }
      }
    }

    @Test func truncatedFileIsReadToItsEnd() throws {
      try with(Self.sun(2000, announced: 5000)) { path in
        let sound = try SeekableSound(path, interruption: Interruption())
        #expect(sound.frameCount == 5000)
        var (all, samples): ([Float], [Float]) = ([], [])
        while try sound.next(into: &samples) { all += samples }
        #expect(all == Self.floats(4000))
        #expect(sound.damageMessage?.contains("is damaged or cut off") == true)
      }
    }

    @Test func readerRejectsNonAudioFile() throws {
      let broken: [([UInt8], String)] = [
        (Array("fLaC\0\0\0\u{22}".utf8), "typ?"), (Array(".snd\0\0\0\u{18}".utf8), "dta?"),
        (Array(Self.sun(10).prefix(12)) + [0, 0, 0, 99] + [UInt8](repeating: 1, count: 8), "fmt?"),
      ]
      for (bytes, name) in broken {
        let status = Int32(bitPattern: name.utf8.reduce(0) { $0 << 8 | UInt32($1) })
        try with(bytes) { path in
          let rejection = SoundLibraryError.refused(
            library: "Audio Toolbox", version: .max, reason: "error \(status)")
          #expect(throws: rejection) { try open(path) }
          #expect(throws: AACFileError.self) {
            try SeekableSound(path, interruption: Interruption())
          }
        }
      }
    }

    @Test func removedFileThrowsWhenReopened() throws {
      try with(Self.sun(5000)) { path in
        // The file is opened twice, and deleted in between.
        let input = try InputFile(path, interruption: Interruption())
        let file = try open(path)
        #expect(unsafe unlink(path) == 0)
        #expect(throws: SoundLibraryError.system(.notFound)) { try input.openWithLibrary() }
        // An open file stays readable, as on every Unix system.
        #expect(rest(of: file) == Self.floats(10_000))
        #expect(file.rewind())
      }
    }
  }
}
#endif
