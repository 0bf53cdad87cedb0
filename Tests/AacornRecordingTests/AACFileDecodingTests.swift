import AacornRecording
import AacornSignal
import AacornSoundFiles
import Foundation
import Testing

@Suite struct AACFileDecodingTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func write(_ name: String, frames: Int) throws -> String {
    let writer = WAVWriter(encoding: .float32, sampleRate: 44_100, channelCount: 2)
    var bytes = writer.header(frameCount: UInt64(frames))
    let samples = (0..<2 * frames).map { Float(sin(Double($0 / 2) * 0.06)) / 3 }
    writer.append(samples.span, to: &bytes)
    return try folder.write(bytes, to: name)
  }

  private func read(_ path: String, pieces: Int) throws -> [Float] {
    let reader = try SoundFileReader(path)
    var samples: [Float] = []
    while try reader.read(frameCount: pieces, into: &samples) > 0 {}
    return samples
  }

  @Test func aFileComesBackAsLongAsItWas() async throws {
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
    // The reader of any file gives the very samples, in pieces of any size.
    let decoded = try read(folder.file("b.caf"), pieces: 4096)
    for pieces in [1000, 100_000] {
      #expect(try read(folder.file("a.m4a"), pieces: pieces) == decoded)
    }
    let original = try read(input, pieces: 777)
    let error = zip(original, decoded).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    let power = original.reduce(0.0) { $0 + Double($1 * $1) }
    #expect(power > 20 * error)
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
    #expect(try samples == read(folder.file("a.aac"), pieces: 4096))
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
    #expect(try samples == read(folder.file("a.m4a"), pieces: 4096))
    #expect(signal.failure == nil)
    var again: [Float] = []
    #expect(copy.read(into: &again, frameCount: 30_000) == 20_000)
    #expect(again == samples)
  }

  @Test func whatCannotBeWrittenIsRefused() async throws {
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
