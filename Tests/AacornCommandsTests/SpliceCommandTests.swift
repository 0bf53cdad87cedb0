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
      .unsupported, "“a.aac” is not as it should be.", suggestion: .recoveryAction(.m4a))
    #expect(format.spliceMessage.hasSuffix("be. Choose a name that ends in .m4a."))
    #expect(
      format.commandMessage.hasSuffix("be. Choose a name that ends in .m4a, and omit --format."))
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
