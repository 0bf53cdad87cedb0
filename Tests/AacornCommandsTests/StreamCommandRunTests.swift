import AacornSystem
import Testing

@testable import AacornCommands

/// Streams without a server, run by the command.
@Suite struct StreamCommandRunTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test func streamWritesFilesAndHLSFolderSimultaneously() throws {
    let hls = folder.path("hls")
    captured.aacorn(
      "stream", "--device", "speech", "--unpaced", "-d", "9", "--save", folder.path("a.m4a"),
      "--save", folder.path("a.aac"), "--hls", hls, "--hls-type", "vod", "--hls-segment", "2s",
      "--profile", "auto", "--bitrates", "128k,48k", "--save-bitrate", "48k", "-v")
    captured.expectErrors("AAC-LC with 128.0 kb/s and HE-AAC with 48.0 kb/s at")
    captured.expectErrors("save (\(folder.path("a.m4a"))): started.")
    captured.expectOutput("a.m4a: 0:09.0, ", "5 segments")
    let master = try folder.text("hls/stream.m3u8").split(separator: "\n")
    for (codec, name) in [("mp4a.40.2", "stream-128k.m3u8"), ("mp4a.40.5", "stream-48k.m3u8")] {
      let index = try #require(master.firstIndex { $0 == name })
      #expect(master[index - 1].contains("CODECS=\"\(codec)\""))
      let playlist = try folder.text("hls/" + name)
      #expect(playlist.contains("#EXT-X-ENDLIST"))
      #expect(playlist.split(separator: "\n").count { $0.hasPrefix("#EXTINF:") } == 5)
    }
    let inspection = CapturedConsole(running: ["inspect", "--json", folder.path("a.m4a")])
    inspection.expectOutput(#""profile":"HE-AAC""#, #""priming":3010"#, #""errors":0"#)
    captured.aacorn("inspect", folder.path("a.aac"))
  }

  @Test func jsonIsALineForEveryEvent() throws {
    let status = captured.run([
      "stream", "--device", "tone", "--unpaced", "-d", "1", "--save", folder.path("a.m4a"),
      "--json",
    ])
    #expect(status == .success)
    #expect(captured.errors.isEmpty)
    let lines = captured.output.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"event":""#) && $0.hasSuffix("}") })
    #expect(lines.contains { $0.contains(#""state":"live""#) })
    #expect(lines.last?.hasPrefix(#"{"event":"stopped""#) == true)
    #expect(lines.last?.contains(#""status":"ok","code":0,"error":null,"#) == true)
    #expect(lines.last?.contains(#""ledger":[],"outputs":[{"output":"save","#) == true)
  }
}
