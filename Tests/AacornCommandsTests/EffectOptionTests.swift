import AacornContainers
import AacornPlayback
import AacornSystem
import Testing

@testable import AacornCommands
@testable import AacornRecording

/// The option `--effects` of all commands that have it.
@Suite struct EffectOptionTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test func recordPlanContainsEffects() throws {
    let configuration = try LivePlan.recording("--effects", "speech, gain -2", "a.m4a")
      .configuration
    #expect(configuration.effects.count == 6 && configuration.effects[5]["gain"] == -2)
    #expect(try LivePlan.recording("a.m4a").configuration.effects.isEmpty)
  }

  @Test func streamPlanContainsEffects() throws {
    let plan = try LivePlan(["--effects", "limiter", "--save", "a.m4a"])
    #expect(plan.configuration.effects == [EffectDescription(.limiter)])
  }

  @Test func playPlanContainsEffects() throws {
    let plan = try PlayPlan(["--effects", "highpass 80, limiter -2", "a.wav"])
    #expect(EffectDescription.text(plan.configuration.effects) == "highpass 80Hz, limiter -2dB")
  }

  @Test(arguments: ["record", "stream"])
  func verboseOptionReportsEffectLatency(command: String) throws {
    let output = command == "record" ? [] : ["--save"]
    captured.aacorn(
      [
        command, "-v", "--device", "tone", "--unpaced", "-d", "1", "--effects",
        "limiter, limiter -2",
      ] + output + [folder.path("a.m4a")])
    let chain = try EffectChain(
      EffectDescription.parse("limiter, limiter -2"), channelCount: 2, sampleRate: 48_000)
    let latency = QuantityText.length(Double(chain.latency) / 48_000)
    #expect(chain.latency > 0)
    captured.expectErrors(
      "The effects are: limiter -1dB, limiter -2dB. They add \(latency) of latency.")
  }

  @Test func encodingWithEffectsKeepsLength() throws {
    let input = try folder.write(wavFile(frames: 20_000), to: "a.wav")
    try folder.write("highpass 100 # rumble\nlimiter -3", to: "chain.txt")
    let chain = "@" + folder.path("chain.txt")
    let plain = captured.run(["encode", input, "-o", folder.path("plain.m4a")])
    let treated = captured.run(
      ["encode", "--json", input, "--effects", chain, "-o", folder.path("treated.m4a")])
    #expect(plain == .success && treated == .success)
    captured.expectOutput(#""samples":20000"#)
    #expect(try folder.read("plain.m4a") != folder.read("treated.m4a"))
  }

  @Test func theBytesDoNotDependOnTheNumberOfJobs() throws {
    let input = try folder.write(wavFile(frames: 600_000), to: "a.wav")
    for (name, jobs) in [("one.m4a", "1"), ("many.m4a", "4")] {
      let arguments = ["encode", "-j", jobs, "--effects", "speech", input, "-o"]
      captured.aacorn(arguments + [folder.path(name)])
    }
    #expect(try folder.read("one.m4a") == folder.read("many.m4a"))
  }

  @Test(arguments: [
    (EffectError.Kind.invalidDescription, AacornCommands.ExitStatus.usage, "bad-effect"),
    (.missing, .cannotRead, "missing-effect"),
  ])
  func playReportDistinguishesInvalidAndMissingEffects(
    kind: EffectError.Kind, status: AacornCommands.ExitStatus, word: String
  ) throws {
    var summary = PlayerSummary()
    summary.failure = .effects(EffectError("No.", kind: kind))
    let report = PlayReport(try PlayPlan(["a.wav"]), summary)
    #expect(report.exitStatus == status)
    #expect(report.json.encoded.contains("\"error\":\"\(word)\""))
  }
}
