import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Foundation
import Testing

@Suite struct AACFileDecodingTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func write(_ name: String, frames: Int) throws -> String {
    let samples = (0..<2 * frames).map { Float(sin(Double($0 / 2) * 0.06)) / 3 }
    return try folder.writeWAV(samples, to: name, encoding: .float32)
  }

  @Test func encodedFileDecodesToSameLength() async throws {
    let input = try write("a.wav", frames: 30_001)
    try await AACFile.encode(from: input, to: folder.file("a.m4a"))
    var options = AACFile.DecodingOptions()
    options.encoding = .float32
    let summary = try await AACFile.decode(
      from: folder.file("a.m4a"), to: folder.file("b.caf"), options: options)
    #expect(summary.sampleCount == 30_001 && summary.sampleRate == 44_100)
    #expect(summary.channelCount == 2 && !summary.isDamaged && summary.warnings.isEmpty)
    let bytes = try folder.bytes("b.caf")
    #expect(summary.byteCount == bytes.count)
    // The general file reader returns identical samples, for any piece size.
    let decoded = try folder.samples("b.caf")
    for pieces in [1000, 100_000] {
      #expect(try folder.samples("a.m4a", pieces: pieces) == decoded)
    }
    let original = try folder.samples("a.wav", pieces: 777)
    let error = zip(original, decoded).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    let power = original.reduce(0.0) { $0 + Double($1 * $1) }
    #expect(power > 20 * error)
  }

  /// A long stream, damaged in the middle.
  ///
  /// It repeats one encoded part, so that the test encodes only once.
  private func writeLongStream(_ name: String) async throws -> String {
    let input = try write("short.wav", frames: 40_000)
    try await AACFile.encode(from: input, to: folder.file("short.aac"))
    let once = try folder.bytes("short.aac")
    var bytes: [UInt8] = []
    for _ in 0..<16 { bytes += once }
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 1000, with: repeatElement(0, count: 1000))
    return try folder.write(bytes, to: name)
  }

  @Test func aSignalInTheMiddleLeavesNothing() async throws {
    let input = try await writeLongStream("long.aac")
    let names = folder.names
    let interruption = Interruption()
    let request = DecodeRequest(input, to: folder.file("b.wav"), .wav)
    var blocks = 0
    let failure = #expect(throws: AACFileError.self) {
      var work = try DecodeWork(request, interruption: interruption)
      _ = try work.run { _, _ in
        blocks += 1
        interruption.raise(System.terminateSignal)
      }
    }
    #expect(blocks == 1 && failure != nil)
    #expect(folder.names == names)
  }

  @Test func progressRises() async throws {
    let input = try await writeLongStream("long.aac")
    let request = DecodeRequest(input, to: folder.file("b.wav"), .wav)
    var work = try DecodeWork(request, interruption: Interruption())
    var last = 0.0
    var shares: [Double] = []
    let summary = try work.run { done, total in
      #expect(done >= last)
      last = done
      if let total { shares.append(done / total) }
    }
    #expect((last - Double(summary.sampleCount) / 44_100).magnitude < 0.1)
    #expect(shares.allSatisfy { $0 <= 1.01 })
    #expect(shares.contains { (0.2..<0.8).contains($0) })
  }

  @Test func buffersComeInPieces() async throws {
    let input = try write("a.wav", frames: 20_000)
    try await AACFile.encode(from: input, to: folder.file("a.aac"))
    var samples: [Float] = []
    var sizes: [Int] = []
    for try await buffer in SoundFileBuffers(folder.file("a.aac"), frameCount: 5000) {
      samples += buffer.samples
      sizes.append(buffer.frameCount)
      #expect(buffer.sampleRate == 44_100 && buffer.channelCount == 2)
    }
    #expect(sizes.dropLast().allSatisfy { $0 == 5000 })
    #expect(try samples == folder.samples("a.aac"))
    for try await buffer in SoundFileBuffers(folder.file("a.aac"), frameCount: 0) {
      #expect(buffer.samples == Array(samples[..<2]))
      break
    }
    await #expect(throws: AACFileError.self) {
      for try await _ in SoundFileBuffers(folder.file("none")) {}
    }
  }

  @Test func aFileWithAACIsASignalWhoseCopiesAreIndependent() async throws {
    let input = try write("a.wav", frames: 20_000)
    try await AACFile.encode(from: input, to: folder.file("a.m4a"))
    var signal = try FileSignal(path: folder.file("a.m4a"))
    #expect(signal.sampleRate == 44_100 && signal.channelCount == 2)
    #expect(signal.frameCount == 20_000)
    var copy = signal
    var samples: [Float] = []
    while signal.read(into: &samples, frameCount: 480) == 480 {}
    #expect(try samples == folder.samples("a.m4a"))
    #expect(signal.failure == nil)
    var again: [Float] = []
    #expect(copy.read(into: &again, frameCount: 30_000) == 20_000)
    #expect(again == samples)
  }

  @Test(arguments: ["a.wav", "a.m4a"])
  func copiesOfASignalReadAlternately(name: String) async throws {
    let input = try write("a.wav", frames: 20_000)
    try await AACFile.encode(from: input, to: folder.file("a.m4a"))
    var first = try FileSignal(path: folder.file(name))
    var second = first
    var samples: ([Float], [Float]) = ([], [])
    for count in [700, 3000, 16_300, 1000] {
      let isEnd = count == 1000
      #expect(first.read(into: &samples.0, frameCount: count) == (isEnd ? 0 : count))
      #expect(second.read(into: &samples.1, frameCount: count) == (isEnd ? 0 : count))
    }
    #expect(try samples.0 == folder.samples(name) && samples.1 == samples.0)
    #expect(first.failure == nil && second.failure == nil)
  }

  @Test func decodingRejectsUnsupportedInputAndOutput() async throws {
    let input = try write("a.wav", frames: 3000)
    await #expect(throws: AACFileError.self) {
      _ = try await AACFile.decode(from: input, to: folder.file("b.mp3"))
    }
    await #expect(throws: AACFileError.self) {
      _ = try await AACFile.decode(from: input, to: folder.file("b.wav"))
    }
    #expect(folder.names == ["a.wav"])
  }
}
