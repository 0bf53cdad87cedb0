#if os(Linux)
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Testing

@testable import AacornRecording

/// LADSPA plugins in chains: the SDK's plugins, compared with their documented behavior.
@Suite struct LADSPAEffectTests {
  private func chain(
    _ text: String, channelCount: Int = 1, sampleRate: Int = 48_000
  ) throws -> EffectChain {
    try EffectChain(
      EffectDescription.parse(text), channelCount: channelCount, sampleRate: sampleRate)
  }

  private func chainError(_ text: String, channelCount: Int = 1) -> EffectError? {
    do {
      _ = try chain(text, channelCount: channelCount)
      return nil
    } catch {
      return error as? EffectError
    }
  }

  private func distance(_ one: [Float], _ other: [Float]) -> Float {
    #expect(one.count == other.count)
    return zip(one, other).map { ($0 - $1).magnitude }.max() ?? 0
  }

  // MARK: - Processing

  @Test(arguments: [1, 2, 3])
  func monoPluginIsInstantiatedPerChannel(channelCount: Int) throws {
    let samples = noise(3000 * channelCount)
    let chain = try chain("ladspa amp:amp_mono gain=0.25", channelCount: channelCount)
    #expect(chain.latency == 64)
    #expect(chain.output(samples) == samples.map { $0 * 0.25 })
  }

  @Test func stereoPluginKeepsChannelOrder() throws {
    let samples = noise(6000)
    #expect(try chain("ladspa amp:amp_stereo", channelCount: 2).output(samples) == samples)
  }

  @Test func delayPluginUsesDefaultMix() throws {
    // By default the plugin mixes equal parts of the input and the delayed signal.
    let chain = try chain("ladspa delay:delay_5s delay=0.01")
    let samples = noise(5000)
    let wanted = samples.indices.map { index in
      0.5 * samples[index] + (index < 480 ? 0 : 0.5 * samples[index - 480])
    }
    #expect(distance(chain.output(samples), wanted) < 1e-6)
  }

  @Test(arguments: [8000, 48_000, 96_000])
  func aFilterHasItsFrequencyAtEveryRate(sampleRate: Int) throws {
    let chain = try chain(
      "ladspa filter:lpf cutoff_frequency_(hz)=1000", sampleRate: sampleRate)
    let cosine = ElementaryFunctions.sinCosPi(2000 / Double(sampleRate)).cos
    let old = (2 - cosine) - ((2 - cosine) * (2 - cosine) - 1).squareRoot()
    let samples = noise(4000)
    var last = 0.0
    let wanted = samples.map { sample in
      last = (1 - old) * Double(sample) + old * last
      return Float(last)
    }
    #expect(distance(chain.output(samples), wanted) < 1e-4)
  }

  @Test func theResultDoesNotDependOnBlocks() throws {
    let chain = try chain(
      "ladspa filter:hpf cutoff=300, ladspa delay:delay_5s delay=0.003", channelCount: 2)
    let samples = noise(20_000)
    let whole = chain.output(samples, by: 10_000)
    #expect(whole.count == samples.count)
    for frames in [1, 63, 65, 500] {
      #expect(chain.output(samples, by: frames) == whole, "\(frames)")
    }
  }

  @Test func pluginRestartsAfterFinish() throws {
    var chain = try chain("ladspa delay:delay_5s delay=0.01")
    var results: [[Float]] = []
    for _ in 0..<2 {
      var samples = noise(2000)
      chain.process(&samples)
      chain.finish(into: &samples)
      results.append(samples)
    }
    #expect(results[0] == results[1] && results[0].count == 2000)
  }

  @Test func reportedPluginLatencyIsCompensated() throws {
    let chain = try chain("ladspa latency_1914:artificialLatency delay=10")
    #expect(chain.latency == 64 + 480)
    #expect(chain.output(noise(3000)).count == 3000)
  }

  // MARK: - Changes during processing

  @Test func valuesMoveInSmallSteps() throws {
    var chain = try chain("ladspa amp:amp_mono gain=1")
    var ones = [Float](repeating: 1, count: 4800)
    chain.process(&ones)
    var softer = try EffectDescription.parse("ladspa amp:amp_mono")[0]
    softer["gain"] = 0.5
    chain.adjust(0, to: softer)
    #expect(EffectDescription.text(chain.effects) == "ladspa amp:amp_mono gain=0.5")
    var samples = [Float](repeating: 1, count: 4800)
    chain.process(&samples)
    let steps = zip(samples, samples.dropFirst()).map { ($0 - $1).magnitude }
    #expect((steps.max() ?? 1) < 0.5 / 7)
    // The old value lasts for up to one block and the rest of the current block. Then a ramp of 10
    // ms leads to the new value.
    #expect(samples.dropFirst(480 + 3 * 64).allSatisfy { $0 == 0.5 })
  }

  @Test func unknownAndInvalidPortValuesAreCorrected() throws {
    var chain = try chain("ladspa delay:delay_5s dry/wet=0")
    let other = try EffectDescription.parse("ladspa delay:delay_5s nothing=3 dry/wet=-7")[0]
    chain.adjust(0, to: other)
    var samples = [Float](repeating: 0.5, count: 4800)
    chain.process(&samples)
    #expect(samples.allSatisfy { $0 == 0.5 })
  }

  @Test func copiedChainHasSeparatePluginState() throws {
    var chain = try chain("ladspa delay:delay_5s delay=0.01 dry/wet=1")
    var ones = [Float](repeating: 1, count: 9600)
    chain.process(&ones)
    var copy = chain
    // The two copies do not share the plugin's memory.
    var silence = [Float](repeating: 0, count: 480)
    copy.process(&silence)
    #expect(silence.dropFirst(64).allSatisfy { $0 == 0 })
    var rest = [Float](repeating: 0, count: 480)
    chain.process(&rest)
    #expect(rest.dropFirst(64).allSatisfy { $0 == 1 })
  }

  @Test func nonFiniteSamplesBecomeSilenceAndResetPlugin() throws {
    let chain = try chain("ladspa filter:lpf cutoff=1000")
    var samples = noise(2000)
    samples[100] = .nan
    samples[200] = .infinity
    #expect(chain.output(samples).allSatisfy { $0.magnitude <= 1 })
    // The plugin itself produces infinite numbers, from an amplification beyond the range.
    let loud = try self.chain("ladspa amp:amp_mono gain=999999999")
    var much = [Float](repeating: 0, count: 2000)
    much[0] = 0x1p29
    much[1000] = 0.25
    let result = loud.output(much)
    #expect(result[0] == 0 && result[1000] > 2e8 && result[1500] == 0)
  }

  // MARK: - Errors

  private static let mistakes = pairs(
    """
    noise:noise_white → cannot be used in a chain: its channels are 0 in and 1 out.
    split_1406:split → its channels are 1 in and 2 out. Choose a plugin with 1 in \
    and 1 out, or 2 in and 2 out.
    amp:amp_quad → has no LADSPA plugin “amp_quad”. It has amp_mono and amp_stereo.
    /usr/lib/ladspa/none.so:x → The plugin file “/usr/lib/ladspa/none.so” was not found. Check \
    the path.
    amp:amp_mono gian=2 → The plugin amp_mono has no port “gian”. Did you mean gain?
    amp:amp_mono gain=-1 → cannot have a value of -1 for “Gain”. Choose at least 0.
    delay:delay_5s d=1 → The plugin delay_5s has several ports that begin with “d”. They are \
    delay_(seconds) and dry/wet_balance.
    delay:delay_5s delay=1 delay_(seconds)=2 → The plugin delay_5s has two values for “Delay \
    (Seconds)”. Remove one of them.
    delay:delay_5s delay=6 → Choose from 0 to 5.
    delay:delay_5s delay=on → cannot have a value of on for “Delay (Seconds)”.
    divider_1186:divider denominator=2.5 → cannot have a value of 2.5 for “Denominator”. Choose \
    a whole number from 1 to 8.
    amp:amp_stereo → The plugin amp_stereo requires 2 channels, but the audio has 1.
    """)

  @Test(arguments: mistakes)
  func unsuitablePluginsHaveMessages(text: String, wanted: String) throws {
    let error = try #require(chainError("ladspa " + text))
    #expect(error.message.contains(wanted), "\(error.message)")
    let isMissing = text.hasPrefix("amp:amp_quad") || text.hasPrefix("/usr/lib/ladspa/none.so")
    #expect(error.kind == (isMissing ? .missing : .invalidDescription))
  }

  @Test func missingPluginFileErrorListsFolders() throws {
    let message = try #require(chainError("ladspa no-such-plugin:x")?.message)
    #expect(message.hasPrefix("The plugin file “no-such-plugin” was not found in "))
    #expect(message.contains("/usr/lib/ladspa"))
    #expect(message.hasSuffix("Install it, or add its folder to LADSPA_PATH."))
  }

  @Test func invalidPluginFileThrows() throws {
    let folder = try Folder()
    let path = try folder.write(Array("no library".utf8), to: "a.so")
    let message = try #require(chainError("ladspa \(path):x")?.message)
    #expect(message.hasPrefix("“\(path)” cannot be loaded as a LADSPA plugin ("))
    let error = #expect(throws: EffectError.self) { try LADSPALibrary("libc.so.6") }
    #expect(error?.problem.contains("(it has no function ladspa_descriptor)") == true)
    withExtendedLifetime(folder) {}
  }

  @Test func nothingIsEncodedOrRecordedWithoutItsEffects() async throws {
    let folder = try Folder()
    let effects = try EffectDescription.parse("ladspa no-such-plugin:x")
    let input = try folder.writeWAV(steps(5000), to: "a.wav", channels: 1)
    var configuration = AACFile.Configuration()
    configuration.effects = effects
    let error = await #expect(throws: AACFileError.self) {
      try await AACFile.encode(
        from: input, to: folder.file("a.m4a"), configuration: configuration)
    }
    #expect(error?.kind == .effects(.missing))
    #expect(error?.message.hasPrefix("The plugin file “no-such-plugin”") == true)
    #expect(folder.names == ["a.wav"])
    var bench = Bench()
    bench.configuration.effects = effects
    let failure = #expect(throws: RecordingError.self) { try bench.run() }
    #expect(failure?.message.hasPrefix("The plugin file “no-such-plugin”") == true)
  }

  @Test func boundsAreThoseOfTheRateInUse() throws {
    let text = "ladspa filter:lpf cutoff=30000"
    #expect(chainError(text)?.message.hasSuffix("Choose from 0 to 24000.") == true)
    #expect(try chain(text, sampleRate: 96_000).latency == 64)
  }

  // MARK: - Listing

  @Test func installedPluginsFollowPortHints() throws {
    let plugins = InstalledPlugin.all()
    let filter = try #require(plugins.first { $0.text == "lowpass_iir_1891:lowpass_iir" })
    try #require(filter.ports.map(\.values) == [.number, .whole])
    let (cutoff, stages) = (filter.ports[0], filter.ports[1])
    // Three quarters of the range from 0.0001 to 0.45 of the sample rate, on a logarithmic scale.
    #expect(abs(cutoff.defaultValue - 0.0549426 * 48_000) < 0.1)
    #expect(abs((cutoff.bounds.lower ?? 0) - 4.8) < 1e-9)
    #expect(abs((cutoff.bounds.upper ?? 0) - 21_600) < 1e-9)
    #expect(stages.bounds.lower == 1 && stages.bounds.upper == 10 && stages.defaultValue == 1)
  }

  @Test func installedPluginsCanBeParsed() throws {
    let plugins = InstalledPlugin.all()
    let amplifier = try #require(plugins.first { $0.text == "amp:amp_mono" })
    #expect(amplifier.name == "Mono Amplifier" && amplifier.channelCount == 1)
    #expect(amplifier.ports.map(\.word) == ["gain"] && amplifier.ports[0].defaultValue == 1)
    #expect(amplifier.ports[0].bounds.lower == 0 && amplifier.ports[0].bounds.upper == nil)
    #expect(!plugins.contains { $0.text == "noise:noise_white" })
    for plugin in plugins {
      #expect(try EffectDescription.parse("ladspa " + plugin.text).count == 1)
    }
  }
}
#endif
