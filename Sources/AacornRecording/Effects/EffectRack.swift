/// A chain of effects that can be replaced at any frame.
///
/// If the kinds of the effects and their order stay the same, the settings change gradually.
/// Otherwise a crossfade of 10 ms leads to a new chain; during the crossfade both chains process
/// the same input. In both cases the output keeps its position, and no frames are lost.
package struct EffectRack: Sendable {
  private let channelCount: Int
  private let sampleRate: Int
  private var chain: EffectChain
  private var crossfade: ChainCrossfade?
  /// The effects to use after the crossfade.
  private var next: [EffectDescription]?
  /// Effects that could not be created.
  ///
  /// They are stored, so that `change` does not try to create them again for every block.
  private var rejected: [EffectDescription]?
  private var bypassed: Set<Int> = []
  /// Whether all effects are bypassed, including later ones.
  package var isBypassed = false {
    didSet { if isBypassed != oldValue && next == nil { applyBypass() } }
  }
  /// Whether effects have processed samples since the rack was created or restarted.
  private var hasProcessed = false
  /// Input frames that have not been output yet.
  package private(set) var heldCount = 0

  /// Creates effects for interleaved channels; an empty list passes samples unchanged.
  package init(
    _ effects: [EffectDescription], channelCount: Int, sampleRate: Int
  ) throws(EffectError) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    chain = try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
  }

  init(channelCount: Int, sampleRate: Int) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    chain = EffectChain(channelCount: channelCount)
  }

  package var effects: [EffectDescription] { next ?? chain.effects }

  /// Whether samples pass unchanged.
  package var isEmpty: Bool { crossfade == nil && chain.isEmpty }

  /// Changes to other effects with the next input frame, or after the current crossfade.
  ///
  /// Effects stay bypassed only if their kinds and their order stay the same. If an effect cannot
  /// be created, the current ones stay; a caller that needs to report the error creates a chain
  /// first.
  package mutating func change(to effects: [EffectDescription]) {
    if effects == self.effects || effects == rejected { return }
    rejected = nil
    if effects.map(\.kind) != self.effects.map(\.kind) { bypassed = [] }
    let present = chain.effects
    if effects.map(\.kind) == present.map(\.kind) {
      if next != nil { applyBypass() }
      next = nil
      for (index, effect) in effects.enumerated() where effect != present[index] {
        chain.adjust(index, to: effect)
      }
      return
    }
    if crossfade == nil { replace(with: effects) } else { next = effects }
  }

  /// Bypasses an effect, or ends the bypass; ignores an unknown index.
  package mutating func bypass(_ index: Int, _ isBypassed: Bool) {
    guard effects.indices.contains(index) else { return }
    if isBypassed { bypassed.insert(index) } else { bypassed.remove(index) }
    if next == nil { chain.bypass(index, isEffectBypassed(index)) }
  }

  /// Replaces complete input frames by output frames.
  package mutating func process(_ samples: inout [Float]) {
    if isEmpty || samples.isEmpty { return }
    hasProcessed = true
    heldCount += samples.count / channelCount
    if crossfade == nil {
      chain.process(&samples)
    } else {
      advanceCrossfade(&samples, isEnd: false)
    }
    heldCount -= samples.count / channelCount
    applyNext()
  }

  /// Appends the delayed frames, as if silence followed, and restarts the effects.
  package mutating func finish(into samples: inout [Float]) {
    var rest: [Float] = []
    if crossfade == nil { chain.finish(into: &rest) } else { advanceCrossfade(&rest, isEnd: true) }
    samples += rest
    reset()
  }

  /// Clears the state of the effects, for example after a seek.
  package mutating func restart() {
    crossfade = nil
    var rest: [Float] = []
    chain.finish(into: &rest)
    reset()
  }

  private mutating func reset() {
    heldCount = 0
    hasProcessed = false
    applyNext()
  }

  // MARK: - From one chain to another

  /// Makes the change that had to wait for the crossfade.
  private mutating func applyNext() {
    guard crossfade == nil, let effects = next else { return }
    next = nil
    replace(with: effects)
  }

  private mutating func replace(with effects: [EffectDescription]) {
    guard
      let made = try? EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
    else {
      rejected = effects
      applyBypass()
      return
    }
    // Before the first samples no crossfade is needed. After an empty chain there is always a
    // crossfade, because `process` does not set `hasProcessed` for an empty chain.
    if hasProcessed || chain.isEmpty {
      crossfade = ChainCrossfade(chain: chain, leadCount: heldCount)
    }
    chain = made
    for index in chain.effects.indices where isEffectBypassed(index) { chain.beginBypassed(index) }
  }

  private mutating func applyBypass() {
    for index in chain.effects.indices { chain.bypass(index, isEffectBypassed(index)) }
  }

  private func isEffectBypassed(_ index: Int) -> Bool { isBypassed || bypassed.contains(index) }

  /// Replaces input frames by the available output of the crossfade; at the end, appends all
  /// delayed frames.
  private mutating func advanceCrossfade(_ samples: inout [Float], isEnd: Bool) {
    guard var fading = crossfade else { return }
    crossfade = nil
    var old = samples
    fading.chain.process(&old)
    chain.process(&samples)
    if isEnd {
      fading.chain.finish(into: &old)
      chain.finish(into: &samples)
    }
    fading.old += old
    fading.new += samples
    samples.removeAll(keepingCapacity: true)
    let length = max(1, sampleRate / 100)
    fading.release(into: &samples, over: length, channelCount: channelCount)
    if fading.fadedCount == length {
      samples += fading.new
    } else if !isEnd {
      crossfade = fading
    }
  }

  private struct ChainCrossfade: Sendable {
    var chain: EffectChain
    /// Frames that the previous chain outputs before the first common frame.
    var leadCount: Int
    /// Completed frames of the crossfade.
    var fadedCount = 0
    /// Output of each chain that waits for the other chain's output.
    var old: [Float] = []
    var new: [Float] = []

    init(chain: EffectChain, leadCount: Int) {
      self.chain = chain
      self.leadCount = leadCount
    }

    /// Appends the finished frames: first the previous chain's `leadCount` frames unchanged, then
    /// the crossfade of the frames that both chains have output.
    mutating func release(into output: inout [Float], over length: Int, channelCount: Int) {
      let lead = min(leadCount * channelCount, old.count)
      output += old.prefix(lead)
      old.removeFirst(lead)
      leadCount -= lead / channelCount
      if leadCount > 0 { return }
      let count = min(length - fadedCount, min(old.count, new.count) / channelCount)
      var index = 0
      for frame in 0..<count {
        let part = Float(fadedCount + frame + 1) / Float(length)
        for _ in 0..<channelCount {
          output.append(old[index] + (new[index] - old[index]) * part)
          index += 1
        }
      }
      old.removeFirst(index)
      new.removeFirst(index)
      fadedCount += count
    }
  }
}
