import AacornRecording
import Testing

@testable import AacornCommands

/// `aacorn cut` and `aacorn join`.
@Suite struct SpliceCommandTests {
  private let folder: TemporaryFolder
  private let captured = CapturedConsole()

  init() throws {
    folder = try TemporaryFolder()
  }

  @discardableResult
  private func coded(_ name: String, frames: Int = 50_000, channels: Int = 2) throws -> String {
    let source = try folder.write(
      wavFile(frames: frames, channels: channels), to: "source/\(name).wav")
    let output = folder.path(name)
    #expect(CapturedConsole().run(["encode", source, "-o", output]) == .success)
    return output
  }

  /// How many frames a file decodes to.
  private func frameCount(_ name: String) throws -> Int {
    let console = CapturedConsole()
    let arguments = ["decode", "-f", folder.path(name), "-o", folder.path("sound.raw")]
    #expect(console.run(arguments) == .success)
    return try folder.read("sound.raw").count / 4
  }

  @Test func aPartIsCutAndReported() throws {
    let input = try coded("a.m4a")
    let output = folder.path("part.m4a")
    let line = ["cut", input, "--start", "0.2", "--end", "0.5", "-o", output]
    #expect(captured.run(line) == .success)
    #expect(captured.output.contains("part.m4a: 0:00.3, 44.1 kHz, 2 channels, "))
    #expect(captured.output.contains(", exact\n") && captured.errors.isEmpty)
    #expect(try frameCount("part.m4a") == 13_230)
    let again = ["cut", input, "--start", "100ms", "--duration", "50ms", "-o", output]
    #expect(captured.run(again) == .cannotWrite)
    #expect(captured.run(again + ["-y", "-q"]) == .success)
    #expect(try frameCount("part.m4a") == 2205)
  }

  @Test func aStreamTellsItsBorders() throws {
    let input = try coded("a.aac")
    let status = captured.run(
      ["cut", input, "--start", "0.2", "--duration", "0.5", "-o", folder.path("b.aac"), "--json"])
    #expect(status == .success)
    #expect(captured.errors.contains("consists of whole frames: it begins "))
    #expect(captured.output.contains("\"exact\":false"))
    #expect(captured.output.contains("\"excessBefore\":0.0"))
    #expect(captured.output.contains("\"status\":\"ok\""))
  }

  @Test func filesAreJoined() throws {
    let inputs = try [coded("a.m4a"), coded("b.m4a", frames: 30_000)]
    let output = folder.path("c.m4a")
    #expect(captured.run(["join"] + inputs + ["-o", output, "--json"]) == .success)
    #expect(captured.output.contains("\"samples\":80000"))
    #expect(try frameCount("c.m4a") == 80_000)
    let mono = try coded("mono.m4a", channels: 1)
    #expect(captured.run(["join", inputs[0], mono, "-o", folder.path("d.m4a")]) == .failed)
    #expect(captured.errors.contains("it has 1 channel instead of 2 channels"))
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
    ]
    for line in lines { #expect(captured.run(line) == .usage, "\(line)") }
    #expect(captured.run(["cut", input, "-o", input]) == .cannotWrite)
    #expect(captured.run(["cut", input, "-o", folder.path("b.mp3")]) == .failed)
    #expect(captured.run(["cut", folder.path("none.m4a"), "-o", output]) == .cannotRead)
    #expect(captured.run(["cut", input, "--start", "9", "-o", output]) == .failed)
    #expect(folder.names == ["a.m4a", "source"])
  }
}
