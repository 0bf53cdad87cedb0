/// The stages that code spectra as bits.
extension AACEncoder {
  /// The bits of side information, without lines and scalefactors, assumed for a frame and for each
  /// of its channels.
  private static let frameOverhead = 20
  private static let channelOverhead = 40
  /// The maximum number of attempts to quantize a frame, and the attempt that drops noise and
  /// intensity bands.
  private static let maxAttempts = 40
  private static let silencingAttempt = 20
  /// The minimum step of the noise level, and the step for an excess of all bits, at first.
  private static let minLevelStep: Float = 0.15
  private static let levelStepPerExcess: Float = 4
  /// The number of attempts after which the step grows by the first step.
  private static let attemptsPerGrowth = 4

  /// Chooses scalefactors, quantizes and divides into sections, within the frame's bit limits.
  mutating func quantize() {
    demand.removeAll()
    for index in elements.indices {
      for first in elements[index].groups {
        let layout = elements[index].layout(first)
        for channel in first..<first + elements[index].groupLength {
          searches[channel].prepare(&channels[channel], layout, demand: &demand)
        }
      }
    }
    let overhead =
      Self.frameOverhead + channels.count * Self.channelOverhead + replicationBits
    var level = rate.level(
      for: demand, overhead: overhead, isShort: hasShortWindows)
    predictedBits = demand.bits(at: level).bits
    for attempt in 0..<Self.maxAttempts {
      codedBits = quantize(level: level)
      if codedBits <= rate.maxBitCount { break }
      // Too many bits: quantize more coarsely everywhere, in growing steps. Finally drop noise and
      // intensity bands, so that only silence remains.
      if attempt == Self.silencingAttempt { silenceNoiseAndIntensity() }
      let excess = Float(codedBits - rate.maxBitCount) / Float(max(1, codedBits))
      level +=
        max(Self.minLevelStep, excess * Self.levelStepPerExcess)
        * Float(1 + attempt / Self.attemptsPerGrowth)
    }
  }

  /// Silences noise and intensity bands of a frame that is too large otherwise.
  private mutating func silenceNoiseAndIntensity() {
    for element in elements {
      for channel in element.channels {
        for band in 0..<element.layout(channel).bandCount where !channels[channel].isSpectral(band)
        {
          channels[channel].codebooks[band] = Codebook.zero
        }
      }
    }
  }

  /// Quantizes all channels at one noise level and returns the resulting bits of the frame.
  private mutating func quantize(level: Float) -> Int {
    // The bits of the end of the block, of the replication payload, and of all fields except lines,
    // scalefactors and sections.
    var bits = 3 + replicationBits
    spectralBits = 0
    for index in elements.indices {
      for first in elements[index].groups {
        let layout = elements[index].layout(first)
        for channel in first..<first + elements[index].groupLength {
          searches[channel].choose(&channels[channel], layout, level: level, with: tables)
          channels[channel].quantize(layout, tables)
          spectralBits += channels[channel].divideIntoSections(
            layout, by: &sectioning, with: tables)
        }
      }
      var counter = FrameWriter(BitCounter())
      counter.putOverhead(of: elements[index], channels)
      bits += counter.bitCount
    }
    return (bits + spectralBits + 7) & ~7
  }

  /// Whether any channel of the first element has short windows.
  private var hasShortWindows: Bool {
    elements[0].layout(elements[0].channels.lowerBound).window.isShort
      || elements[0].layout(elements[0].channels.upperBound - 1).window.isShort
  }

  mutating func write() {
    // If the minimum and the maximum are less than a byte apart, the maximum has priority.
    let end = min((rate.minBitCount + 7) & ~7, rate.maxBitCount)
    writer.write(elements, channels: &channels, with: tables, replication: payloads, fillingTo: end)
    rate.endFrame(
      bits: writer.bitCount, fill: max(0, writer.bitCount - codedBits), spectral: spectralBits,
      predicted: predictedBits, isShort: hasShortWindows)
  }
}

extension ChannelFrame {
  /// Chooses codebooks; returns the bits of sections, scalefactors and lines.
  mutating func divideIntoSections(
    _ layout: BandLayout, by sectioning: inout Sectioning, with tables: CodeTables
  ) -> Int {
    sectioning.setCosts(
      codebooks, quantized: quantized, offsets: layout.offsets, magnitudes: magnitude,
      bandCount: layout.bandCount, tables: tables)
    var bits = 0
    let window = layout.window
    for group in 0..<window.groupCount {
      let first = group * window.bandsPerGroup
      bits += sectioning.choose(
        range: first..<first + window.bandsPerGroup, isShort: window.isShort, books: &codebooks)
    }
    ScaleFactors.fillSilentBands(&self, layout)
    var counter = ChannelWriter(BitCounter())
    let gain = ScaleFactors.globalGain(&self, layout)
    counter.putScaleFactors(
      scaleFactors, codebooks, bandCount: layout.bandCount, globalGain: Int(gain))
    return bits + counter.bits.bitCount
  }
}
