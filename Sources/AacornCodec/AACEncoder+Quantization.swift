/// The stages that turn spectra into bits.
extension AACEncoder {
  /// Chooses scalefactors, quantizes and divides into sections, within the frame's bit limits.
  mutating func quantize() {
    demand.removeAll()
    for index in elements.indices {
      for channel in elements[index].channels {
        searches[channel].prepare(&channels[channel], elements[index].layout, demand: &demand)
      }
    }
    let overhead = 20 + channels.count * 40
    var level = rate.level(
      for: demand, overhead: overhead, isShort: elements[0].layout.isShort)
    predictedBits = demand.bits(at: level).bits
    for attempt in 0..<40 {
      let bits = quantize(level: level)
      if bits <= rate.most { break }
      // Too many bits: quantize more coarsely everywhere, in growing steps, and finally drop noise
      // and intensity, so that only silence remains.
      if attempt == 20 { dropSubstitutes() }
      let excess = Float(bits - rate.most) / Float(max(1, bits))
      level += max(0.15, excess * 4) * Float(1 + attempt / 4)
    }
  }

  /// Silences noise and intensity bands, for a frame that does not fit otherwise.
  private mutating func dropSubstitutes() {
    for element in elements {
      for channel in element.channels {
        for band in 0..<element.layout.bandCount where !channels[channel].isSpectral(band) {
          channels[channel].book[band] = Codebook.zero
        }
      }
    }
  }

  /// Quantizes all channels at one noise level and returns the resulting bits of the frame.
  private mutating func quantize(level: Float) -> Int {
    // The end of the block, and everything before lines, scalefactors and sections.
    var bits = 3
    spectralBits = 0
    for index in elements.indices {
      for channel in elements[index].channels {
        searches[channel].choose(
          &channels[channel], elements[index].layout, level: level, tables)
        channels[channel].quantize(elements[index].layout, tables)
        spectralBits += channels[channel].divideIntoSections(
          elements[index].layout, &sectioning, tables)
      }
      var counter = BitCounter()
      elements[index].putHeader(into: &counter)
      for channel in elements[index].channels {
        elements[index].putChannelHeader(globalGain: 0, into: &counter)
        channels[channel].putTools(into: &counter)
      }
      bits += counter.bitCount
    }
    return (bits + spectralBits + 7) & ~7
  }
}

extension ChannelFrame {
  /// Chooses codebooks; returns the bits of sections, scalefactors and lines.
  mutating func divideIntoSections(
    _ layout: BandLayout, _ sectioning: inout Sectioning, _ tables: CodeTables
  ) -> Int {
    sectioning.setCosts(
      book, quantized: quantized, offsets: layout.offsets, magnitudes: magnitude,
      bandCount: layout.bandCount, tables: tables)
    var bits = 0
    for group in 0..<layout.groupLengths.count {
      let first = group * layout.bandsPerGroup
      bits += sectioning.choose(
        range: first..<first + layout.bandsPerGroup, isShort: layout.isShort, books: &book)
    }
    ScaleFactors.fillSilentBands(&self, layout)
    var counter = BitCounter()
    ScaleFactors.put(
      &self, layout, globalGain: ScaleFactors.globalGain(&self, layout), into: &counter)
    return bits + counter.bitCount
  }
}
