/// The stages that compute a spectrum and determine the noise that it masks.
extension AACEncoder {
  /// Detects an attack in the next frame and chooses the windows and bands of this frame.
  mutating func chooseWindows(_ index: Int) {
    let channels = elements[index].channels
    var attack = false
    for channel in channels {
      let queue = input.queues[channel]
      detectors[channel].analyze(
        queue.samples, from: queue.head + 1536, isFirst: frameIndex == 0)
      if detectors[channel].next.isAbrupt { attack = true }
    }
    if elements[index].kind == .lowFrequency || !configuration.tools.contains(.blockSwitching) {
      attack = false
    }
    elements[index].switching.advance(attackInNextFrame: attack)
    elements[index].previousShape = elements[index].layout.window.shape
    var window = WindowInfo()
    window.sequence = elements[index].switching.sequence
    window.shape = shape(index)
    chooseBands(index, window)
  }

  /// Returns the shape of the frame's right slope, from the spectrum of the previous frame.
  private func shape(_ index: Int) -> WindowShape {
    let layout = elements[index].layout
    // An LFE has sine windows only (4.5.2.1.3).
    guard settings.searchReach > 0, configuration.tools.contains(.windowShape),
      elements[index].kind != .lowFrequency,
      !elements[index].switching.sequence.hasShortRightSlope, !layout.window.isShort,
      layout.bandCount > 0, !isLeadFrame
    else { return .sine }
    var bits: Float = 0
    for channel in elements[index].channels {
      bits += leakage.bits(channels[channel].psychoacoustics, layout)
    }
    let minBits = LeakageModel.minBitsForWideLobe * Float(elements[index].channels.count)
    return bits > minBits ? .kaiserBesselDerived : .sine
  }

  /// Windows and transforms the channels of an element.
  mutating func transform(_ index: Int) {
    // Reads properties instead of copying the element: a copy would share the layout's storage, and
    // the next change of the layout would copy that storage.
    let window = elements[index].layout.window
    let (sequence, shape) = (window.sequence, window.shape)
    let previousShape = elements[index].previousShape
    for channel in elements[index].channels {
      if sequence == .eightShort {
        mdct.short(
          input.queues[channel].samples, from: input.queues[channel].head,
          left: windowTable.short(previousShape), slope: windowTable.short(shape),
          into: &channels[channel].windows)
        elements[index].layout.interleave(
          channels[channel].windows, into: &channels[channel].lines)
      } else {
        let left =
          sequence == .longStop
          ? windowTable.steep(previousShape) : windowTable.long(previousShape)
        let right =
          sequence == .longStart ? windowTable.steep(shape) : windowTable.long(shape)
        mdct.long(
          input.queues[channel].samples, from: input.queues[channel].head, left: left, right: right,
          into: &channels[channel].lines)
      }
    }
  }

  /// Divides the lines of `window` into bands, and short windows into groups.
  private mutating func chooseBands(_ index: Int, _ window: WindowInfo) {
    var window = window
    if window.isShort {
      var energies = SIMD8<Float>.zero
      for channel in elements[index].channels { energies += detectors[channel].windowEnergies }
      BlockSwitching.divide(&window, energies: energies)
      window.bandsPerGroup = codedBands.shortCount
    } else {
      window.bandsPerGroup = codedBands.longCount
    }
    if elements[index].kind == .lowFrequency {
      // An LFE has at most twelve lines (ISO/IEC 14496-3, 4.5.2.1.3).
      window.bandsPerGroup = min(
        window.bandsPerGroup, ScaleFactorBands.count(below: 12, in: bands.long))
    }
    elements[index].layout.setWindow(
      window, windowOffsets: bands.offsets(isShort: window.isShort))
  }

  /// Estimates the noise that each band masks.
  mutating func analyzeMasking(_ index: Int) {
    let layout = elements[index].layout
    let model = layout.window.isShort ? shortModel : longModel
    for channel in elements[index].channels {
      channels[channel].applyMaskingModel(layout, model, levelExponent: settings.levelExponent)
    }
  }

  /// Chooses temporal noise shaping: one filter for all channels of the element.
  ///
  /// With a shared filter M/S can still join two similar spectra, since filtering and adding
  /// commute.
  mutating func shapeNoise(_ index: Int) {
    let range = elements[index].channels
    for channel in range { channels[channel].noiseShaping.clear() }
    let layout = elements[index].layout
    guard configuration.tools.contains(.noiseShaping), !layout.window.isShort,
      elements[index].kind != .lowFrequency
    else { return }
    var crest: Float = 0
    for channel in range { crest = max(crest, detectors[channel].current.crest) }
    let bands = codedBands.noiseShaping.clamped(to: 0..<layout.bandCount)
    guard crest > NoiseShaping.crestGate, bands.count > 4 else { return }
    for channel in range {
      channels[channel].addAutocorrelation(
        layout, bands, scratch: &noiseShapingScratch, into: &autocorrelation,
        isFirst: channel == range.lowerBound)
    }
    let first = range.lowerBound
    let gain = channels[first].noiseShaping.design(
      autocorrelation: autocorrelation, minimumGain: settings.noiseShapingGain,
      length: self.bands.long.count - 1 - bands.lowerBound, isDownward: isFalling(index, bands))
    guard gain > 0 else { return }
    var saved: Float = 0
    for channel in range {
      if channel > first { channels[channel].noiseShaping.adopt(channels[first].noiseShaping) }
      saved += channels[channel].shapeNoise(layout, bands, gain: gain)
    }
    // The filter is undone if it costs bits: prediction spreads a tone over neighboring lines.
    if saved < 0 {
      for channel in range { channels[channel].restoreLines(layout, bands, gain: gain) }
    }
  }

  /// Returns whether the lower half of `bands` has most of their energy, summed over the channels of
  /// the element.
  private func isFalling(_ index: Int, _ bands: Range<Int>) -> Bool {
    let middle = (bands.lowerBound + bands.upperBound) / 2
    var (low, high): (Float, Float) = (0, 0)
    for channel in elements[index].channels {
      for band in bands.lowerBound..<middle {
        low += channels[channel].psychoacoustics.energy[band]
      }
      for band in middle..<bands.upperBound {
        high += channels[channel].psychoacoustics.energy[band]
      }
    }
    return low >= high
  }

  /// Marks the bands to code as noise of the same energy, because coded lines would be little
  /// better.
  private mutating func substituteNoise(_ index: Int) {
    guard configuration.tools.contains(.noiseSubstitution), settings.usesNoiseSubstitution,
      elements[index].kind != .lowFrequency
    else { return }
    let level = rate.likelyLevel
    for channel in elements[index].channels where !channels[channel].noiseShaping.isActive {
      NoiseSubstitution.mark(
        &channels[channel], elements[index].layout, level: level,
        hertzPerLine: hertzPerLine(index))
    }
  }

  private func hertzPerLine(_ index: Int) -> Float {
    Float(settings.frequency.hertz) / (elements[index].layout.window.isShort ? 256 : 2048)
  }

  /// Chooses the joint coding of a pair and measures the lines that will be coded.
  mutating func joinChannels(_ index: Int) {
    let first = elements[index].channels.lowerBound
    elements[index].midSide.clear(elements[index].layout)
    substituteNoise(index)
    if elements[index].kind == .pair {
      if configuration.tools.contains(.intensity) {
        elements[index].joinIntensity(
          &channels, first, hertzPerLine: hertzPerLine(index), level: rate.likelyLevel,
          isCoarse: usesCoarseIntensity)
      }
      if configuration.tools.contains(.midSide) {
        elements[index].joinMiddleAndSide(&channels, first)
      }
    }
    for channel in elements[index].channels { channels[channel].measure(elements[index].layout) }
  }
}

extension ChannelFrame {
  /// Adds the channel's autocorrelation along frequency, with all bands scaled to the same level.
  func addAutocorrelation(
    _ layout: BandLayout, _ bands: Range<Int>, scratch: inout [Float], into sums: inout [Float],
    isFirst: Bool
  ) {
    if isFirst {
      for lag in sums.indices { sums[lag] = 0 }
    }
    NoiseShaping.addAutocorrelation(
      lines, energy: psychoacoustics.energy, layout: layout, bands: bands, scratch: &scratch,
      into: &sums)
  }

  /// Replaces the lines of `bands` by their prediction errors.
  ///
  /// The decoder's filter amplifies the noise as much as the lines, so less noise is allowed for
  /// the errors. But the noise is then loudest at the loud moments, which mask more of it.
  ///
  /// - Returns: The expected number of saved bits.
  mutating func shapeNoise(_ layout: BandLayout, _ bands: Range<Int>, gain: Float) -> Float {
    let before = expectedBits(layout, bands)
    noiseShaping.filter(
      &lines, range: layout.offsets[bands.lowerBound]..<layout.offsets[bands.upperBound])
    let share = 1 / gain.squareRoot()
    for band in bands { threshold[band] *= share }
    return before - expectedBits(layout, bands)
  }

  /// Restores the lines of `bands` and their thresholds.
  mutating func restoreLines(_ layout: BandLayout, _ bands: Range<Int>, gain: Float) {
    noiseShaping.restore(
      &lines, range: layout.offsets[bands.lowerBound]..<layout.offsets[bands.upperBound])
    let share = gain.squareRoot()
    for band in bands { threshold[band] *= share }
    noiseShaping.clear()
  }

  /// Returns the bits of `bands` if their noise is at the threshold.
  private mutating func expectedBits(_ layout: BandLayout, _ bands: Range<Int>) -> Float {
    statistics.measure(lines, layout, bands: bands)
    var bits: Float = 0
    for band in bands {
      let width = Float(layout.offsets[band + 1] - layout.offsets[band])
      bits += DemandModel.bits(
        energy: statistics.energy[band], rootSum: statistics.rootSum[band], width: width,
        threshold: threshold[band])
    }
    return bits
  }

  mutating func measure(_ layout: BandLayout) {
    statistics.measure(lines, layout, bands: 0..<layout.bandCount)
  }
}

extension Element {
  /// Applies intensity stereo to channels `first` and `first` + 1.
  func joinIntensity(
    _ channels: inout [ChannelFrame], _ first: Int, hertzPerLine: Float, level: Float,
    isCoarse: Bool
  ) {
    precondition(first + 1 < channels.count)
    unsafe channels.withUnsafeMutableBufferPointer { buffer in
      unsafe Intensity.apply(
        &buffer[first], &buffer[first + 1], layout, hertzPerLine: hertzPerLine, level: level,
        isCoarse: isCoarse)
    }
  }

  /// Applies M/S to channels `first` and `first` + 1.
  mutating func joinMiddleAndSide(_ channels: inout [ChannelFrame], _ first: Int) {
    precondition(first + 1 < channels.count)
    unsafe channels.withUnsafeMutableBufferPointer { buffer in
      unsafe midSide.apply(&buffer[first], &buffer[first + 1], layout)
    }
  }
}
