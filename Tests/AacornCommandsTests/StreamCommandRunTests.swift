import AacornSystem
import Testing

@testable import AacornCommands

/// Streams without a server, run by the command.
@Suite struct StreamCommandRunTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test func streamWritesFilesAndHLSFolderSimultaneously() throws {
    let hls = folder.path("hls")
    let status = captured.run([
      "stream", "--device", "speech", "--unpaced", "-d", "9", "--save", folder.path("a.m4a"),
      "--save", folder.path("a.aac"), "--hls", hls, "--hls-type", "vod", "--hls-segment", "2s",
      "--bitrates", "128k,48k",
    ])
    #expect(status == .success, "\(captured.errors)")
    #expect(captured.errors.contains("save (\(folder.path("a.m4a"))): started."))
    #expect(captured.output.contains("a.m4a: 0:09.0, "))
    #expect(captured.output.contains("5 segments"))
    let names = try System.names(inFolder: hls)
    for name in ["stream.m3u8", "stream-128k.m3u8", "stream-48k.m3u8"] {
      #expect(names.contains(name), "\(names)")
    }
    let playlist = folder.text("hls/stream-48k.m3u8")
    #expect(playlist.contains("#EXT-X-ENDLIST"))
    #expect(playlist.split(separator: "\n").count { $0.hasPrefix("#EXTINF:") } == 5)
    #expect(captured.run(["inspect", folder.path("a.m4a"), folder.path("a.aac")]) == .success)
  }

  @Test func oneOutputThatCannotBeOpenedLeavesTheOthersAlone() throws {
    let taken = try folder.write([1], to: "taken.m4a")
    let status = captured.run([
      "stream", "--device", "tone", "--unpaced", "-d", "2", "--save", taken, "--save",
      folder.path("b.m4a"), "--json",
    ])
    #expect(status == .failed)
    #expect(try folder.read("taken.m4a") == [1])
    #expect(captured.output.contains(#""output":"save","kind":"save","name":"\#(taken)","#))
    #expect(captured.output.contains(#""state":"failed","attempt":0,"error":"exists","#))
    #expect(captured.output.contains(#""event":"stopped""#))
    #expect(captured.output.contains(#""status":"error","code":1,"#))
    #expect(captured.run(["inspect", folder.path("b.m4a")]) == .success)
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
    #expect(captured.run(arguments) == .endedEarly)
    #expect(captured.errors.contains("Cannot write to “\(folder.path("hls"))”"))
    #expect(captured.output.contains("1 segment, failed"))
    let both = CapturedConsole(
      running: arguments + ["--json", "--save", folder.path("a.m4a")], status: .failed)
    #expect(both.output.contains(#""message":"1 of 2 outputs failed: hls.""#))
  }

  @Test func unwrittenSegmentsAreExcludedFromCount() throws {
    let hls = folder.path("hls")
    try System.makeFolder(hls)
    try System.makeFolder(hls + "/.stream-0.m3u8.partial")
    let status = captured.run([
      "stream", "--device", "tone", "--unpaced", "-d", "9", "--hls", hls, "--hls-segment", "2s",
    ])
    #expect(status == .endedEarly, "\(captured.errors)")
    #expect(captured.output.contains("1 segment, failed"))
  }

  @Test func noOutputAtAllIsExitCodeFour() throws {
    let taken = try folder.write([1], to: "taken.m4a")
    let status = captured.run([
      "stream", "--device", "tone", "--unpaced", "-d", "2", "--save", taken, "--hls",
      folder.path("no/such"), "--save", folder.path("no/b.aac"),
    ])
    #expect(status == .cannotWrite)
    #expect(captured.errors.contains("Gave up on save (\(taken)): “\(taken)” already exists"))
    #expect(captured.errors.contains("Use --force to replace it, or choose another name."))
    #expect(captured.errors.contains("All outputs have failed, so the stream has ended."))
    #expect(folder.names == ["taken.m4a"])
  }

  @Test func withoutSoundItIsExitCodeThree() {
    let status = captured.run(["stream", folder.path("no.wav"), "--save", folder.path("a.m4a")])
    #expect(status == .cannotRead)
    #expect(captured.errors.contains("no.wav"))
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
    #expect(lines.allSatisfy { $0.hasPrefix("{\"event\":\"") && $0.hasSuffix("}") })
    #expect(lines.contains { $0.contains(#""state":"live""#) })
    #expect(lines.last?.hasPrefix("{\"event\":\"stopped\"") == true)
    #expect(lines.last?.contains(#""status":"ok","code":0,"error":null,"#) == true)
    #expect(lines.last?.contains(#""ledger":[],"outputs":[{"output":"save","#) == true)
    let quiet = CapturedConsole()
    let arguments = [
      "stream", "-q", "--device", "tone", "--unpaced", "-d", "1", "--save", folder.path("b.m4a"),
    ]
    #expect(quiet.run(arguments) == .success)
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
  }

  @Test func aFileIsPlayedToItsEndAndLoopedForAsLongAsAsked() throws {
    let input = try folder.write(wavFile(frames: 44_100), to: "in.wav")
    #expect(
      captured.run(["stream", input, "--unpaced", "--save", folder.path("a.m4a")]) == .success)
    #expect(captured.output.contains("a.m4a: 0:01.0, "))
    let looped = [
      "stream", input, "--loop", "--unpaced", "-d", "3.5", "--save", folder.path("b.m4a"),
    ]
    #expect(captured.run(looped) == .success)
    #expect(captured.output.contains("b.m4a: 0:03.5, "))
  }

  @Test func unavailableStatusAddressIsReportedBeforeOpening() throws {
    let status = captured.run([
      "stream", "--device", "tone", "--unpaced", "-d", "1", "--save", folder.path("a.m4a"),
      "--save", folder.path("b.m4a"), "--listen-status", "192.0.2.1:1",
    ])
    #expect(status == .cannotWrite)
    #expect(captured.errors.contains("This machine does not have the address 192.0.2.1."))
    #expect(folder.names.isEmpty)
  }

  @Test func aMissingFileOfMetadataIsAWarning() throws {
    let status = captured.run([
      "stream", "--device", "tone", "--unpaced", "-d", "1", "--save", folder.path("a.m4a"),
      "--metadata-file", folder.path("now.txt"),
    ])
    #expect(status == .success)
    #expect(captured.errors.contains("Warning: “\(folder.path("now.txt"))” cannot be read"))
  }
}
