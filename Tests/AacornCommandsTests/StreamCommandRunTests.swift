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

  @Test func oneOutputThatCannotBeOpenedLeavesTheOthersAlone() throws {
    let taken = try folder.write([1], to: "taken.m4a")
    let status = captured.run([
      "stream", "--device", "tone", "--unpaced", "-d", "2", "--save", taken, "--save",
      folder.path("b.m4a"), "--json",
    ])
    #expect(status == .failed)
    #expect(try folder.read("taken.m4a") == [1])
    captured.expectOutput(#""output":"save","kind":"save","name":"\#(taken)","#)
    captured.expectOutput(#""state":"failed","attempt":0,"error":"exists","#, #""event":"stopped""#)
    captured.expectOutput(#""status":"error","code":1,"#)
    captured.aacorn("inspect", folder.path("b.m4a"))
  }

  /// A folder has the name of the playlist.
  ///
  /// The error appears only at the end, when the playlist is written.
  @Test(arguments: ["stream.m3u8", "stream-0.m3u8"])
  func aPlaylistThatCannotBeWrittenAtTheEndIsAFailure(name: String) throws {
    try folder.write([1], to: "hls/\(name)/x")
    let arguments = [
      "stream", "--device", "tone", "--unpaced", "-d", "2", "--hls", folder.path("hls"),
      "--hls-type", "vod",
    ]
    captured.aacorn(arguments, status: .endedEarly)
    captured.expectErrors("Cannot write to “\(folder.path("hls"))”")
    captured.expectOutput("1 segment, failed")
    let both = CapturedConsole(
      running: arguments + ["--json", "--save", folder.path("a.m4a")], status: .failed)
    both.expectOutput(#""message":"1 of 2 outputs failed: hls.""#)
  }

  @Test func unwrittenSegmentsAreExcludedFromCount() throws {
    let hls = folder.path("hls")
    try System.makeFolder(hls)
    try System.makeFolder(hls + "/.stream-0.m3u8.partial")
    captured.aacorn(
      "stream", "--device", "tone", "--unpaced", "-d", "9", "--hls", hls, "--hls-segment", "2s",
      status: .endedEarly)
    captured.expectOutput("1 segment, failed")
  }

  @Test func noOutputAtAllIsExitCodeFour() throws {
    let taken = try folder.write([1], to: "taken.m4a")
    captured.aacorn(
      "stream", "--device", "tone", "--unpaced", "-d", "2", "--save", taken, "--hls",
      folder.path("no/such"), "--save", folder.path("no/b.aac"), status: .cannotWrite)
    captured.expectErrors("Gave up on save (\(taken)): “\(taken)” already exists")
    captured.expectErrors("Use --force to replace it, or choose another name.")
    captured.expectErrors("All outputs have failed, so the stream has ended.")
    #expect(folder.names == ["taken.m4a"])
  }

  @Test func withoutSoundItIsExitCodeThree() {
    captured.aacorn(
      "stream", folder.path("no.wav"), "--save", folder.path("a.m4a"), status: .cannotRead)
    captured.expectErrors("no.wav")
    #expect(folder.names.isEmpty)
  }

  @Test func jsonIsALineForEveryEventAndQuietIsQuiet() throws {
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
    let quiet = CapturedConsole()
    let arguments = [
      "stream", "-q", "--device", "tone", "--unpaced", "-d", "1", "--save", folder.path("b.m4a"),
    ]
    quiet.aacorn(arguments)
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
  }

  @Test func aFileIsPlayedToItsEndAndLoopedForAsLongAsAsked() throws {
    let input = try folder.write(wavFile(frames: 44_100), to: "in.wav")
    captured.aacorn("stream", input, "--unpaced", "--save", folder.path("a.m4a"))
    captured.expectOutput("a.m4a: 0:01.0, ")
    let looped = [
      "stream", input, "--loop", "--unpaced", "-d", "3.5", "--save", folder.path("b.m4a"),
    ]
    captured.aacorn(looped, output: "b.m4a: 0:03.5, ")
  }

  @Test func unavailableStatusAddressIsReportedBeforeOpening() throws {
    captured.aacorn(
      "stream", "--device", "tone", "--unpaced", "-d", "1", "--save", folder.path("a.m4a"),
      "--save", folder.path("b.m4a"), "--listen-status", "192.0.2.1:1", status: .cannotWrite)
    captured.expectErrors("This machine does not have the address 192.0.2.1.")
    #expect(folder.names.isEmpty)
  }

  @Test func aMissingFileOfMetadataIsAWarning() throws {
    captured.aacorn(
      "stream", "--device", "tone", "--unpaced", "-d", "1", "--save", folder.path("a.m4a"),
      "--metadata-file", folder.path("now.txt"))
    captured.expectErrors("Warning: “\(folder.path("now.txt"))” cannot be read")
  }
}
