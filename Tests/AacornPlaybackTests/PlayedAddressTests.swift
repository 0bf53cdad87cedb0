import AacornDevices
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Simulation
import StreamRigs
import TestSignals
import Testing

@testable import AacornPlayback

/// Audio from a web server to the loudspeaker.
@Suite(.simulated(seeds: 5)) struct PlayedAddressTests: PlayerSuite {
  let files: PlayedFiles
  let listener = PlayerListener()
  let target = PumpedTarget()

  init() throws { files = try PlayedFiles() }

  private static func wav(_ frameCount: Int, announced: Int? = nil) -> [UInt8] {
    let writer = WAVWriter(encoding: .float32, sampleRate: 48_000, channelCount: 1)
    var bytes = writer.header(frameCount: UInt64(announced ?? frameCount))
    let samples = ramp(0..<frameCount)
    writer.append(samples.span, to: &bytes)
    return bytes
  }

  /// Returns Sun audio of 16-bit samples.
  ///
  /// The system's audio library decodes it, but only from files.
  private static func sunAudio(_ frameCount: Int) -> [UInt8] {
    var bytes = Array(".snd".utf8)
    // The size of the header, the size of the samples, their coding, the rate and the channels.
    for number in [24, frameCount * 2, 3, 48_000, 1] {
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    for frame in 0..<frameCount {
      bytes += [UInt8(truncatingIfNeeded: frame >> 8), UInt8(truncatingIfNeeded: frame)]
    }
    return bytes
  }

  private static func sunSamples(_ range: Range<Int>) -> [Float] {
    range.map { Float(Int16(truncatingIfNeeded: $0)) / 32_768 }
  }

  @Test(arguments: [true, false])
  func brokenTransferPlaysWithoutGapOrIsReported(canResume: Bool) throws {
    let wav = Self.wav(96_000)
    let server = try WebServer { question, connection in
      if question.number == 1 { return connection.answer(wav, brokenAfter: 200_001) }
      if !canResume { return connection.refuse("404 Not Found") }
      connection.answer(question, of: wav)
    }
    let session = self.session([server.address("/a.wav")]) {
      if !canResume { $0.serverTimeout = .seconds(1) }
    }
    let summary = try playToTheEnd(session)
    #expect(target.samples == ramp(0..<target.samples.count))
    #expect(target.samples.count > 40_000 && (target.samples.count == 96_000) == canResume)
    #expect(summary.isComplete == canResume)
    if canResume {
      #expect(listener.eventTexts == ["started 0", "ended 0", "stopped"])
      #expect(server.questions.map(\.range) == [nil, "200001-"])
    } else {
      #expect(listener.eventTexts.contains("unreadable 0"))
      #expect(listener.failures.first?.contains("it has no such file or stream (404)") == true)
    }
  }

  @Test func silentServerIsAnError() throws {
    let server = try WebServer { _, connection in connection.stall() }
    let session = self.session([server.address("/a.aac")]) { $0.serverTimeout = .seconds(1) }
    let message = try #require(startError(session))
    #expect(message.contains("it stopped sending data"))
    #expect(message.contains("127.0.0.1:\(server.port)"))
  }

  @Test(arguments: [0, 1]) func liveStreamPlaysWithTitlesUntilStopped(start: Int) throws {
    let wav = Self.wav(200_000, announced: 1 << 29)
    let server = try WebServer { _, connection in
      connection.writeLive(wav, interval: 4096)
      connection.stall()
    }
    let session = self.session([server.address("/live")]) { $0.start = .seconds(start) }
    try session.start()
    #expect(pump { target.samples.count >= 100_000 })
    // A live stream has no other position; a start or a seek has no effect.
    #expect(listener.eventTexts.contains("unseekable 0") == (start > 0))
    session.seek(to: .seconds(1))
    #expect(
      pump { listener.eventTexts.contains("unseekable 0") && target.samples.count >= 150_000 })
    stop(session)
    #expect(listener.eventTexts.count { $0 == "unseekable 0" } == 1)
    #expect(target.samples == ramp(0..<target.samples.count))
    #expect(listener.titles == ["one"])
    #expect(listener.failures.isEmpty)
  }

  @Test func liveStreamLossIsReportedAndCounted() throws {
    let wav = Self.wav(200_000, announced: 1 << 29)
    let server = try WebServer { question, connection in
      connection.writeHead("200 OK", ["icy-name: Radio"])
      // The second connection continues at the live edge.
      connection.write(Array(question.number == 1 ? wav.prefix(400_044) : wav.suffix(400_000)))
      connection.stall()
    }
    let session = self.session([server.address("/live")]) { $0.serverTimeout = .seconds(1) }
    try session.start()
    #expect(pump { !listener.lost.isEmpty })
    stop(session)
    // The server was silent for a second before the client disconnected.
    #expect(listener.lost.allSatisfy { $0 >= .seconds(1) })
    #expect(session.summary?.lost == listener.lost.reduce(.zero, +))
  }

  @Test func segmentsOfAACPlayLikeTheJoinedFile() async throws {
    let wave = (0..<48_000).map { Float($0 % 96) / 192 - 0.25 }
    let (output, aac) = try await files.aac(wave, to: "a.aac")
    let borders = frameBorders(aac)
    // Each segment begins with a tag that contains its timestamp (RFC 8216, section 3.4).
    var stamp = Array("PRIV".utf8)
    stamp += [0, 0, 0, 53, 0, 0]
    stamp += Array("com.apple.streaming.transportStreamTimestamp\0".utf8)
    stamp += [UInt8](repeating: 0, count: 8)
    var tag = Array("ID3".utf8)
    tag += [4, 0, 0, 0, 0, 0, UInt8(stamp.count)]
    tag += stamp
    let cuts = (0...3).map { borders[$0 * (borders.count - 1) / 3] }
    let segments = (0..<3).map { tag + aac[cuts[$0]..<cuts[$0 + 1]] }
    let server = try WebServer { question, connection in
      if let number = Int(question.target.dropFirst()) {
        connection.writeHead("200 OK", ["Content-Length: \(segments[number].count)"])
        // The first read from a pipe may return less than the tag.
        connection.write(Array(segments[number].prefix(20)))
        connection.write(Array(segments[number].dropFirst(20)))
      } else {
        connection.answer([
          "#EXTM3U", "#EXT-X-TARGETDURATION:1", "#EXTINF:1,", "0", "#EXTINF:1,", "1",
          "#EXT-X-DISCONTINUITY", "#EXTINF:1,", "2", "#EXT-X-ENDLIST",
        ])
      }
    }
    let session = self.session([server.address("/list.m3u8")])
    try playToTheEnd(session)
    let expected = try files.samples(at: output)
    #expect(target.samples == expected)
    #expect(expected.count >= 48_000)
    #expect(listener.eventTexts == ["started 0", "ended 0", "stopped"])
  }

  @Test(arguments: [true, false])
  func aJumpBackInAFileAsksForItAgain(saysLength: Bool) throws {
    let wav = Self.wav(96_000)
    let server = try WebServer { question, connection in
      if saysLength { return connection.answer(question, of: wav) }
      connection.writeHead("200 OK")
      connection.write(wav)
    }
    let session = self.session([server.address("/a.wav")])
    try session.start()
    #expect(pump { target.samples.count >= 20_000 })
    session.seek(to: .milliseconds(100))
    #expect(pump { listener.hasStopped })
    #expect(Array(target.samples[..<20_000]) == ramp(0..<20_000))
    #expect(Array(target.samples.suffix(91_200)) == ramp(4800..<96_000))
    #expect(session.summary?.isComplete == true)
    // The seek does not start another run of the item.
    #expect(listener.eventTexts == ["started 0", "ended 0", "stopped"])
    #expect(server.questions.map(\.range) == [nil, nil])
  }

  @Test func seekBackToRemovedFileReportsErrorAndPlaysNextItem() throws {
    let wav = Self.wav(96_000)
    let server = try WebServer { question, connection in
      if question.number > 1 { return connection.refuse("404 Not Found") }
      connection.answer(wav)
    }
    let next = try files.wav(ramp(0..<300), to: "b.wav")
    let session = self.session([server.address("/a.wav"), next])
    try session.start()
    #expect(pump { target.samples.count >= 20_000 })
    session.seek(to: .zero)
    #expect(pump { listener.hasStopped })
    #expect(Array(target.samples.suffix(300)) == ramp(0..<300))
    #expect(
      listener.eventTexts.contains("unreadable 0") && listener.eventTexts.contains("started 1"))
    #expect(listener.failures.first?.contains("it has no such file or stream (404)") == true)
  }

  #if os(Linux)
  @Test func formatReadFromFilesOnlyIsFetchedOnce() throws {
    let sound = Self.sunAudio(30_000)
    let server = try WebServer { question, connection in
      // The connection breaks in the middle of the file.
      if question.number != 2 { return connection.answer(question, of: sound) }
      connection.answer(sound, brokenAfter: 20_000)
    }
    let session = self.session([server.address("/a.au")])
    try session.start()
    #expect(pump { target.samples.count >= 10_000 })
    let playedCount = target.samples.count
    session.seek(to: .milliseconds(100))
    #expect(pump { listener.hasStopped })
    #expect(Array(target.samples[..<playedCount]) == Self.sunSamples(0..<playedCount))
    #expect(Array(target.samples.suffix(25_200)) == Self.sunSamples(4800..<30_000))
    #expect(session.summary?.isComplete == true)
    #expect(listener.eventTexts == ["started 0", "ended 0", "stopped"])
    // The initial stream, the complete file, and its remaining bytes.
    #expect(server.questions.map(\.range) == [nil, nil, "20000-"])
    // The start and the end of the transfer are reported, and nothing twice.
    let fetched = listener.fetched
    #expect(fetched.first == [0, 0, sound.count] && fetched.last == [0, sound.count, sound.count])
    #expect(zip(fetched, fetched.dropFirst()).allSatisfy { $0[1] < $1[1] })
  }

  @Test func aFetchedFileHasNoNameAndALimit() throws {
    let sound = Self.sunAudio(1000)
    let server = try WebServer { question, connection in
      if question.target == "/a" { return connection.answer(sound) }
      connection.writeHead("200 OK", ["Content-Length: 3000000000"])
      connection.stall()
    }
    let address = try #require(HTTPAddress(server.address("/a")))
    let file = try FetchedFile(address, HTTPTransferOptions(), interruption: Interruption())
    #expect(try files.bytes(at: file.path) == sound)
    #expect(try System.status(of: file.path).linkCount == 0)
    #expect(try System.status(of: file.path).permissions == 0o600)
    let large = try #require(HTTPAddress(server.address("/large")))
    let error = #expect(throws: AACFileError.self) {
      try FetchedFile(large, HTTPTransferOptions(), interruption: Interruption())
    }
    let message = try #require(error?.message)
    #expect(message.contains("“\(large.text)” must be downloaded to be played, but has"))
    #expect(message.contains("Download it and play the file."))
  }

  @Test func fullDiskErrorNamesTheFolder() throws {
    let server = try WebServer { _, connection in connection.answer(noise(5000)) }
    let address = try #require(HTTPAddress(server.address("/a.mp3")))
    // A write to this device always fails with “no space left on device”.
    let full = try System.open("/dev/full", for: .writing)
    defer { try? System.close(full) }
    let transfer = HTTPTransfer(
      address: address, options: .shortTimeouts, descriptor: full, folder: "/var/tmp",
      interruption: Interruption())
    let request = try HTTPDownload.send(to: address, .shortTimeouts, Interruption())
    #expect(
      transfer.run(request, { _ in })?.message
        == "“\(address.text)” must be downloaded to be played, but cannot be written to the "
        + "folder “/var/tmp”: the disk is full. Make room there, or choose another folder with the "
        + "variable TMPDIR.")
  }
  #endif

  @Test(arguments: [true, false])
  func endlessSoundInAnotherCodingIsRefusedByItsName(isLive: Bool) throws {
    let server = try WebServer { _, connection in
      connection.writeHead(
        "200 OK", ["Content-Type: audio/ogg"] + (isLive ? ["icy-name: Radio"] : []))
      connection.write(noise(100_000))
      connection.stall()
    }
    let address = server.address("/live")
    let session = self.session([address])
    #if os(Linux)
    let codings = "AAC and MP3"
    #else
    let codings = "AAC"
    #endif
    #expect(
      startError(session)
        == "“\(address)” is a stream of unknown length in Ogg (audio/ogg). Such streams are played "
        + "only in \(codings). Choose its AAC stream, if there is one.")
    #expect(server.questions.count == 1)
  }
}
