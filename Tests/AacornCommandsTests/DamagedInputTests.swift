import Testing

@testable import AacornCommands

/// Truncated inputs of recordings and streams.
@Suite struct DamagedInputTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  init() throws {
    let whole = CapturedConsole()
    let path = folder.path("whole.m4a")
    try #require(
      whole.run(["record", path, "--device", "tone", "--unpaced", "-d", "1", "-q"]) == .success)
    try folder.write(Array(folder.read("whole.m4a").dropLast(4000)), to: "cut.m4a")
    try folder.write(Array(wavFile(frames: 20_000).dropLast(40_000)), to: "cut.wav")
    try folder.write(wavFile(frames: 40_000), to: "whole.wav")
  }

  private var known: Set<String> { ["cut.m4a", "cut.wav", "whole.m4a", "whole.wav"] }

  @Test(arguments: [
    ("cut.m4a", "is damaged or cut off; the readable part was used."),
    ("cut.wav", "is 40.0 kB shorter than its header specifies; the available audio was used."),
  ])
  func recordingOfACutFileIsReported(name: String, message: String) throws {
    let device = "file:" + folder.path(name)
    let output = folder.path("out.m4a")
    captured.aacorn("record", output, "--device", device, "--unpaced", status: .failed)
    #expect(captured.errors.hasSuffix("aacorn: “\(folder.path(name))” \(message)\n"))
    captured.expectOutput("out.m4a")
    let json = CapturedConsole(
      running: ["record", "-f", output, "--device", device, "--unpaced", "--json"], status: .failed)
    json.expectOutput(#""status":"error","error":"bad-input","message":"“"#)
    #expect(Set(folder.names).subtracting(known) == ["out.m4a"])
  }

  @Test func recordingOfAWholeFileIsASuccess() throws {
    for name in ["whole.m4a", "whole.wav"] {
      let device = "file:" + folder.path(name)
      captured.aacorn("record", "-fq", folder.path("out.m4a"), "--device", device, "--unpaced")
    }
  }

  @Test func cutTrackIsReported() throws {
    captured.aacorn(
      "record", folder.path("out.wav"), "--source", "a=" + folder.path("whole.wav"), "--source",
      "b=" + folder.path("cut.wav"), "--unpaced", status: .failed)
    captured.expectErrors("The track “b” is incomplete: “")
  }

  @Test(arguments: [[], ["--loop", "-d", "1"]])
  func streamOfACutFileIsReported(more: [String]) throws {
    captured.aacorn(
      ["stream", folder.path("cut.wav"), "--save", folder.path("out.m4a"), "--unpaced"] + more,
      status: .failed)
    captured.expectErrors("is 40.0 kB shorter than its header specifies")
    #expect(more.isEmpty || captured.output.contains("0:01.0"))
  }
}
