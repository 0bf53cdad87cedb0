import AacornRecording
import Testing

@testable import AacornCommands

/// The commands `aacorn cut` and `aacorn join`.
@Suite struct SpliceCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @discardableResult
  private func coded(_ name: String, frames: Int = 50_000, channels: Int = 2) throws -> String {
    let source = try folder.write(
      wavFile(frames: frames, channels: channels), to: "source/\(name).wav")
    let output = folder.path(name)
    CapturedConsole(running: ["encode", source, "-o", output])
    return output
  }

  /// The number of decoded frames of a file.
  private func frameCount(_ name: String) throws -> Int {
    let console = CapturedConsole()
    let arguments = ["decode", "-f", folder.path(name), "-o", folder.path("sound.raw")]
    console.aacorn(arguments)
    return try folder.read("sound.raw").count / 4
  }

  @Test func aPartIsCutAndReported() throws {
    let input = try coded("a.m4a")
    let output = folder.path("part.m4a")
    let line = ["cut", input, "--start", "0.2", "--end", "0.5", "-o", output]
    captured.aacorn(line, output: "part.m4a: 0:00.3, 44.1 kHz, 2 channels, ")
    #expect(captured.output.contains(", sample-accurate\n") && captured.errors.isEmpty)
    #expect(try frameCount("part.m4a") == 13_230)
    let again = ["cut", input, "--start", "100ms", "--duration", "50ms", "-o", output]
    captured.aacorn(again, status: .cannotWrite)
    captured.aacorn(again + ["-y", "-q"])
    #expect(try frameCount("part.m4a") == 2205)
  }

  @Test func cutOfADTSStreamReportsFrameBoundaries() throws {
    let input = try coded("a.aac")
    let status = captured.run(
      ["cut", input, "--start", "0.2", "--duration", "0.5", "-o", folder.path("b.aac"), "--json"])
    #expect(status == .success)
    captured.expectErrors("consists of complete frames: it begins ")
    captured.expectOutput(#""exact":false"#, #""excessBefore":0.0"#, #""status":"ok""#)
  }

  @Test func filesAreJoined() throws {
    let inputs = try [coded("a.m4a"), coded("b.m4a", frames: 30_000)]
    let output = folder.path("c.m4a")
    captured.aacorn(["join"] + inputs + ["-o", output, "--json"], output: #""samples":80000"#)
    #expect(try frameCount("c.m4a") == 80_000)
    let mono = try coded("mono.m4a", channels: 1)
    captured.aacorn("join", inputs[0], mono, "-o", folder.path("d.m4a"), status: .failed)
    captured.expectErrors(" cannot be joined: the first is stereo, the second is mono.")
    #expect(!folder.names.contains("d.m4a"))
  }

  @Test func contradictionsAreRefused() throws {
    let input = try coded("a.m4a", frames: 5000)
    let output = folder.path("b.m4a")
    let lines = [
      ["cut"], ["cut", input], ["cut", input, input, "-o", output], ["join", input, "-o", output],
      ["cut", input, "--end", "1", "--duration", "1", "-o", output], ["join", input, input],
      ["cut", input, "--start", "2", "--end", "1", "-o", output], ["cut", "-", "-o", output],
      ["join", input, "-", "-o", output], ["cut", input, "-o", "-"],
      ["cut", input, "-o", folder.path("b.mp3")], ["cut", input, "-o", folder.path("b.wav")],
      ["join", input, input, "-o", folder.path("b")],
    ]
    for line in lines { captured.aacorn(line, status: .usage) }
    captured.aacorn("cut", input, "-o", input, status: .cannotWrite)
    captured.aacorn("cut", folder.path("none.m4a"), "-o", output, status: .cannotRead)
    captured.aacorn("cut", input, "--start", "9", "-o", output, status: .failed)
    // These commands read their inputs more than once, so they reject a pipe instead of waiting.
    folder.makePipe("f.m4a")
    captured.aacorn("cut", folder.path("f.m4a"), "--start", "0.2", "-o", output, status: .failed)
    captured.aacorn("join", folder.path("f.m4a"), input, "-o", output, status: .failed)
    #expect(captured.errors.ranges(of: "f.m4a” is not a regular file").count == 2)
    #expect(folder.names == ["a.m4a", "f.m4a", "source"])
  }

  @Test func adviceFitsTheCommand() throws {
    let sound = try folder.write(wavFile(frames: 3000), to: "a.wav")
    captured.aacorn("cut", sound, "-o", folder.path("b.m4a"), status: .failed)
    captured.expectErrors("is a WAV file. “aacorn cut” and “aacorn join” read AAC in ")
    try coded("a.m4a", frames: 5000)
    let start = try folder.write(Array(folder.read("a.m4a").prefix(40)), to: "c.m4a")
    let again = CapturedConsole(
      running: ["encode", start, "-o", folder.path("b.m4a")], status: .failed)
    #expect(again.errors.contains("was not completed") && !again.errors.contains("decode"))
    let format = AACFileError(
      .unsupported, "“a.aac” is not as it should be.", .recoveryAction(.m4a))
    #expect(format.spliceMessage.hasSuffix("be. Choose a name that ends in .m4a."))
    #expect(
      format.commandMessage.hasSuffix("be. Choose a name that ends in .m4a, and omit --format."))
  }

  @Test func endPastInputIsReportedAndLimited() throws {
    let input = try coded("a.m4a", frames: 88_200)
    let output = folder.path("b.m4a")
    let line = ["cut", input, "--start", "1", "-f", "-o", output]
    captured.aacorn(line + ["--end", "5"])
    captured.expectErrors("a.m4a” ends at 0:02.0, before 0:05.0, the requested end")
    #expect(try frameCount("b.m4a") == 44_100)
    let exact = CapturedConsole(running: line + ["--end", "2"])
    exact.aacorn(line + ["--duration", "9"])
    #expect(exact.errors.isEmpty)
    let later = CapturedConsole(
      running: ["cut", input, "--start", "2", "-o", folder.path("c.m4a")], status: .failed)
    later.expectErrors("a.m4a” ends at 0:02.0, the requested start.")
  }

  @Test func timesAreExactToTheSample() throws {
    let input = try coded("a.m4a")
    // Samples 1, 2 and 44,101, rounded to nanoseconds.
    for (start, end, count) in [
      ("0.000022676", "0.000045351", 1), ("0.000045351", "1.000022676", 44_099),
    ] {
      let line = ["cut", input, "-f", "-o", folder.path("b.m4a"), "--start", start, "--end", end]
      captured.aacorn(line)
      #expect(try frameCount("b.m4a") == count)
    }
    let line = ["cut", input, "--end", "0.00000001", "-o", folder.path("c.m4a")]
    captured.aacorn(line, status: .failed, errors: "would be empty")
  }
}
