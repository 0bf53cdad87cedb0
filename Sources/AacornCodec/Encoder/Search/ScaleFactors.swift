/// Adjusts a channel's scalefactors so that they can be sent as a `ScaleFactorChain`.
enum ScaleFactors {
  /// Raises scalefactors until no step between coded bands exceeds 60.
  ///
  /// Raising makes a band coarser, which is always legal; lowering could overflow the quantizer. A
  /// band that becomes silent leaves the chain; its neighbors are then adjacent and checked again.
  static func limitDifferences(
    _ frame: inout ChannelFrame, _ layout: BandLayout, with tables: CodeTables
  ) {
    var isSettled = hasOnlyEncodableDifferences(&frame, layout)
    while !isSettled {
      raise(&frame, layout)
      isSettled = true
      for band in 0..<layout.bandCount where frame.hasScaleFactor(band) {
        let step = tables.quantizerSteps[Int(frame.scaleFactors[band])]
        if Quantizer.magnitude(frame.statistics.peak[band], step) == 0 {
          frame.codebooks[band] = Codebook.zero
          isSettled = false
        }
      }
    }
  }

  /// Returns whether no step exceeds the limit, as in nearly every frame.
  private static func hasOnlyEncodableDifferences(
    _ frame: inout ChannelFrame, _ layout: BandLayout
  ) -> Bool {
    var (lowest, highest): (Int32, Int32) = (255, 0)
    for band in 0..<layout.bandCount where frame.hasScaleFactor(band) {
      lowest = min(lowest, frame.scaleFactors[band])
      highest = max(highest, frame.scaleFactors[band])
    }
    return highest - lowest <= Int32(ScaleFactorBook.largestDifference)
  }

  private static func raise(_ frame: inout ChannelFrame, _ layout: BandLayout) {
    let limit = Int32(ScaleFactorBook.largestDifference)
    var previous: Int32?
    for band in 0..<layout.bandCount where frame.hasScaleFactor(band) {
      if let last = previous {
        frame.scaleFactors[band] = max(frame.scaleFactors[band], last - limit)
      }
      previous = frame.scaleFactors[band]
    }
    previous = nil
    for band in stride(from: layout.bandCount - 1, through: 0, by: -1)
    where frame.hasScaleFactor(band) {
      if let last = previous {
        frame.scaleFactors[band] = max(frame.scaleFactors[band], last - limit)
      }
      previous = frame.scaleFactors[band]
    }
  }

  /// Sets silent bands inside a section to their neighbor's scalefactor, the cheapest to send.
  static func fillSilentBands(_ frame: inout ChannelFrame, _ layout: BandLayout) {
    var previous = globalGain(&frame, layout)
    for band in 0..<layout.bandCount where frame.hasScaleFactor(band) {
      if frame.magnitude[band] == 0 {
        frame.scaleFactors[band] = previous
      } else {
        previous = frame.scaleFactors[band]
      }
    }
  }

  /// Returns the first scalefactor of a band with lines, which starts the chain.
  static func globalGain(_ frame: inout ChannelFrame, _ layout: BandLayout) -> Int32 {
    for band in 0..<layout.bandCount
    where frame.hasScaleFactor(band) && frame.magnitude[band] > 0 {
      return frame.scaleFactors[band]
    }
    return 100
  }
}

extension ChannelFrame {
  /// Returns whether a band has a scalefactor, rather than a noise energy or an intensity position.
  @inline(__always)
  func hasScaleFactor(_ band: Int) -> Bool { Codebook.hasCodewords(codebooks[band]) }
}
