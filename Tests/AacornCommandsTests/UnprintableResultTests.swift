import AacornSystem
import Testing

@testable import AacornCommands

/// Results that cannot be printed.
@Suite struct UnprintableResultTests {
  private let folder = TemporaryFolder()

  init() throws {
    CapturedConsole(running: ["encode", "--tone", "1", "-o", folder.path("u.m4a")])
    CapturedConsole(running: ["encode", "--tone", "1", "-o", folder.path("u.aac")])
    try folder.write(lines: [folder.write(wavFile(frames: 3000), to: "a.wav")])
  }

  /// The exit status of a command on a full disk or without standard output, and its errors.
  ///
  /// A path in the folder begins with an at sign.
  private func run(
    _ line: String, isMissing: Bool = false
  ) -> (status: AacornCommands.ExitStatus, errors: String) {
    let captured = CapturedConsole()
    let output = TextStream { (_: [UInt8]) throws(SystemError) in throw SystemError.diskFull }
    var console = Console(
      output: output, errors: captured.console.errors, isLive: false, columns: 80,
      interruption: Interruption())
    console.isOutputMissing = isMissing
    let arguments = line.split(separator: " ").map { word in
      word.hasPrefix("@") ? folder.path(String(word.dropFirst())) : String(word)
    }
    let status = RootCommand.run(arguments, in: console)
    output.flush()
    return (console.status(status), captured.errors)
  }

  @Test(arguments: [
    "inspect @u.m4a", "inspect --json --frames @u.m4a", "encode --json -f --tone 1 -o @v.m4a",
    "encode -f --tone 1 -o @v.m4a", "record --json -d 1 --device tone --unpaced @w.m4a",
    "stream --json -d 1 --device tone --unpaced --save @s.m4a", "repair --json @u.m4a",
    "repair --check @u.aac", "repair --check --json @u.aac",
    "help", "--version", "completions bash", "decode --json @u.m4a -o @v.wav",
    "cut --json @u.m4a --start 0.2 -o @v.m4a", "join --json @u.m4a @u.m4a -o @v.m4a",
    "batch --json @all.txt", "batch @all.txt", "effects", "effects --json",
    "devices --backend synthetic", "devices --json --backend synthetic",
  ])
  func unprintableResultsAreAFailure(command: String) {
    let (status, errors) = run(command)
    #expect(status == .cannotWrite)
    #expect(errors.contains("Standard output could not be written: the disk is full."))
  }

  /// Without standard output, the result of a check is lost, so the command fails like `inspect`.
  @Test(arguments: [
    ("repair --check @u.aac", true), ("repair --check --json @u.aac", true),
    ("inspect @u.aac", true), ("repair @u.aac", false),
  ])
  func missingOutputFailsOnlyForResults(command: String, isResult: Bool) {
    #expect(run(command, isMissing: true).status == (isResult ? .cannotWrite : .success))
  }
}
