/// The chain of scalefactors as coded: differences between neighboring coded bands (ISO/IEC
/// 14496-3, 4.6.2.3).
///
/// Three chains run through one list: scalefactors, noise energies, intensity positions.
enum ScaleFactors {
  /// Raises scalefactors until no step between coded bands exceeds 60.
  ///
  /// Raising makes a band coarser, which is always legal; lowering could overflow the quantizer. A
  /// band that becomes silent leaves the chain; its neighbors then meet and are checked again.
  static func limitDifferences(
    _ frame: inout ChannelFrame, _ layout: BandLayout, _ tables: CodeTables
  ) {
    var isSettled = areClose(&frame, layout)
    while !isSettled {
      raise(&frame, layout)
      isSettled = true
      for band in 0..<layout.bandCount where frame.hasScaleFactor(band) {
        let step = tables.quantizerSteps[Int(frame.scaleFactor[band])]
        if Quantizer.magnitude(frame.statistics.peak[band], step) == 0 {
          frame.book[band] = Codebook.zero
          isSettled = false
        }
      }
    }
  }

  /// Whether no step exceeds the limit, as in nearly every frame.
  private static func areClose(_ frame: inout ChannelFrame, _ layout: BandLayout) -> Bool {
    var (lowest, highest): (Int32, Int32) = (255, 0)
    for band in 0..<layout.bandCount where frame.hasScaleFactor(band) {
      lowest = min(lowest, frame.scaleFactor[band])
      highest = max(highest, frame.scaleFactor[band])
    }
    return highest - lowest <= Int32(ScaleFactorCoder.largestDifference)
  }

  private static func raise(_ frame: inout ChannelFrame, _ layout: BandLayout) {
    let limit = Int32(ScaleFactorCoder.largestDifference)
    var previous: Int32?
    for band in 0..<layout.bandCount where frame.hasScaleFactor(band) {
      if let last = previous {
        frame.scaleFactor[band] = max(frame.scaleFactor[band], last - limit)
      }
      previous = frame.scaleFactor[band]
    }
    previous = nil
    for band in stride(from: layout.bandCount - 1, through: 0, by: -1)
    where frame.hasScaleFactor(band) {
      if let last = previous {
        frame.scaleFactor[band] = max(frame.scaleFactor[band], last - limit)
      }
      previous = frame.scaleFactor[band]
    }
  }

  /// Gives silent bands inside a section their neighbor's scalefactor, which is the cheapest to
  /// send.
  static func fillSilentBands(_ frame: inout ChannelFrame, _ layout: BandLayout) {
    var previous = globalGain(&frame, layout)
    for band in 0..<layout.bandCount where frame.hasScaleFactor(band) {
      if frame.magnitude[band] == 0 {
        frame.scaleFactor[band] = previous
      } else {
        previous = frame.scaleFactor[band]
      }
    }
  }

  /// The first scalefactor of a band with lines, which starts the chain.
  static func globalGain(_ frame: inout ChannelFrame, _ layout: BandLayout) -> Int32 {
    for band in 0..<layout.bandCount
    where frame.hasScaleFactor(band) && frame.magnitude[band] > 0 {
      return frame.scaleFactor[band]
    }
    return 100
  }

  /// Puts scale_factor_data (4.4.2.7) into a writer or counter.
  static func put(
    _ frame: inout ChannelFrame, _ layout: BandLayout, globalGain: Int32,
    into sink: inout some BitSink
  ) {
    var factor = globalGain
    var position: Int32 = 0
    var energy = globalGain - 90
    var isFirstNoise = true
    for band in 0..<layout.bandCount {
      let value = frame.scaleFactor[band]
      switch frame.book[band] {
      case Codebook.zero: continue
      case Codebook.noise:
        if isFirstNoise {
          sink.put(UInt32(truncatingIfNeeded: value - energy + 256) & 0x1FF, count: 9)
          isFirstNoise = false
        } else {
          ScaleFactorCoder.write(Int(value - energy), to: &sink)
        }
        energy = value
      case Codebook.intensityInPhase, Codebook.intensityOutOfPhase:
        ScaleFactorCoder.write(Int(value - position), to: &sink)
        position = value
      default:
        ScaleFactorCoder.write(Int(value - factor), to: &sink)
        factor = value
      }
    }
  }
}

extension ChannelFrame {
  /// Whether a band is part of the actual scalefactor chain.
  @inline(__always)
  func hasScaleFactor(_ band: Int) -> Bool {
    book[band] != Codebook.zero && book[band] <= Codebook.escape
  }
}
