#if os(Linux)
import AacornSignal
import CAacornSpeexDSP

/// Reduces steady noise in each channel, such as noise of fans and amplifiers, with libspeexdsp.
///
/// The library learns the noise within a second, and treats all steady sound as noise. It processes
/// blocks of 10 ms with 16 bits.
struct DenoiseEffect: AudioEffect {
  /// The latency in frames: one block for filling, and one for the library's overlap.
  let latency: Int

  private let sampleRate: Int
  private var depth: Double
  private var blocks: SoundBlocks
  /// The state of each channel; empty if a copy of the effect could not create its own states.
  private var denoisers: [SpeexDenoiser] = []

  /// Creates the effect for interleaved channels, which lowers noise by `depth` decibels.
  init(depth: Double, channelCount: Int, sampleRate: Int) throws(EffectError) {
    guard Self.rates.contains(sampleRate) else {
      throw EffectError(
        "The effect denoise does not work at \(sampleRate) Hz.",
        "Choose a sampling rate from \(Self.rates.lowerBound) to \(Self.rates.upperBound) Hz.")
    }
    self.depth = depth
    self.sampleRate = sampleRate
    blocks = SoundBlocks(length: sampleRate / 100, channelCount: channelCount)
    latency = 2 * blocks.length
    for _ in 0..<channelCount {
      guard let denoiser = SpeexDenoiser(length: blocks.length, sampleRate: sampleRate) else {
        throw SpeexDenoiser.error
      }
      denoiser.setDepth(depth)
      denoisers.append(denoiser)
    }
  }

  /// The supported sampling rates in hertz: the minimum has 40 samples in a block of 10 ms, and the
  /// maximum is within the library's design.
  private static let rates = 4000...192_000

  /// Changes the depth; the library moves to it smoothly.
  mutating func adjust(to description: EffectDescription) {
    depth = description.values[0]
    separate()
    for denoiser in denoisers { denoiser.setDepth(depth) }
  }

  /// Processes complete interleaved frames.
  mutating func process(_ samples: inout MutableSpan<Float>) {
    precondition(samples.count % blocks.channelCount == 0)
    let frameCount = samples.count / blocks.channelCount
    var first = 0
    while first < frameCount {
      first += blocks.exchange(&samples, from: first)
      if blocks.isFull { processBlock() }
    }
  }

  private mutating func processBlock() {
    separate()
    for channel in denoisers.indices { denoisers[channel].process(&blocks, channel: channel) }
  }

  /// Clears the history and the learned noise; keeps the depth.
  mutating func reset() {
    blocks.reset()
    renew(all: true)
  }

  /// Creates states for this effect alone if it shares them with a copy.
  private mutating func separate() { renew(all: false) }

  private mutating func renew(all: Bool) {
    for channel in denoisers.indices {
      let isAlone = isKnownUniquelyReferenced(&denoisers[channel])
      if isAlone && !all { continue }
      guard let denoiser = SpeexDenoiser(length: blocks.length, sampleRate: sampleRate) else {
        // There is no memory for separate states, so output silence rather than share the history
        // of the other copy.
        denoisers = []
        blocks.reset()
        return
      }
      denoiser.setDepth(depth)
      denoisers[channel] = denoiser
    }
  }
}

/// libspeexdsp's noise reduction of one channel.
@safe
final class SpeexDenoiser: @unchecked Sendable {
  // Unchecked because of the pointer. An effect uses a state only if no other effect owns it.

  private let state: OpaquePointer
  /// Samples of a block, rounded to the nearest integers and clipped at full scale.
  private var samples: [Int16]

  /// Creates a state for blocks of `length` samples; nil if there is no memory, or no library.
  init?(length: Int, sampleRate: Int) {
    guard let functions = unsafe try? SpeexUnavailable.functions.get(),
      let state = unsafe aacorn_speexdsp_denoiser_make(functions, Int32(length), Int32(sampleRate))
    else { return nil }
    samples = [Int16](repeating: 0, count: length)
    unsafe self.state = unsafe state
  }

  deinit { unsafe aacorn_speexdsp_denoiser_destroy(state) }

  /// Sets the noise reduction in decibels for the next blocks.
  func setDepth(_ depth: Double) {
    unsafe aacorn_speexdsp_denoiser_set_depth(state, Int32(depth.rounded()))
  }

  func process(_ blocks: inout SoundBlocks, channel: Int) {
    Self.fill(&samples, from: blocks, channel)
    unsafe aacorn_speexdsp_denoiser_run(state, &samples)
    Self.store(samples, to: &blocks, channel)
  }

  /// Converts a channel of a block to integers.
  static func fill(_ samples: inout [Int16], from blocks: SoundBlocks, _ channel: Int) {
    // The samples are a parameter: each access to a property of a class has an exclusivity check.
    var offset = channel
    for index in samples.indices {
      samples[index] = SampleConversion.int16(blocks.incoming[offset])
      offset += blocks.channelCount
    }
  }

  private static func store(_ samples: [Int16], to blocks: inout SoundBlocks, _ channel: Int) {
    var offset = channel
    for sample in samples {
      blocks.outgoing[offset] = Float(sample) * 0x1p-15
      offset += blocks.channelCount
    }
  }

  /// The reason why no state can be created.
  static var error: EffectError {
    if case .failure(let unavailable) = unsafe SpeexUnavailable.functions {
      return error(for: unavailable)
    }
    return EffectError(
      "There is no memory for the effect denoise.", "Close other programs.", kind: .missing)
  }

  /// Returns the error for a library that cannot be used.
  static func error(for unavailable: SpeexUnavailable) -> EffectError {
    EffectError(
      SpeexUnavailable.problem("The effect denoise is not available", reason: unavailable.reason),
      SpeexUnavailable.installHint(), kind: .missing)
  }
}
#endif
