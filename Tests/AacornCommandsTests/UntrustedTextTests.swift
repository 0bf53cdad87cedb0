import AacornContainers
import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// Text from files, devices, servers and the environment, which must not steer the terminal.
@Suite struct UntrustedTextTests {
  /// A title of the window, a color, a C1 control character, and a reversal of the direction.
  static let text = "a\u{1B}]0;x\u{7}\u{1B}[31m\u{9B}2J\u{202E}b"

  enum Source: CaseIterable {
    case option, optionValue, command
    case inputName, folderName, skippedName, outputName
    case tag, sidecar, coverName, effectsFile, effectsText
    case manifestSetting, manifestInput, manifestOutput, resumedLedger, ledgerName
    case credentialsFile
    case deviceName, eventDevice, liveTitle
    case recordedFile, recordingFolder, compactCopy, outputError
  }

  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  /// Writes an object with the text as a member.
  private func manifest(_ members: [(String, String)]) throws -> String {
    let object = JSONValue.object(members.map { JSONValue.Member($0.0, .text($0.1)) })
    return try folder.write(lines: [object.encoded])
  }

  /// Runs a command that prints the text, and returns its output; the exit status does not matter.
  private func run(_ arguments: String...) -> String {
    _ = captured.run(arguments)
    return captured.output + captured.errors
  }

  /// Returns all that is printed about a text from a source.
  private func printed(_ source: Source) throws -> String {
    let text = Self.text
    let sound = try folder.write(wavFile(frames: 2000), to: "a.wav")
    let named = folder.path(text)
    switch source {
    case .option: return run("encode", "--" + text)
    case .optionValue: return run("encode", "--bitrate", text, sound)
    case .command: return run(text)
    case .inputName: return run("encode", named)
    case .folderName:
      try System.makeFolder(named)
      return run("encode", named)
    case .skippedName:
      try folder.write([0], to: "in/\(text).wma")
      return run("encode", folder.path("in"))
    case .outputName: return run("encode", sound, "-o", named + ".m4a")
    case .tag:
      _ = captured.run(["encode", sound, "--title", text, "--artist", text, "--comment", text])
      return run("inspect", folder.path("a.m4a"))
    case .sidecar:
      _ = captured.run(["encode", sound, "-o", folder.path("a.aac")])
      try folder.write("[\n\(text)]\n", to: "a.aac.gaps.json")
      return run("inspect", folder.path("a.aac"))
    case .coverName: return run("encode", sound, "--cover", named)
    case .effectsFile:
      return run("encode", sound, "--effects", "@" + (try folder.write(text, to: "e.txt")))
    case .effectsText: return run("encode", sound, "--effects", text)
    case .manifestSetting:
      return run("batch", try manifest([("input", sound), (text, "1")]))
    case .manifestInput: return run("batch", try manifest([("input", named)]))
    case .manifestOutput:
      try System.makeFolder(named)
      return run("batch", try manifest([("input", sound), ("output", named)]))
    case .resumedLedger:
      try folder.write("no sound", to: "a.wav")
      let list = try folder.write(lines: [sound])
      _ = captured.run(["batch", list])
      var entry = try #require(try folder.entries().first)
      entry.error = (text, text)
      try folder.write(lines: [entry.text], to: "all.txt.ledger")
      return run("batch", list)
    case .ledgerName:
      return run("batch", "--ledger", named, try folder.write(lines: [sound]))
    case .credentialsFile:
      try folder.write("\(text) = 1\n", to: "c")
      folder.setPermissions(0o600, of: "c")
      return run(
        "stream", "--device", "tone", "--icecast", "icecast://127.0.0.1:1/x", "--credentials",
        folder.path("c"))
    case .deviceName:
      let device = Device(backend: .alsa, id: text, name: text, channelCount: 1)
      return DeviceTable.lines(DeviceScan(.capture, devices: [device])).joined()
    case .eventDevice:
      let device = Device(backend: .alsa, id: text, name: text, channelCount: 1)
      return RecorderEvent.started(device, wallTime: 0).message(sampleRate: 44_100)?.text ?? ""
    case .liveTitle:
      let plan = try PlayPlan([named])
      return PlayerEvent.title(0, text).message(plan)?.text ?? ""
    case .recordedFile:
      try folder.write([0], to: text + ".m4a")
      return run("record", named + ".m4a", "--device", "tone", "--unpaced", "-d", "1")
    case .recordingFolder:
      return run("record", named + "/a.m4a", "--device", "tone", "--unpaced", "-d", "1")
    case .compactCopy:
      folder.link(text, to: "/dev/null")
      return run(
        "record", named, "--format", "m4a", "--finish", "compact", "--device", "tone", "--unpaced",
        "-d", "1")
    case .outputError:
      return OutputError(.diskFull, "The disk of “\(text)” is full.").commandMessage
    }
  }

  /// Expects that line ends are the only control characters.
  private func expectHarmless(_ printed: String) {
    let controls = printed.unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.properties.generalCategory == .control || scalar == "\u{202E}")
    }
    #expect(controls.isEmpty, "\(printed.debugDescription)")
  }

  @Test(arguments: Source.allCases) func printedTextIsEscaped(source: Source) throws {
    let printed = try printed(source)
    // Credentials are never printed, and gaps only as numbers.
    let isNumber = source == .credentialsFile || source == .sidecar
    #expect(isNumber || printed.contains("x1b"), "\(printed.debugDescription)")
    expectHarmless(printed)
  }

  /// Text from any other source, such as the response of a server or the environment.
  @Test func consoleEscapesAllText() {
    let console = captured.console
    console.print("first\n" + Self.text)
    console.announce(Self.text)
    console.printError("first\n" + Self.text)
    console.output.flush()
    expectHarmless(captured.output + captured.errors)
    let escaped = #"a\x1b]0;x\x07\x1b[31m\x9b2J\x202eb"#
    captured.expectOutput("first\n\(escaped)\n\(escaped)\n")
    captured.expectErrors("aacorn: first\n\(escaped)\n")
  }

  /// A program reads the same text.
  @Test func consoleEscapesJSON() throws {
    let text = Self.text + "\u{200C}\u{AD}\u{2028}"
    let console = captured.console
    console.print(JSONValue.text(text))
    console.output.flush()
    expectHarmless(captured.output)
    #expect(JSONReader.value(Array(captured.output.utf8.dropLast())[...])?.text == text)
  }

  /// In the background, a terminal accepts no line.
  @Test(.enabled(if: !System.isTerminal(System.standardError)))
  func escapedStatusLineStaysOnItsLine() {
    var line = TerminalStatusLine(in: captured.console)
    line.draw { _ in Self.text }
    expectHarmless(captured.errors.replacing("\r\u{1B}[K", with: ""))
    captured.expectErrors(#"a\x1b]0;x"#)
  }
}
