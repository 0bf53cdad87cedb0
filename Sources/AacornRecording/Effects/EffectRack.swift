/// A chain of effects that can be another one from the next frame on.
///
/// Effects of the same kinds in the same order move to their new numbers. Others take over by a
/// crossfade of 10 ms, for which both chains hear the same sound. Either way what comes out lies
/// where it lay, and nothing of it is lost.
package struct EffectRack: Sendable {
  private let channelCount: Int
  private let sampleRate: Int
  private var chain: EffectChain
  /// The chain that makes way for this one.
  private var handover: Handover?
  /// What is wanted as soon as that is done.
  private var next: [EffectDescription]?
  /// Those that could not be made; they are not tried again at every block.
  private var refused: [EffectDescription]?
  /// Which of the effects that are wanted are passed by.
  private var bypassed: Set<Int> = []
  /// Whether all of them are, those too that take over later.
  package var isBypassed = false {
    didSet { if isBypassed != oldValue && next == nil { bypassAsWanted() } }
  }
  /// Whether sound has gone through effects since the beginning.
  private var hasSound = false
  /// How many frames went in and have not come out.
  package private(set) var heldCount = 0

  /// Effects for interleaved channels; none let the sound through as it is.
  package init(
    _ effects: [EffectDescription], channelCount: Int, sampleRate: Int
  ) throws(EffectError) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    chain = try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
  }

  /// No effects.
  init(channelCount: Int, sampleRate: Int) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    chain = EffectChain(channelCount: channelCount)
  }

  /// The effects that are wanted.
  package var effects: [EffectDescription] { next ?? chain.effects }

  /// Whether the sound passes as it is.
  package var isEmpty: Bool { handover == nil && chain.isEmpty }

  /// Goes to other effects with the next frame that goes in, or when the last change is done.
  ///
  /// Only effects of the same kinds stay passed by. If one of them cannot be made, those that are
  /// there stay; whoever is to say so makes a chain of them first.
  package mutating func change(to effects: [EffectDescription]) {
    if effects == self.effects || effects == refused { return }
    refused = nil
    if !effects.elementsEqual(self.effects, by: { $0.isSameEffect(as: $1) }) { bypassed = [] }
    let present = chain.effects
    if effects.elementsEqual(present, by: { $0.isSameEffect(as: $1) }) {
      if next != nil { bypassAsWanted() }
      next = nil
      for (index, effect) in effects.enumerated() where effect != present[index] {
        chain.adjust(index, to: effect)
      }
      return
    }
    if handover == nil { replace(with: effects) } else { next = effects }
  }

  /// Takes an effect out of the way, or back; one that there is not is of no account.
  package mutating func bypass(_ index: Int, _ isBypassed: Bool) {
    guard effects.indices.contains(index) else { return }
    if isBypassed { bypassed.insert(index) } else { bypassed.remove(index) }
    if next == nil { chain.bypass(index, isPassedBy(index)) }
  }

  /// Puts what comes out in the place of whole frames that go in.
  package mutating func process(_ samples: inout [Float]) {
    if isEmpty || samples.isEmpty { return }
    hasSound = true
    heldCount += samples.count / channelCount
    if handover == nil { chain.process(&samples) } else { handOver(&samples, isEnd: false) }
    heldCount -= samples.count / channelCount
    takeNext()
  }

  /// Appends what is still inside, as if silence followed, and begins anew.
  package mutating func finish(into samples: inout [Float]) {
    var rest: [Float] = []
    if handover == nil { chain.finish(into: &rest) } else { handOver(&rest, isEnd: true) }
    samples += rest
    beginAnew()
  }

  /// Forgets all sound, as for a jump.
  package mutating func restart() {
    handover = nil
    var rest: [Float] = []
    chain.finish(into: &rest)
    beginAnew()
  }

  private mutating func beginAnew() {
    heldCount = 0
    hasSound = false
    takeNext()
  }

  // MARK: - From one chain to another

  /// Does what had to wait for the last change.
  private mutating func takeNext() {
    guard handover == nil, let effects = next else { return }
    next = nil
    replace(with: effects)
  }

  private mutating func replace(with effects: [EffectDescription]) {
    guard
      let made = try? EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
    else {
      refused = effects
      bypassAsWanted()
      return
    }
    // Before the first sound there is nothing to fade from; what passes as it is need not come here.
    if hasSound || chain.isEmpty { handover = Handover(chain: chain, leadCount: heldCount) }
    chain = made
    for index in chain.effects.indices where isPassedBy(index) { chain.beginBypassed(index) }
  }

  private mutating func bypassAsWanted() {
    for index in chain.effects.indices { chain.bypass(index, isPassedBy(index)) }
  }

  /// Whether one of the effects that are wanted is out of the way.
  private func isPassedBy(_ index: Int) -> Bool { isBypassed || bypassed.contains(index) }

  /// Sends samples through both chains, and puts what comes of them in their place; at the end,
  /// with all that is still inside.
  private mutating func handOver(_ samples: inout [Float], isEnd: Bool) {
    guard var leaving = handover else { return }
    handover = nil
    var old = samples
    leaving.chain.process(&old)
    chain.process(&samples)
    if isEnd {
      leaving.chain.finish(into: &old)
      chain.finish(into: &samples)
    }
    leaving.old += old
    leaving.new += samples
    samples.removeAll(keepingCapacity: true)
    let length = max(1, sampleRate / 100)
    leaving.release(into: &samples, over: length, channelCount: channelCount)
    if leaving.fadedCount == length {
      samples += leaving.new
    } else if !isEnd {
      handover = leaving
    }
  }

  /// One chain making way for another.
  private struct Handover: Sendable {
    /// The one that goes.
    var chain: EffectChain
    /// Frames that come out of it before the first one that both have heard.
    var leadCount: Int
    /// Frames of the crossfade that are done.
    var fadedCount = 0
    /// What has come out of the chain that goes, and out of the other one, and waits for its match.
    var old: [Float] = []
    var new: [Float] = []

    init(chain: EffectChain, leadCount: Int) {
      self.chain = chain
      self.leadCount = leadCount
    }

    /// Appends what is certain by now: the old chain's lead, and what both have of the crossfade.
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
