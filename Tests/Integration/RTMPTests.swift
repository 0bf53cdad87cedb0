import AacornCodec
import AacornContainers
import AacornNetwork
import AacornRecording
import AacornStreaming
import Foundation
import SoundRigs
import StreamRigs
import Testing

/// A recording that is sent to a real RTMP server, the server's recordings, and its players.
@Suite(.tags(.smoke)) struct RTMPTests {
  let server: NginxServer
  let folder = WorkFolder()

  init() throws {
    server = try NginxServer()
  }

  @Test func serverRecordingHasEveryFrame() throws {
    let (rate, channels) = (44_100, 1)
    let broadcast = try RTMPBroadcast(
      to: RTMPConfiguration(address: server.address, streamKey: "radio?x=y"), rate: rate,
      channels: channels)
    try #require(eventually { broadcast.status.sentFrameCount > 100 })
    let statistics = try server.statistics()
    for word in [
      "<name>radio</name>", "<codec>AAC</codec>", "<profile>LC</profile>",
      "<channels>\(channels)</channels>", "<sample_rate>\(rate)</sample_rate>", "<publishing/>",
    ] {
      #expect(statistics.contains(word), "\(word) in \(statistics)")
    }
    broadcast.connection.update(LiveMetadata(title: "Prélude", artist: "Åse"))
    let count = broadcast.status.sentFrameCount
    try #require(eventually { broadcast.status.sentFrameCount > count + 20 })
    let player = try Program.ffprobe().run(
      [
        "-v", "error", "-show_entries", "format_tags=title,artist,encoder", "-of",
        "default=noprint_wrappers=1", server.address + "/radio",
      ], in: folder)
    for tag in ["title=Prélude", "artist=Åse", "encoder=Aacorn"] {
      #expect(player.text.contains("TAG:\(tag)\n"), "\(player.text)\(player.errors)")
    }
    broadcast.finish()
    #expect(broadcast.status.state == .stopped)
    #expect(broadcast.status.sentFrameCount == broadcast.frames.count)
    #expect(broadcast.status.droppedFrameCount == 0 && broadcast.status.reconnectCount == 0)

    let file = try #require(recordingFile(of: "radio", with: broadcast.frames.count))
    let recording = try NginxServerRecording(file)
    let stream = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: rate, channelConfiguration: channels)
    // The server writes the sequence header at the start of its file, and again when the publisher
    // sends the header.
    #expect(Set(recording.sequenceHeaders) == [stream.bytes])
    #expect(recording.frames.map { Array($0.body[2...]) } == broadcast.frames)
    #expect(
      recording.frames.map(\.time) == broadcast.frames.indices.map { $0 * 1024 * 1000 / rate })
    #expect(recording.tags.first { $0.kind == 8 }?.body == [0xAF, 0] + stream.bytes)
    // A player decodes all frames without warnings.
    let decoded = try Decoders.ffmpeg(file.path, channels: channels, in: folder)
    #expect(
      decoded.map(\.count) == Array(repeating: broadcast.frames.count * 1024, count: channels))
  }

  /// The server's recording of a stream, once it has a number of frames.
  ///
  /// The server writes the file with a delay.
  private func recordingFile(of name: String, with frameCount: Int) -> URL? {
    var file: URL?
    let isComplete = eventually {
      file = server.recordingFiles(of: name).first
      let recording = file.flatMap { try? NginxServerRecording($0) }
      return (recording?.frames.count ?? 0) >= frameCount
    }
    #expect(isComplete, "It has fewer than \(frameCount) frames.")
    return file
  }
}
