import AacornSignal
import AacornSystem

/// Effects in series with compensated latency: the output has the position and length of the input.
///
///     var chain = try EffectChain(effects, channelCount: 2, sampleRate: 48_000)
///     chain.process(&block)           // the first output is shorter by the latency
///     chain.finish(into: &end)        // the delayed frames
///
/// The result does not depend on the block sizes. A copy of a chain runs independently.
/// The state of ``EffectKind/denoise`` cannot be copied, so the first of two copies to process audio
/// restarts it.
public struct EffectChain: Sendable {
  private struct Slot: Sendable {
    var description: EffectDescription
    var effect: any AudioEffect
    var bypass: BypassSwitch
  }

  /// The number of channels.
  public let channelCount: Int
  /// The latency in frames: the sum of the effects' latencies.
  public let latency: Int
  private var slots: [Slot] = []
  /// Frames of the initial delay that have not been removed from the output.
  private var remainingLead: Int
  /// Input frames that have not been output yet.
  private var heldCount = 0

  /// Creates a chain for interleaved channels; throws the reason if an effect cannot be created.
  ///
  /// With a rate and channels above 0, only ``EffectKind/denoise``, or more
  /// effects than ``EffectDescription/maxEffectCount``, can fail.
  public init(
    _ effects: [EffectDescription], channelCount: Int, sampleRate: Int
  ) throws(EffectError) {
    guard channelCount > 0, sampleRate > 0 else {
      throw EffectError("Effects cannot process \(channelCount) channels at \(sampleRate) Hz.")
    }
    if effects.count > EffectDescription.maxEffectCount { throw .tooMany }
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
    remainingLead = latency
  }

  /// Creates a chain that passes samples unchanged.
  init(channelCount: Int) {
    precondition(channelCount > 0)
    self.channelCount = channelCount
    latency = 0
    remainingLead = 0
  }

  var isEmpty: Bool { slots.isEmpty }

  /// The effects.
  public var effects: [EffectDescription] { slots.map(\.description) }

  /// Changes the values of an effect, within 10 ms.
  ///
  /// Changes nothing if there is no effect with this index, or if the description has another kind.
  public mutating func adjust(_ index: Int, to description: EffectDescription) {
    guard slots.indices.contains(index), description.kind == slots[index].description.kind
    else { return }
    slots[index].description = description
    slots[index].effect.adjust(to: description)
  }

  /// Bypasses an effect, or ends the bypass, by a crossfade of 10 ms.
  public mutating func bypass(_ index: Int, _ isBypassed: Bool) {
    guard slots.indices.contains(index) else { return }
    slots[index].bypass.isBypassed = isBypassed
  }

  /// Bypasses an effect of an unused chain from the first frame on.
  mutating func beginBypassed(_ index: Int) {
    slots[index].bypass.isBypassed = true
    slots[index].bypass.reset()
  }

  /// Processes complete frames in place, and drops an incomplete frame at the end.
  public mutating func process(_ samples: inout [Float]) {
    samples.removeLast(samples.count % channelCount)
    heldCount += samples.count / channelCount
    run(&samples)
    let lead = min(remainingLead, samples.count / channelCount)
    remainingLead -= lead
    if lead > 0 { samples.removeFirst(lead * channelCount) }
    heldCount -= samples.count / channelCount
  }

  /// Appends the delayed frames, as if silence followed, and restarts the chain.
  public mutating func finish(into samples: inout [Float]) {
    var rest = [Float](repeating: 0, count: latency * channelCount)
    run(&rest)
    rest.removeFirst(min(remainingLead * channelCount, rest.count))
    rest.removeLast(max(0, rest.count - heldCount * channelCount))
    samples += rest
    for index in slots.indices {
      slots[index].effect.reset()
      slots[index].bypass.reset()
    }
    remainingLead = latency
    heldCount = 0
  }

  /// Processes complete frames in place, in pieces.
  private mutating func run(_ samples: inout [Float]) {
    let length = BypassSwitch.pieceLength * channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      var start = 0
      while start < samples.count {
        let end = min(start + length, samples.count)
        let part = samples.extracting(start..<end)
        var piece = unsafe part.mutableSpan
        for index in slots.indices {
          slots[index].bypass.store(piece.span)
          slots[index].effect.process(&piece)
          slots[index].bypass.blend(into: &piece)
        }
        start = end
      }
    }
  }

  /// Returns the chain for encoding a file; nil if there are no effects.
  static func ofFile(
    _ effects: [EffectDescription], channelCount: Int, sampleRate: Int
  ) throws(AACFileError) -> EffectChain? {
    if effects.isEmpty { return nil }
    do throws(EffectError) {
      return try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      throw AACFileError(
        .effects(error.kind), error.problem,
        suggestion: error.recoverySuggestion.isEmpty ? .none : .text(error.recoverySuggestion))
    }
  }
}

extension RecordingConfiguration {
  func rack(of effects: [EffectDescription]) throws(RecordingError) -> EffectRack {
    try rethrow(
      as: RecordingError.effects,
      EffectRack(effects, channelCount: channelCount, sampleRate: sampleRate))
  }

  /// Throws if these effects cannot be used in the recording.
  func validate(_ effects: [EffectDescription]) throws(EffectError) {
    // Creating the effects is the only test for libraries.
    _ = try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
  }
}
