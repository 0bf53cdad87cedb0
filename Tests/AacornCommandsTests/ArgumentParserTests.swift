import AacornCodec
import AacornContainers
import AacornPlayback
import AacornRecording
import Testing

@testable import AacornCommands

@Suite struct ArgumentParserTests {
  private func parse(_ arguments: [String]) throws(UsageError) -> EncodeCommand? {
    let parser = ArgumentParser(EncodeCommand.syntax)
    if case .run(let command) = try parser.parse(arguments, into: EncodeCommand()) {
      return command
    }
    return nil
  }

  private func message(_ arguments: [String]) -> String {
    do throws(UsageError) {
      _ = try parse(arguments)
      return ""
    } catch {
      return error.text
    }
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

  @Test(arguments: [
    (["--title", "--force", "x.wav"], "--title", "--force"), (["-o", "-q"], "-o", "-q"),
    (["--output", "--title=x"], "--output", "--title=x"),
    (["--title", "--help"], "--title", "--help"),
  ])
  func missingValueBeforeOptionIsReported(arguments: [String], option: String, follower: String) {
    let errorText = message(arguments)
    #expect(errorText.hasPrefix("The option \(option) needs a value ("), "\(errorText)")
    #expect(errorText.contains("), but \(follower) follows. "), "\(errorText)")
    #expect(errorText.hasSuffix("=\(follower)."), "\(errorText)")
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

  @Test(arguments: ["record", "stream"])
  func aSecondDeviceIsRefused(command: String) {
    let captured = CapturedConsole(
      running: [command, "--device", "tone", "--device", "sweep"], status: .usage)
    #expect(
      captured.errors
        == "aacorn: Only one device can be the source, not both “tone” and “sweep”. Give --device "
        + "once, or use --source for tracks.\n")
  }

  @Test func lettersThatCannotBeUnderstoodAreExplained() {
    #expect(message(["-i", "a.wav"]).contains("Name the input without an option"))
    #expect(message(["-t", "10"]).contains("There is no option -t. “aacorn cut” takes a part"))
    #expect(message(["-ac", "2"]) == "There is no option -ac. Use --channels N.")
  }

  // MARK: - Former spellings and spellings of other programs

  @Test(
    arguments: [
      (
        "record --bits float --help",
        "--bits is now --sample-format s16 or f32. The old spelling works only in this version."
      ), ("record --start=b=1 --help", "--start is now --start-track."),
      ("stream --stop b=1 --help", "--stop is now --stop-track."),
      ("play --loop list --help", "--loop list is now --loop."),
      ("play --loop=item --help", "--loop item is now --loop-file."),
    ] as [(Words, String)])
  func formerSpellingIsAcceptedWithANotice(arguments: Words, notice: String) {
    let captured = CapturedConsole(running: arguments.words)
    #expect(captured.errors.hasPrefix("aacorn: \(notice)"), "\(captured.errors)")
  }

  @Test func formerValueOfLoopSelectsTheLoop() throws {
    for (arguments, loop) in [
      (["--loop"], PlayerConfiguration.Loop.list), (["--loop", "item"], .item),
      (["--loop-file"], .item), (["--loop", "list"], .list), (["--loop", "none"], .none),
    ] {
      let command = try PlayCommand().parsing(arguments + ["a.wav"])
      #expect(command.loop == loop && command.inputs == ["a.wav"], "\(arguments)")
    }
  }

  @Test(
    arguments: [
      ("cut -ss 1", "There is no option -ss. Use --start TIME."),
      ("encode -ss 1", "“aacorn cut” takes a part out of an AAC file"),
      ("encode --quality 5", "Use --vbr 1|2|3|4|5."),
      ("encode --genre Jazz", "The tags that can be set are title, artist,"),
      ("encode --chapters a.txt", "copies the other tags and the chapters"),
      ("encode -c:a aac", "Use --profile lc|he|he2|auto."),
      ("encode -b:a 128k", "Use --bitrate RATE."), ("encode -v", "Use --json."),
      ("record --volume 6", "Use --gain DB."), ("record --loop", "Use --loop-track NAME."),
      ("record --loudness -16", "--effects “loudness -16, limiter -1” does it live"),
      ("decode --bits 24", "Use --sample-format s16|s24|s32|f32."),
      ("play --repeat", "Use --loop."), ("play --gain 3", "Use --volume PERCENT"),
      ("tag", "There is no command “tag”. “aacorn encode” writes tags"),
      ("convert a.mp3", "“aacorn encode” makes AAC"), ("info", "“aacorn inspect” reports"),
      ("help trim", "“aacorn cut” takes a part"),
    ] as [(Words, String)])
  func foreignOptionSuggestsOwnOption(arguments: Words, advice: String) {
    let captured = CapturedConsole(running: arguments.words, status: .usage)
    captured.expectErrors(advice)
  }

  @Test func foreignOptionsLeadToOptionsThatExist() {
    let known = Set(RootCommand.commands.flatMap { $0.options.map(\.long) })
    for foreign in ForeignOption.all {
      #expect(!foreign.options.isEmpty || foreign.otherwise != nil)
      for name in foreign.options { #expect(known.contains(String(name)), "\(name)") }
    }
  }

  @Test(
    arguments: [
      ("play --volume 200 a", "--volume must be 0 to 100, not 200."),
      ("play --speed 5 a", "--speed must be 0.5 to 2, not 5."),
      ("encode --jobs 0 a", "--jobs must be 1 to 1024, not 0."),
      ("encode --rate 500 a", "--rate must be 1000 to 768000 hertz, not 500."),
      ("encode -b 500 a", "at least 1 kb/s, not 500 b/s. Did you mean 500k?"),
      ("encode --tone 0", "--tone must be 0.001 to 86400 seconds, not 0."),
      ("record --gain 61", "--gain must be -60 to 60 decibels, not 61."),
      ("studio --port 70000", "--port must be 0 to 65535, not 70000."),
      ("batch --retries 101 a", "--retries must be 0 to 100, not 101."),
    ] as [(Words, String)])
  func valueOutOfRangeNamesTheRange(arguments: Words, message: String) {
    let captured = CapturedConsole(running: arguments.words, status: .usage)
    captured.expectErrors(message)
  }

  @Test func mistakesAreExplained() {
    #expect(message(["--bitrat", "3"]).contains("Did you mean --bitrate?"))
    #expect(message(["--zzzz"]) == "There is no option --zzzz. See “aacorn help encode”.")
    #expect(message(["-z"]).contains("There is no option -z."))
    #expect(message(["--force=yes"]) == "The option --force takes no value.")
    #expect(message(["--output"]) == "The option --output needs a value (FILE).")
    #expect(message(["--effort", "bets"]).contains("Did you mean best?"))
    #expect(message(["--vbr", "7"]).contains("1, 2, 3, 4, 5"))
    #expect(message(["-b", "128"]).contains("Did you mean 128k?"))
    #expect(message(["-b", "fast"]).contains("128k, 128000 or 0.128M"))
    #expect(message(["-b", "128k", "--vbr", "3"]).contains("exclude each other"))
    #expect(message(["--jobs", "0"]).contains("--jobs"))
    #expect(message(["--tone", "-1"]).contains("--tone"))
    #expect(message([""]) == "An input has an empty name.")
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
