import AacornRecording
import Testing

@Suite struct EffectTextTests {
  private func mistake(_ text: String) -> String? {
    do throws(EffectError) {
      _ = try EffectDescription.read(text)
      return nil
    } catch {
      #expect(error.kind == .invalidDescription)
      return error.message
    }
  }

  @Test(arguments: [
    ("highpass 80Hz", "highpass 80Hz"), ("HighPass 0.1kHz 24", "highpass 100Hz slope=24dB"),
    ("gate depth=40dB -50", "gate -50dB depth=40dB"), ("gain +6", "gain 6dB"),
    ("compressor 2.5 makeup=3.5dB attack=0.5s", "compressor 2.5:1 -18dB attack=500ms makeup=3.5dB"),
    ("peak 3k -4.25 q=1.5", "peak 3000Hz -4.25dB q=1.5"), ("limiter", "limiter -1dB"),
    ("gate hold=0.2s attack=12.3ms", "gate -45dB attack=12.3ms hold=200ms"),
    ("loudness -23LUFS", "loudness -23LUFS"), ("deesser", "deesser 6500Hz -30dB"),
    ("notch 50", "notch 50Hz"),
    (" gain 1 ,, gain 2 , ", "gain 1dB, gain 2dB"),
    ("gain 1 # not gain 5, gain 6\n\n# nothing\r\n  limiter -2", "gain 1dB, limiter -2dB"),
    ("gain -0.0000004", "gain 0dB"), ("denoise", "denoise 15dB"), ("Denoise 30", "denoise 30dB"),
  ])
  func theTextOfATextIsTheShortest(text: String, wanted: String) throws {
    let effects = try EffectDescription.parse(text)
    #expect(EffectDescription.text(effects) == wanted)
    #expect(try EffectDescription.parse(wanted) == effects)
  }

  @Test func everyParameterValueSurvivesParsing() throws {
    for kind in EffectKind.allCases {
      var effect = EffectDescription(kind)
      #expect(try EffectDescription.parse(effect.text) == [effect])
      #expect(effect["nothing"] == nil)
      for (index, parameter) in kind.parameters.enumerated() {
        #expect(parameter.range.contains(parameter.defaultValue), "\(kind) \(parameter.name)")
        let range = parameter.range
        let between = range.lowerBound + 0.123_456_789 * (range.upperBound - range.lowerBound)
        for value in [range.lowerBound, between, range.upperBound] {
          effect[parameter.name] = value
          if value != between { #expect(effect.values[index] == value) }
          #expect(effect[parameter.name] == effect.values[index])
          #expect(try EffectDescription.parse(effect.text) == [effect], "\(effect.text)")
        }
        effect[parameter.name] = .infinity
        #expect(effect.values[index] == parameter.range.upperBound)
        effect[parameter.name] = -.infinity
        #expect(effect.values[index] == parameter.range.lowerBound)
      }
    }
  }

  @Test func presetsStandForTheirText() throws {
    for preset in EffectPreset.allCases {
      let effects = try EffectDescription.parse(preset.rawValue)
      #expect(effects.last?.kind == .limiter)
      #expect(
        EffectDescription.text(effects)
          == EffectDescription.text(
            try EffectDescription.parse(preset.text)))
    }
    let more = try EffectDescription.parse("speech, gain -3")
    #expect(more.count == 6 && more[5].kind == .gain)
  }

  private static let mistakes = pairs(
    """
     → “” contains no effect. Try speech or highpass 80.
    # all of it → “# all of it” contains no effect. Try speech or highpass 80.
    compresor 3:1 → There is no effect “compresor”. Did you mean compressor?
    high-pass → There is no effect “high-pass”. Did you mean highpass?
    compressor treshold=-3 → The effect compressor has no parameter “treshold”. Did you mean \
    threshold?
    limiter x=1 → The effect limiter has no parameter “x”. Its parameters: ceiling and release.
    compressor 300:1 → The effect compressor cannot have a ratio of 300:1. Choose from 1:1 to \
    100:1.
    highpass 80dB → “80dB” is not a valid frequency for the effect highpass. Write it like 80Hz.
    highpass slope=18 → The effect highpass cannot have a slope of 18dB. Choose 12dB or 24dB.
    loudness -16 LUFS → “LUFS” is not a valid depth for the effect loudness. Remove the space \
    before the unit.
    highpass 80 gate -45 → “gate” is not a valid slope for the effect highpass. Write a comma \
    before gate.
    gain 1 Speech → The effect gain has no parameter for “Speech”. Write a comma before speech.
    gain 1 2 → The effect gain has no parameter for “2”. Its parameters: gain.
    gain 1 gain=2 → The effect gain has two values for gain. Remove one of them.
    gain nan → “nan” is not a valid gain for the effect gain. Write it like 0dB.
    gain 1e3 → “1e3” is not a valid gain for the effect gain. Write it like 0dB.
    speech 3 → The preset speech has no parameters, but “3” follows it. Write a comma between \
    effects.
    denoise 70 → The effect denoise cannot have a depth of 70dB. Choose from 0dB to 60dB.
    @ → No file name follows the @. Write a file name, like @voice.txt.
    """)

  @Test(arguments: mistakes)
  func parsingMistakesHaveMessages(text: String, wanted: String) {
    #expect(mistake(text) == wanted)
  }

  @Test func unknownEffectErrorListsAllEffects() throws {
    let message = try #require(mistake("xyzzy"))
    #expect(
      message.hasPrefix(
        "There is no effect “xyzzy”. The effects and presets are gain, highpass, "))
    #expect(message.hasSuffix(" music and broadcast."))
    let many = Array(repeating: "gain 1", count: 33).joined(separator: ",")
    #expect(mistake(many) == "A chain can have at most 32 effects. Remove some of them.")
  }

  @Test func aFileHasEffectsOnLines() throws {
    let folder = try Folder()
    let text = "# a voice\nhighpass 90\ncompressor 2, limiter # the end\n"
    let path = try folder.write(Array(text.utf8), to: "voice.txt")
    let effects = try EffectDescription.read("@" + path)
    #expect(EffectDescription.text(effects) == "highpass 90Hz, compressor 2:1 -18dB, limiter -1dB")

    let marked = try folder.write([0xEF, 0xBB, 0xBF] + Array("gain 3".utf8), to: "marked.txt")
    #expect(EffectDescription.text(try EffectDescription.read("@" + marked)) == "gain 3dB")

    let wrong = try folder.write(Array("gian 3".utf8), to: "wrong.txt")
    #expect(mistake("@" + wrong) == "In “\(wrong)”: There is no effect “gian”. Did you mean gain?")
    let missing = try #require(mistake("@" + folder.file("none.txt")))
    #expect(missing.contains("none.txt"))
  }
}
