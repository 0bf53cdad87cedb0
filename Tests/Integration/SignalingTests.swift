import TestSignals
import Testing

/// HE-AAC plays identically with every kind of signaling.
@Suite struct SignalingTests {
  @Test(arguments: ["m4a", "latm"])
  func otherDecodersYieldSameAudio(suffix: String) throws {
    let folder = WorkFolder()
    let sound = Sound.tones([440, 930], frames: 60_000, rate: 48_000)
    try folder.write(sound.wav, to: "in.wav")
    var standard: [[Float]] = []
    for word in ["auto", "implicit", "compatible", "hierarchical"] {
      if suffix == "latm" && word == "compatible" { continue }
      let name = "\(word).\(suffix)"
      try folder.aacorn(
        "encode", "-q", "--profile", "he", "--signaling", word, "in.wav", "-o", name)
      let facts = try Decoders.probe(name, in: folder)
      #expect(facts["sample_rate"] == "48000", "\(word)")
      let decoded = try Decoders.ffmpeg(name, channels: 2, in: folder)
      if standard.isEmpty { standard = decoded }
      #expect(decoded == standard, "\(word)")
      guard suffix == "m4a" else { continue }
      // The track uses the timescale of the core, and its duration equals the audio's.
      #expect(facts["time_base"] == "1/24000" && facts["duration_ts"] == "30000", "\(word)")
      #expect(facts["start_pts"] == "0", "\(word)")
      for (original, copy) in zip(sound.channels, decoded) {
        #expect(Sound.lag(original, Array(copy.prefix(60_000))) == 0, "\(word)")
      }
    }
    #expect(!standard.isEmpty)
  }
}
