import AacornCodec
import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming

/// A low-latency player that requests every part in advance.
@Suite(.simulated(seeds: 3)) struct HLSServerPlayerTests {
  /// The parts that the player has received.
  ///
  /// The output waits for them, as in real time.
  private let gottenParts = Lock<[[UInt8]]>([])

  @Test(arguments: HLSConfiguration.Media.allCases)
  func everyPartReachesAPlayerThatAsksAhead(media: HLSConfiguration.Media) throws {
    var bench = HLSBench(.live, media, partMilliseconds: 250)
    bench.configuration.segmentDuration = .seconds(1)
    let store = HLSMemoryStore()
    let handler = HLSHandler(store)
    let server = try HTTPServer { handler.handle($0, $1) }
    let frameCount = 400

    let output = HLSOutput(bench.configuration, stores: [store], name: "test")
    let making = WorkerThread("test") { [bench, gottenParts] in
      do {
        try Self.stream(bench, output, frameCount) { frame in
          // A part lasts about twelve frames. The player starts with three segments, and then lags
          // a few parts at most.
          frame < 150 || eventually { gottenParts.withLock { $0.count } >= frame / 12 - 4 }
        }
      } catch {
        Issue.record(error)
      }
    }
    defer { making?.join() }

    let sections = try play(server)
    let bytes = gottenParts.withLock { $0 }.flatMap(\.self)
    let expected = (0..<frameCount).map { HLSBench.bytes($0, rendition: 0, count: 200) }
    let frames = media == .packedAudio ? packedFrames(bytes).frames : mp4Frames(sections + bytes)
    #expect(frames == expected)
  }

  /// Writes frames to an output, each after `mayGoOn` returns true.
  private static func stream(
    _ bench: HLSBench, _ output: HLSOutput, _ frameCount: Int, _ mayGoOn: (Int) -> Bool
  ) throws {
    var output = output
    try output.open()
    try output.begin(
      SegmentStart(
        index: 0, format: bench.format(0), position: 0, wallTime: bench.wallTime,
        expectedPacketCount: nil))
    for frame in 0..<frameCount {
      guard mayGoOn(frame) else {
        Issue.record("The player stalled at frame \(frame).")
        break
      }
      let bytes = HLSBench.bytes(frame, rendition: 0, count: 200)
      try output.write(EncodedPacket(bytes: bytes, position: (frame - 1) * 1024, sampleCount: 1024))
    }
    let trim = StreamTrim(priming: 1024, remainder: 0, sampleCount: (frameCount - 1) * 1024)
    _ = try output.end(SegmentEnd(sampleCount: trim.sampleCount, trim: trim))
    _ = output.abandon()
  }

  /// Plays to the end, and returns the initialization sections.
  private func play(_ server: HTTPServer) throws -> [UInt8] {
    var sections: [UInt8] = []
    // The first request may come before the presentation starts.
    #expect(try httpAnswer(server, "/stream.m3u8").text.contains("stream-0.m3u8"))
    var known: Set<String> = []
    var path = "/stream-0.m3u8"
    while true {
      let answer = try httpAnswer(server, path)
      try #require(answer.status == 200, "\(path)")
      let playlist = HLSPlaylistText(answer.text)
      for segment in playlist.segments {
        if let map = segment.map, known.insert(map).inserted {
          sections += try httpAnswer(server, "/" + map).body
        }
        for part in segment.parts where known.insert(part.name).inserted {
          try get(part.name, server)
        }
      }
      if playlist.isEnded { return sections }
      if let hint = playlist.hint, known.insert(hint).inserted { try get(hint, server) }
      let complete = (playlist.mediaSequence ?? 0) + playlist.segmentNames.count
      let growing = playlist.segments.last?.name == nil ? playlist.segments.last?.parts.count : nil
      path = "/stream-0.m3u8?_HLS_msn=\(complete)&_HLS_part=\(growing ?? 0)"
    }
  }

  private func get(_ part: String, _ server: HTTPServer) throws {
    let answer = try httpAnswer(server, "/" + part)
    // The part of the last hint is never published.
    if answer.status == 200 { gottenParts.withLock { $0.append(answer.body) } }
  }
}
