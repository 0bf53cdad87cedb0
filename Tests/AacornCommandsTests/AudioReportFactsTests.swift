import Testing

@testable import AacornCommands
@testable import AacornInspection
@testable import AacornSignal

@Suite struct AudioReportFactsTests {
  /// The reported silence in one second at 48 kHz, for silent samples at both ends and a longest
  /// run.
  private func silence(
    leading: Int64, trailing: Int64, longest: SilenceMeter.Run?
  ) throws -> String {
    var sound = AudioReport()
    sound.sampleRate = 48000
    sound.channelCount = 1
    sound.frameCount = 48000
    sound.leadingSilence = leading
    sound.trailingSilence = trailing
    sound.longestSilence = longest
    return try #require(sound.facts.first { $0.0 == "Silence" }).1
  }

  private func run(at start: Int64, of length: Int64) -> SilenceMeter.Run {
    var run = SilenceMeter.Run()
    run.start = start
    run.length = length
    return run
  }

  @Test func silenceBelowOneMillisecondIsOmitted() throws {
    #expect(try silence(leading: 0, trailing: 0, longest: nil) == "none")
    #expect(try silence(leading: 47, trailing: 12, longest: run(at: 0, of: 47)) == "none")
    // One more sample makes one millisecond.
    let longest = run(at: 0, of: 48)
    let audible = try silence(leading: 48, trailing: 12, longest: longest)
    #expect(audible == "1.0 ms at the start, longest 1.0 ms at 0:00.0")
  }

  @Test func aShortRestAtTheEndsIsLeftOut() throws {
    let longest = run(at: 24000, of: 4800)
    let middle = try silence(leading: 47, trailing: 1, longest: longest)
    #expect(middle == "longest 100 ms at 0:00.5")
    let ends = try silence(leading: 48, trailing: 480, longest: longest)
    #expect(ends == "1.0 ms at the start, 10 ms at the end, longest 100 ms at 0:00.5")
  }

  @Test func silenceAloneIsAllOfIt() throws {
    let all = run(at: 0, of: 48000)
    #expect(try silence(leading: 48000, trailing: 48000, longest: all) == "all of it")
  }
}
