/// The stages that compute a spectrum and determine the noise that it masks.
extension AACEncoder {
  /// Detects attacks in the next frame and chooses the windows and bands of this frame.
  mutating func chooseWindows(_ index: Int) {
    let range = elements[index].channels
    for channel in range {
      detectors[channel].analyze(
        input.queues[channel].samples, from: input.queues[channel].head + 1536,
        isFirst: frameIndex == 0)
    }
    let canSwitch =
      elements[index].kind != .lowFrequency && configuration.tools.contains(.blockSwitching)
    let isShared = !canSwitch || attackIsShared(range)
    let hasAttack = range.contains { detectors[$0].next.isAbrupt }
    for (own, channel) in range.enumerated() {
      let attack = isShared ? hasAttack : detectors[channel].next.isAbrupt
      elements[index].windows[own].switching.advance(attackInNextFrame: canSwitch && attack)
    }
    let sequence = elements[index].windows[0].switching.sequence
    elements[index].sharesWindows =
      elements[index].windows.allSatisfy { $0.switching.sequence == sequence }
    for first in elements[index].groups {
      chooseBands(index, first..<first + elements[index].groupLength)
    }
  }

  /// Returns whether an attack in one channel of a pair gives short windows to both.
  ///
  /// If the channels have little in common, or if the attack is much louder than their common sound,
  /// joint coding saves little. Short windows would then only cost the other channel bits.
  private func attackIsShared(_ channels: Range<Int>) -> Bool {
    let (first, last) = (channels.lowerBound, channels.upperBound - 1)
    guard detectors[first].next.isAbrupt != detectors[last].next.isAbrupt else { return true }
    let start = input.queues[first].head + 1536
    let sums = PairSums.total(
      input.queues[first].samples, input.queues[last].samples, in: start..<start + 1024)
    return sums.cross * sums.cross > Self.minSharedCoherence * sums.left * sums.right
  }

  /// The minimum squared correlation of a pair that shares windows although one channel has an
  /// attack.
  private static let minSharedCoherence: Float = 0.1

  /// Transforms the channels of an element and estimates the noise that each band masks.
  mutating func analyzeSpectra(_ index: Int) {
    for first in elements[index].groups {
      // One copy for all stages, because each copy counts three references. It ends before the next
      // change of the layout, which would copy the storage.
      let layout = elements[index].layout(first)
      for channel in first..<first + elements[index].groupLength {
        let own = channel - elements[index].channels.lowerBound
        transform(
          channel, layout: layout, previousShape: elements[index].windows[own].previousShape)
        elements[index].windows[own].previousShape = layout.window.shape
        channels[channel].applyMaskingModel(
          layout, layout.window.isShort ? shortModel : longModel,
          levelExponent: settings.levelExponent)
      }
    }
  }

  /// Chooses noise shaping, noise substitution and joint coding, and measures the lines that will
  /// be coded.
  mutating func chooseTools(_ index: Int) {
    elements[index].midSide.clear(elements[index].windows[0].layout)
    for first in elements[index].groups {
      let layout = elements[index].layout(first)
      let range = first..<first + elements[index].groupLength
      shapeNoise(of: index, range: range, layout: layout)
      substituteNoise(of: index, range: range, layout: layout)
      if elements[index].kind == .pair && range.count == 2 { joinPair(index, layout) }
      for channel in range { channels[channel].measure(layout) }
    }
  }

  /// Returns the shape of the frame's right slope, from the previous spectra of some channels.
  private func shape(of index: Int, range: Range<Int>, sequence: WindowSequence) -> WindowShape {
    // An LFE has sine windows only (4.5.2.1.3).
    guard settings.searchReach > 0, configuration.tools.contains(.windowShape),
      elements[index].kind != .lowFrequency, !sequence.hasShortRightSlope, !isLeadFrame
    else { return .sine }
    var bits: Float = 0
    for channel in range {
      let layout = elements[index].layout(channel)
      if layout.window.isShort || layout.bandCount == 0 { return .sine }
      bits += leakage.bits(channels[channel].psychoacoustics, layout)
    }
    return bits > LeakageModel.minBitsForWideLobe * Float(range.count)
      ? .kaiserBesselDerived : .sine
  }

  /// Windows and transforms a channel.
  private mutating func transform(
    _ channel: Int, layout: BandLayout, previousShape: WindowShape
  ) {
    let (sequence, shape) = (layout.window.sequence, layout.window.shape)
    if sequence == .eightShort {
      mdct.short(
        input.queues[channel].samples, from: input.queues[channel].head,
        left: windowTable.short(previousShape), slope: windowTable.short(shape),
        into: &channels[channel].windows)
      layout.interleave(channels[channel].windows, into: &channels[channel].lines)
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

  /// Chooses the shape of the windows of some channels, and divides their lines into bands and
  /// short windows into groups.
  private mutating func chooseBands(_ index: Int, _ range: Range<Int>) {
    let own = range.lowerBound - elements[index].channels.lowerBound
    var window = WindowInfo()
    window.sequence = elements[index].windows[own].switching.sequence
    window.shape = shape(of: index, range: range, sequence: window.sequence)
    if window.isShort {
      var energies = SIMD8<Float>.zero
      for channel in range { energies += detectors[channel].windowEnergies }
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
    for own in own..<own + range.count {
      elements[index].windows[own].layout.setWindow(
        window, windowOffsets: bands.offsets(isShort: window.isShort))
    }
  }

  /// Chooses temporal noise shaping: one filter for all channels with the same windows.
  ///
  /// With a shared filter M/S can still join two similar spectra, since filtering and adding
  /// commute.
  private mutating func shapeNoise(of index: Int, range: Range<Int>, layout: BandLayout) {
    for channel in range { channels[channel].noiseShaping.clear() }
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
      length: self.bands.long.count - 1 - bands.lowerBound, isDownward: isFalling(range, bands))
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

  /// Returns whether the lower half of `bands` has most of their energy, summed over some channels.
  private func isFalling(_ range: Range<Int>, _ bands: Range<Int>) -> Bool {
    let middle = (bands.lowerBound + bands.upperBound) / 2
    var (low, high): (Float, Float) = (0, 0)
    for channel in range {
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
  private mutating func substituteNoise(of index: Int, range: Range<Int>, layout: BandLayout) {
    guard configuration.tools.contains(.noiseSubstitution), settings.usesNoiseSubstitution,
      elements[index].kind != .lowFrequency
    else { return }
    let level = rate.likelyLevel
    for channel in range where !channels[channel].noiseShaping.isActive {
      NoiseSubstitution.mark(
        &channels[channel], layout, level: level, hertzPerLine: hertzPerLine(layout.window))
    }
  }

  private func hertzPerLine(_ window: WindowInfo) -> Float {
    Float(settings.frequency.hertz) / (window.isShort ? 256 : 2048)
  }

  /// Chooses the bands of a pair that share a direction, and those coded as M and S.
  private mutating func joinPair(_ index: Int, _ layout: BandLayout) {
    let first = elements[index].channels.lowerBound
    pairSums.measure(channels[first].lines, channels[first + 1].lines, layout: layout)
    if configuration.tools.contains(.intensity) {
      let level = rate.likelyLevel
      let hertzPerLine = hertzPerLine(layout.window)
      channels.withPair(first) { left, right in
        Intensity.apply(
          &left, &right, layout: layout, sums: pairSums, hertzPerLine: hertzPerLine, level: level,
          isCoarse: usesCoarseIntensity)
      }
    }
    if configuration.tools.contains(.midSide) {
      channels.withPair(first) { left, right in
        elements[index].midSide.apply(&left, &right, layout: layout, sums: pairSums)
      }
    }
  }
}

extension [ChannelFrame] {
  /// Calls `body` with channels `first` and `first` + 1.
  @inline(__always)
  fileprivate mutating func withPair(
    _ first: Int, _ body: (inout ChannelFrame, inout ChannelFrame) -> Void
  ) {
    precondition(first + 1 < count)
    unsafe withUnsafeMutableBufferPointer { channels in
      unsafe body(&channels[first], &channels[first + 1])
    }
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
