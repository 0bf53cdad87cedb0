import AacornSignal

/// Effects one after another, with their latency taken out: what comes out lies where it lay, and is
/// as long as what went in.
///
///     var chain = try EffectChain(effects, channelCount: 2, sampleRate: 48_000)
///     chain.process(&block)           // shorter by the latency, once
///     chain.finish(into: &end)        // what was still inside
///
/// The result does not depend on how the samples were cut into blocks. A copy of a chain goes on by
/// itself; plugins, which cannot be copied, begin anew in one of the two.
public struct EffectChain: Sendable {
  private struct Slot: Sendable {
    var description: EffectDescription
    var effect: any AdjustableEffect
    var bypass: BypassSwitch
  }

  /// The number of channels.
  public let channelCount: Int
  /// How many frames the sound is inside: the sum of the effects' latencies.
  public let latency: Int
  private var slots: [Slot] = []
  /// Frames that come out before the first one that went in.
  private var leadRest: Int
  /// Frames that went in and have not come out.
  private var heldCount = 0

  /// A chain for interleaved channels; throws which effect cannot be made, and why.
  ///
  /// Of a chain with a rate and channels above 0, only effects whose code comes from elsewhere can fail:
  /// ``EffectKind/denoise`` and ``EffectKind/ladspa``.
  public init(
    _ effects: [EffectDescription], channelCount: Int, sampleRate: Int
  ) throws(EffectError) {
    guard channelCount > 0, sampleRate > 0 else {
      throw EffectError("Effects cannot process \(channelCount) channels at \(sampleRate) Hz.")
    }
    self.channelCount = channelCount
    var latency = 0
    for description in effects {
      let effect = try description.effect(channelCount: channelCount, sampleRate: sampleRate)
      latency += effect.latency
      let bypass = BypassSwitch(
        latency: effect.latency, channelCount: channelCount, sampleRate: sampleRate)
      slots.append(Slot(description: description, effect: effect, bypass: bypass))
    }
    self.latency = latency
    leadRest = latency
  }

  /// A chain that lets sound through as it is.
  init(channelCount: Int) {
    precondition(channelCount > 0)
    self.channelCount = channelCount
    latency = 0
    leadRest = 0
  }

  /// Whether there are none.
  var isEmpty: Bool { slots.isEmpty }

  /// The effects.
  public var effects: [EffectDescription] { slots.map(\.description) }

  /// Changes the values of an effect, which it reaches within 10 ms.
  ///
  /// Nothing changes if there is no effect with this number, or if it is of another kind or another
  /// plugin. Ports that it does not have are ignored, and values that it does not take
  /// become the nearest ones.
  public mutating func adjust(_ index: Int, to description: EffectDescription) {
    guard slots.indices.contains(index), description.isSameEffect(as: slots[index].description)
    else { return }
    slots[index].description = description
    slots[index].effect.adjust(to: description)
  }

  /// Takes an effect out of the way, or back, by a crossfade of 10 ms.
  public mutating func bypass(_ index: Int, _ isBypassed: Bool) {
    guard slots.indices.contains(index) else { return }
    slots[index].bypass.isBypassed = isBypassed
  }

  /// Has an effect of a chain that has heard nothing be out of the way from the first frame on.
  mutating func beginBypassed(_ index: Int) {
    slots[index].bypass.isBypassed = true
    slots[index].bypass.reset()
  }

  /// Processes whole frames in place, and drops an incomplete frame at the end.
  public mutating func process(_ samples: inout [Float]) {
    samples.removeLast(samples.count % channelCount)
    heldCount += samples.count / channelCount
    run(&samples)
    let lead = min(leadRest, samples.count / channelCount)
    leadRest -= lead
    if lead > 0 { samples.removeFirst(lead * channelCount) }
    heldCount -= samples.count / channelCount
  }

  /// Appends what is still inside, as if silence followed, and begins anew.
  public mutating func finish(into samples: inout [Float]) {
    var rest = [Float](repeating: 0, count: latency * channelCount)
    run(&rest)
    rest.removeFirst(min(leadRest * channelCount, rest.count))
    rest.removeLast(max(0, rest.count - heldCount * channelCount))
    samples += rest
    for index in slots.indices {
      slots[index].effect.reset()
      slots[index].bypass.reset()
    }
    leadRest = latency
    heldCount = 0
  }

  /// Changes whole frames in place, in pieces.
  private mutating func run(_ samples: inout [Float]) {
    let length = BypassSwitch.pieceLength * channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      var start = 0
      while start < samples.count {
        let end = min(start + length, samples.count)
        let part = samples.extracting(start..<end)
        var piece = unsafe part.mutableSpan
        for index in slots.indices {
          slots[index].bypass.keep(piece.span)
          slots[index].effect.process(&piece)
          slots[index].bypass.blend(into: &piece)
        }
        start = end
      }
    }
  }
}
