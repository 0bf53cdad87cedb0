import AacornSignal

/// Adds coupling channels to their target channels (ISO/IEC 14496-3, 4.6.8.3).
enum Coupling {
  /// Calls `body` for each channel to which a coupling channel is added.
  ///
  /// The arguments are the target, whether the channel is the second of the element, and the index
  /// of the list of gains.
  static func forEachTarget(
    _ coupling: ParsedCoupling, _ body: (ParsedCoupling.Target, _ second: Bool, _ list: Int) -> Void
  ) {
    var list = 0
    for target in coupling.targets {
      guard target.isPair else {
        body(target, false, list)
        list += 1
        continue
      }
      // With neither flag, both channels share one list of gains.
      let sharesList = !target.usesLeft && !target.usesRight
      if target.usesLeft || sharesList { body(target, false, list) }
      if target.usesLeft && target.usesRight { list += 1 }
      if target.usesRight || sharesList { body(target, true, list) }
      list += 1
    }
  }

  /// Returns the factor of one value in a list.
  static func gain(_ coupling: ParsedCoupling, list: Int, band: Int, bandCount: Int) -> Float {
    guard list < coupling.isCommon.count, list * bandCount + band < coupling.gains.count else {
      return 0
    }
    var steps = Int(coupling.gains[list * bandCount + band])
    var isNegative = false
    if coupling.hasSigns && !coupling.isCommon[list] {
      isNegative = steps & 1 != 0
      steps >>= 1
    }
    // The step is 2^(2^scale / 8); gains beyond the clamped range have no useful effect.
    let exponent = min(max(Double(-steps << coupling.scale) / 8, -60), 15)
    let gain = Float(ElementaryFunctions.preciseExp2(exponent))
    return isNegative ? -gain : gain
  }

  /// Adds a coupling channel's lines.
  static func addLines(
    _ coupling: ParsedCoupling, list: Int, of source: ParsedChannel, offsets: [Int],
    _ lines: [Float], to target: inout [Float]
  ) {
    source.window.forEachBand(offsets) { band, range, _ in
      guard source.codebooks[band] != Codebook.zero else { return }
      let gain = gain(coupling, list: list, band: band, bandCount: source.codebooks.count)
      for line in range { target[line] += lines[line] * gain }
    }
  }

  /// Adds an independent coupling channel's samples.
  static func addSamples(
    _ coupling: ParsedCoupling, list: Int, _ samples: [Float], to target: inout [Float]
  ) {
    let bandCount = max(1, coupling.gains.count / max(1, coupling.isCommon.count))
    let gain =
      coupling.gains.isEmpty
      ? 1 : gain(coupling, list: list, band: 0, bandCount: bandCount)
    for n in 0..<min(samples.count, target.count) { target[n] += samples[n] * gain }
  }
}
