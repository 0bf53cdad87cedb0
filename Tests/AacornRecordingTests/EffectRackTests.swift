import Testing

@testable import AacornRecording

@Suite struct EffectRackTests {
  private func effects(_ text: String) throws -> [EffectDescription] {
    text.isEmpty ? [] : try EffectDescription.parse(text)
  }

  private func rack(_ text: String) throws -> EffectRack {
    try EffectRack(try effects(text), channelCount: 2, sampleRate: 48_000)
  }

  /// The output for blocks of `frames` frames.
  ///
  /// After each block, checks the number of frames that the rack holds back.
  private func pass(_ rack: inout EffectRack, _ samples: [Float], by frames: Int) -> [Float] {
    var result: [Float] = []
    for start in stride(from: 0, to: samples.count, by: 2 * frames) {
      var block = Array(samples[start..<min(start + 2 * frames, samples.count)])
      let (before, count) = (rack.heldCount, block.count / 2)
      rack.process(&block)
      #expect(rack.heldCount == before + count - block.count / 2)
      result += block
    }
    return result
  }

  private func passChanging(
    _ first: String, then second: String, after frames: Int, _ samples: [Float], by length: Int
  ) throws -> [Float] {
    let wanted = try effects(second)
    var rack = try self.rack(first)
    var result = pass(&rack, Array(samples.prefix(2 * frames)), by: length)
    rack.change(to: wanted)
    result += pass(&rack, Array(samples.dropFirst(2 * frames)), by: length)
    rack.finish(into: &result)
    #expect(rack.heldCount == 0)
    #expect(rack.effects == wanted)
    return result
  }

  @Test(arguments: [
    ("", "limiter -1"), ("limiter -1", ""), ("gain 0", "limiter -1, limiter -2, limiter -3"),
    ("limiter -1, limiter -2", "gain 0"), ("limiter -3", "limiter -1, gain 0"),
  ])
  func othersTakeOverAndNoFrameIsLostOrMoved(first: String, second: String) throws {
    let samples = noise(2 * 5000, amplitude: 0.25)
    for length in [1, 480, 777, 5000] {
      let result = try passChanging(first, then: second, after: 2000, samples, by: length)
      #expect(result == samples, "\(length)")
    }
  }

  /// The input ends while a chain still holds frames, or during the crossfade.
  @Test(arguments: [1, 100, 216, 300, 600, 900])
  func anEndInTheMidstIsComplete(rest: Int) throws {
    for frames in [1, 100, 1000] {
      let samples = noise(2 * (frames + rest), amplitude: 0.25)
      let result = try passChanging(
        "limiter -1", then: "limiter -1, limiter -2", after: frames, samples, by: 64)
      #expect(result == samples, "\(frames)")
    }
  }

  @Test func crossfadeIsLinear() throws {
    let samples = constant(0.5, 2 * 2000)
    let whole = try passChanging("", then: "gain -20", after: 480, samples, by: 2000)
    try #require(whole.count == samples.count)
    #expect(whole[..<960].allSatisfy { $0 == 0.5 })
    let wrong = (0..<480).first { frame in
      let exact = 0.5 - 0.45 * Float(frame + 1) / 480
      return abs(whole[2 * (480 + frame)] - exact) > 1e-6
    }
    #expect(wrong == nil)
    #expect(whole[(2 * 960)...].allSatisfy { abs($0 - 0.05) < 1e-6 })
    for length in [1, 7, 480] {
      #expect(try passChanging("", then: "gain -20", after: 480, samples, by: length) == whole)
    }
  }

  @Test func theSameKindsMoveAndStayPassedBy() throws {
    var rack = try self.rack("gain 0, limiter 0")
    _ = pass(&rack, constant(0.5, 2 * 1000), by: 480)
    let held = rack.heldCount
    rack.change(to: try effects("gain -20, limiter -1"))
    #expect(EffectDescription.text(rack.effects) == "gain -20dB, limiter -1dB")
    let moved = pass(&rack, constant(0.5, 2 * 2000), by: 480)
    #expect(rack.heldCount == held && held > 0)
    #expect(abs((moved.last ?? 0) - 0.05) < 1e-6)
    rack.bypass(0, true)
    rack.bypass(7, true)
    let passed = pass(&rack, constant(0.5, 2 * 2000), by: 480)
    #expect(passed.last == 0.5)
    rack.change(to: try effects("gain -40, limiter -1"))
    let still = pass(&rack, constant(0.5, 2 * 2000), by: 480)
    #expect(still.last == 0.5)
    // Bypassing an effect does not bypass the effects that replace it.
    rack.change(to: try effects("gain -20"))
    let others = pass(&rack, constant(0.5, 2 * 2000), by: 480)
    #expect(abs((others.last ?? 0) - 0.05) < 1e-6)
  }

  @Test func bypassOfAllEffectsSurvivesChainChanges() throws {
    let samples = noise(2 * 10_000, amplitude: 0.25)
    var rack = try self.rack("gain -20")
    rack.isBypassed = true
    var result = pass(&rack, Array(samples.prefix(2000)), by: 480)
    for text in ["limiter -40", "gain -40, limiter -40", "", "gain -60"] {
      rack.change(to: try effects(text))
      let start = result.count + 2 * rack.heldCount
      result += pass(&rack, Array(samples[start..<start + 2800]), by: 100)
    }
    let rest = Array(samples[(result.count + 2 * rack.heldCount)...])
    result += pass(&rack, rest, by: 480)
    rack.finish(into: &result)
    try #require(result.count == samples.count)
    // The crossfade to the bypass happens only once, at its start.
    #expect(result[960...] == samples[960...])
    rack.isBypassed = false
    let output = pass(&rack, constant(0.5, 2 * 1000), by: 480)
    #expect(abs((output.last ?? 0) - 0.0005) < 1e-6)
  }

  @Test func singleBypassSurvivesBypassOfAllEffects() throws {
    var rack = try self.rack("gain -20, gain -20")
    rack.bypass(1, true)
    rack.isBypassed = true
    #expect(pass(&rack, constant(0.5, 2 * 1000), by: 480).last == 0.5)
    rack.isBypassed = false
    let output = pass(&rack, constant(0.5, 2 * 1000), by: 480)
    #expect(abs((output.last ?? 0) - 0.05) < 1e-6)
  }

  @Test func beforeTheFirstSoundAChangeIsThereAtOnce() throws {
    var rack = try self.rack("limiter -1")
    rack.change(to: try effects("gain -20"))
    #expect(rack.heldCount == 0)
    let result = pass(&rack, constant(0.5, 2 * 10), by: 10)
    #expect(result.count == 20 && result.allSatisfy { abs($0 - 0.05) < 1e-6 })
  }

  @Test func ofManyChangesAtOnceTheLastOneCounts() throws {
    var rack = try self.rack("")
    var result = pass(&rack, constant(0.5, 2 * 480), by: 480)
    rack.change(to: try effects("limiter -1"))
    rack.change(to: try effects("gain 6, limiter -1"))
    rack.change(to: try effects("gain -20, limiter -2"))
    rack.bypass(1, true)
    #expect(EffectDescription.text(rack.effects) == "gain -20dB, limiter -2dB")
    result += pass(&rack, constant(0.5, 2 * 4800), by: 480)
    rack.finish(into: &result)
    #expect(result.count == 2 * 5280)
    #expect(abs((result.last ?? 0) - 0.05) < 1e-6)
    #expect(result.allSatisfy { $0 < 0.51 }, "A replaced change was audible.")
  }

  @Test func restartOfRackDiscardsOldAudio() throws {
    let samples = noise(2 * 1000, amplitude: 0.25)
    var fresh = try self.rack("compressor, limiter -1")
    var expected = pass(&fresh, samples, by: 1000)
    fresh.finish(into: &expected)
    var rack = try self.rack("compressor")
    _ = pass(&rack, constant(0.9, 2 * 3000), by: 480)
    rack.change(to: try effects("compressor, limiter -1"))
    _ = pass(&rack, constant(0.9, 2 * 100), by: 100)
    rack.restart()
    #expect(rack.heldCount == 0)
    var result = pass(&rack, samples, by: 480)
    rack.finish(into: &result)
    #expect(result == expected)
  }
}
