#if os(Linux)
import AacornSignal

/// Takes steady noise out of each channel, such as that of fans and amplifiers, by libspeexdsp.
///
/// The library learns what is noise within a second, and takes for it whatever does not change. It
/// works on 16 bits and on blocks of 10 ms.
struct DenoiseEffect: NumberedEffect {
  /// What it has heard before comes out when the next block is full, and the library needs another.
  let latency: Int

  private let sampleRate: Int
  private var depth: Double
  private var blocks: SoundBlocks
  /// One of each channel; fewer if there is no memory for them.
  private var denoisers: [SpeexDenoiser] = []

  /// The effect for interleaved channels, which lowers noise by so many decibels.
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

  /// The rates at which 10 ms are some dozens of samples, and not more than the library was made for.
  private static let rates = 4000...192_000

  /// Moves to another depth, which the library reaches softly by itself.
  mutating func adjust(_ values: [Double]) {
    depth = values[0]
    separate()
    for denoiser in denoisers { denoiser.setDepth(depth) }
  }

  /// Changes whole interleaved frames.
  mutating func process(_ samples: inout MutableSpan<Float>) {
    precondition(samples.count % blocks.channelCount == 0)
    let frameCount = samples.count / blocks.channelCount
    var first = 0
    while first < frameCount {
      first += blocks.exchange(&samples, from: first)
      guard blocks.isFull else { continue }
      separate()
      for channel in denoisers.indices { denoisers[channel].process(&blocks, channel: channel) }
      blocks.turn()
    }
  }

  /// Forgets all sound, and what was learned of the noise; the depth is kept.
  mutating func reset() {
    blocks.reset()
    renew(all: true)
  }

  /// Makes states for this effect alone, where a copy of it has the same.
  private mutating func separate() { renew(all: false) }

  private mutating func renew(all: Bool) {
    for channel in denoisers.indices {
      let isAlone = isKnownUniquelyReferenced(&denoisers[channel])
      if isAlone && !all { continue }
      guard let denoiser = SpeexDenoiser(length: blocks.length, sampleRate: sampleRate) else {
        // Silence rather than what another one hears.
        denoisers = []
        blocks.reset()
        return
      }
      denoiser.setDepth(depth)
      denoisers[channel] = denoiser
    }
  }
}
#endif
