import AacornRecording
import AacornSystem
import StreamRigs
import Testing

@testable import AacornPlayback

/// Streams that begin in the middle of a frame, as those from a running Icecast server do.
@Suite struct MidFrameTests: PlayerSuite {
  let files: PlayedFiles
  let listener = PlayerListener()
  let target = PumpedTarget()
  private let aac: [UInt8]
  /// The first byte of each frame, and the end of the stream.
  private let borders: [Int]

  init() async throws {
    files = try PlayedFiles()
    let wave = (0..<96_000).map { Float(($0 * $0 / 50) % 96) / 192 - 0.25 }
    aac = try await files.aac(wave, to: "a.aac").bytes
    borders = frameBorders(aac)
  }

  /// Returns the path of a file with the stream from byte `start` on.
  private func part(_ start: Int) throws -> String {
    try files.write(Array(aac[start...]), to: "part\(start).aac")
  }

  /// Positions in headers, after headers and in payloads.
  private var cuts: [Int] {
    let first = Array(1...9) + [borders[1] - 1, borders[1] + 1]
    return first + stride(from: 10, to: borders[3], by: 97)
  }

  @Test func filesAreReadFromTheirFirstWholeFrame() async throws {
    for cut in cuts {
      let border = try #require(borders.first { $0 >= cut })
      let expected = try files.samples(at: try part(border))
      let path = try part(cut)
      #expect(try files.samples(at: path) == expected, "\(cut)")
      var signal = try FileSignal(path: path)
      var read: [Float] = []
      #expect(signal.read(into: &read, frameCount: expected.count + 1) == expected.count, "\(cut)")
      #expect(read == expected)
    }
    let output = files.newPath("b.m4a")
    let summary = try await AACFile.encode(from: part(borders[2] + 50), to: output)
    #expect(!summary.isDamaged)
    #expect(summary.warnings.contains { $0.contains("begins in the middle of a frame; ") })
    #expect(try files.samples(at: output).count == (borders.count - 4) * 1024)
  }

  @Test func bytesWithTooFewFramesAreRejected() throws {
    // Two frames between bytes that are not frames.
    let bytes = noise(70_000) + aac[..<borders[2]] + noise(3000)
    let path = try files.write(bytes, to: "noise.bin")
    #expect(throws: AACFileError.self) { try SeekableSound(path, interruption: Interruption()) }
    #expect(throws: (any Error).self) { try FileSignal(path: path) }
  }

  @Test(arguments: [nil, 256, 1000])
  func liveStreamPlaysFromFirstCompleteFrame(interval: Int?) throws {
    let (aac, cut) = (aac, borders[1] + 100)
    let server = try WebServer { question, connection in
      connection.writeLive(
        Array(aac[cut...]), interval: interval,
        ["Content-Type: audio/aac", "icy-name: Radio"])
      connection.stall()
    }
    let expected = try files.samples(at: try part(borders[2]))
    let session = self.session([server.address("/live")])
    try session.start()
    #expect(pump { target.samples.count >= 60_000 })
    stop(session)
    #expect(target.samples == Array(expected.prefix(target.samples.count)))
    #expect(listener.titles == (interval == nil ? [] : ["one"]))
    #expect(listener.eventTexts == ["started 0", "ended 0", "stopped"])
    #expect(listener.damage.isEmpty && listener.failures.isEmpty)
  }

  /// Frames of seven bytes without content, and headers of frames that overlap.
  @Test(arguments: [[0x80, 0x00, 0xFF], [0x80, 0x01, 0x7F]] as [[UInt8]])
  func anEndlessStreamOfFalseFramesFails(length: [UInt8]) throws {
    let server = try WebServer { _, connection in
      connection.writeHead("200 OK", ["Content-Type: audio/aac", "icy-name: Radio"])
      let frame = [0xFF, 0xF1, 0x50] + length + [0xFC]
      let bytes = Array(repeatElement(frame, count: 10_000).joined())
      while connection.write(bytes) {}
    }
    #expect(failure(server.address("/live")).contains("no frame that can be decoded"))
  }

  /// The message about the only item, before it starts or later.
  private func failure(_ address: String) -> String {
    let session = self.session([address])
    do {
      try session.start()
    } catch {
      return "\(error)"
    }
    #expect(pump { !listener.failures.isEmpty })
    session.stop()
    return listener.failures.first ?? ""
  }

  #if os(Linux)
  /// Silence in MP3, 128 kb/s at 44.1 kHz: frames of 417 bytes without any audio bits.
  private static func silentMP3(_ frameCount: Int) -> [UInt8] {
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 413)
    return Array(repeatElement(frame, count: frameCount).joined())
  }

  @Test(arguments: [0, 1, 100, 416])
  func liveMP3StreamPlaysFromAnyOffset(cut: Int) throws {
    let server = try WebServer { question, connection in
      connection.writeHead("200 OK", ["Content-Type: audio/mpeg", "icy-name: Radio"])
      // After a reconnection, the stream begins in the middle of a frame, too.
      connection.write(Array(Self.silentMP3(60)[cut...]))
      if question.number > 1 { connection.stall() }
    }
    let session = self.session([server.address("/live")]) { $0.serverTimeout = .seconds(1) }
    try session.start()
    // Most frames of both connections; the decoder and the resampler delay some of them.
    #expect(pump { target.samples.count >= 100 * 1152 })
    stop(session)
    #expect(target.samples.allSatisfy { $0 == 0 })
    #expect(listener.damage.isEmpty && listener.failures.isEmpty)
  }

  /// The first frames prove MP3, and then there are none, and no end.
  @Test func anMP3StreamWithoutFurtherFramesFails() throws {
    let server = try WebServer { _, connection in
      connection.writeHead("200 OK", ["Content-Type: audio/mpeg", "icy-name: Radio"])
      connection.write(Self.silentMP3(8))
      let bytes = [UInt8](repeating: 0x55, count: 65_536)
      while connection.write(bytes) {}
    }
    #expect(failure(server.address("/live")).contains("no frame that can be decoded"))
  }
  #endif
}
