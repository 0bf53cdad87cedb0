import AacornCodec
import AacornContainers
import AacornPlayback
import AacornRecording
import Testing

@testable import AacornCommands

@Suite struct ArgumentParserTests {
  private func parse(_ arguments: [String]) throws(UsageError) -> EncodeCommand? {
    try EncodeCommand.syntax.parse(arguments, into: EncodeCommand())
  }

  @Test func optionsAndOperandsMayMix() throws {
    let command = try parse(["a.wav", "--effort", "best", "b.wav", "-f", "c.wav"])
    #expect(command?.inputs == ["a.wav", "b.wav", "c.wav"])
    #expect(command?.encoding.effort == .best)
    #expect(command?.replacesExisting == true)
  }

  @Test(arguments: [
    ["-b", "96k"], ["-b96k"], ["-b=96k"], ["--bitrate", "96k"], ["--bitrate=96k"],
  ])
  func allSpellingsOfAValueAreTheSame(spelling: [String]) throws {
    let command = try parse(spelling)
    #expect(command?.encoding.rateControl == .constant(bitsPerSecond: 96_000))
  }

  @Test func flagsCanBeBundledAndTheLastTakesAValue() throws {
    let command = try parse(["-fqo", "x.m4a", "-"])
    #expect(command?.replacesExisting == true)
    #expect(command?.isQuiet == true)
    #expect(command?.output == "x.m4a")
    #expect(command?.inputs == ["-"])
  }

  @Test func twoDashesEndTheOptions() throws {
    let command = try parse(["--force", "--", "--force", "-q"])
    #expect(command?.inputs == ["--force", "-q"])
    #expect(command?.isQuiet == false)
  }

  @Test func theLastOfEqualOptionsCounts() throws {
    let command = try parse(["-b", "64k", "-b", "96k", "--title", "x", "--title", "y"])
    #expect(command?.encoding.rateControl == .constant(bitsPerSecond: 96_000))
    #expect(command?.tags.title == "y")
  }

  @Test(arguments: ["--help", "-h"])
  func helpWinsOverMissingInput(spelling: String) throws {
    #expect(try parse([spelling]) == nil)
  }

  @Test func valuesMayBeEmptyOrLookLikeOptions() throws {
    let command = try parse(["--title=", "--artist", "-x"])
    #expect(command?.tags.title == "")
    #expect(command?.tags.artist == "-x")
  }

  @Test func optionAfterEqualsSignIsParsedAsValue() throws {
    let command = try parse(["--title=--force", "x.wav"])
    #expect(command?.tags.title == "--force" && command?.replacesExisting == false)
  }

  @Test func lettersOfOtherProgramsAreUnderstood() throws {
    let command = try parse(["-y", "-c", "1", "-r", "48k", "x.wav"])
    #expect(command?.replacesExisting == true)
    #expect(command?.encoding.channelCount == 1 && command?.encoding.sampleRate == 48_000)
    let recording = try RecordCommand().parsing(["-y", "-t", "10s", "-c1", "-r", "44100"])
    #expect(recording.replacesExisting && recording.duration == .seconds(10))
    #expect(
      recording.sound.encoding.channelCount == 1 && recording.sound.encoding.sampleRate == 44_100)
    let streaming = try StreamCommand().parsing(["-y", "-t", "10s", "-c", "2", "-r", "48000"])
    #expect(streaming.replacesExisting && streaming.duration == .seconds(10))
    #expect(
      streaming.sound.encoding.channelCount == 2 && streaming.sound.encoding.sampleRate == 48_000)
  }

  @Test func loopHasTwoOptions() throws {
    for (arguments, loop) in [
      (["--loop"], PlayerConfiguration.Loop.list), (["--loop-file"], .item), ([], .none),
    ] {
      let command = try PlayCommand().parsing(arguments + ["a.wav"])
      #expect(command.loop == loop && command.inputs == ["a.wav"], "\(arguments)")
    }
  }

  // MARK: - Spellings of other programs

  @Test func foreignOptionsLeadToOptionsThatExist() {
    let known = Set(RootCommand.commands.flatMap { $0.options.map(\.long) })
    for foreign in ForeignOption.all {
      #expect(!foreign.options.isEmpty || foreign.otherwise != nil)
      for name in foreign.options { #expect(known.contains(String(name)), "\(name)") }
    }
  }

  @Test func programReportsUsageErrors() {
    let captured = CapturedConsole(running: ["encoed", "x"], status: .usage)
    captured.expectErrors("Did you mean encode?")
    captured.aacorn([], status: .usage)
    captured.aacorn("encode", status: .usage)
    captured.aacorn("encode", "-", "-", "-o", "x", status: .usage)
    captured.aacorn("--json", status: .usage)
    #expect(captured.output.isEmpty)
    captured.aacorn("--version")
    #expect(captured.output == "aacorn \(RootCommand.version)\n")
    let word = CapturedConsole(running: ["version"])
    #expect(word.output == captured.output)
    word.aacorn("help")
  }
}
