/// The division of a frame's lines into scalefactor bands, in bitstream order.
///
/// Short windows are grouped and a band's lines interleaved by window (ISO/IEC 14496-3, 4.5.2.3.5).
/// So a band is always one run of lines, and stages after the filter bank ignore the windows:
///
///     long    band 0 | band 1 | …
///     short   group 0: band 0 of its windows, band 1 of its windows, … | group 1: …
struct BandLayout: Sendable {
  /// The windows, their groups, and the number of coded bands of each group.
  private(set) var window = WindowInfo()
  /// The first line of each band, and the end.
  private(set) var offsets: [Int] = []
  /// The number of lines in each band, followed by four zeros.
  ///
  /// The zeros allow processing bands in groups of four.
  private(set) var widths: [Float] = []
  /// The line offsets of the bands inside one window, including the end.
  private(set) var windowOffsets: [Int] = []

  var bandCount: Int { window.bandCount }
  /// The number of coded lines.
  var lineCount: Int { offsets[bandCount] }

  /// Returns the numbers of lines of bands `first` to `first` + 3, zero past the last band.
  @inline(__always)
  func lineCounts(_ first: Int) -> SIMD4<Float> {
    SIMD4(widths[first], widths[first + 1], widths[first + 2], widths[first + 3])
  }

  /// The maximum number of bands in any layout: eight groups of fifteen.
  static let maximumBandCount = 120
  /// The length of lists with one entry per band, with room to process bands in fours.
  static let listCapacity = 128

  init() {
    offsets.reserveCapacity(Self.maximumBandCount + 1)
    widths.reserveCapacity(Self.maximumBandCount + 4)
    windowOffsets.reserveCapacity(64)
  }

  /// Divides the lines of a frame into the bands of `window`.
  ///
  /// `windowOffsets` are the line offsets of the bands inside one window, including the end.
  mutating func setWindow(_ window: WindowInfo, windowOffsets: [Int]) {
    let hasSameBands =
      window.bandsPerGroup == self.window.bandsPerGroup
      && window.groupLengths == self.window.groupLengths && windowOffsets == self.windowOffsets
    self.window = window
    // Consecutive long frames usually have the same bands.
    if hasSameBands { return }
    self.windowOffsets = windowOffsets
    offsets.removeAll(keepingCapacity: true)
    widths.removeAll(keepingCapacity: true)
    var position = 0
    for group in 0..<window.groupCount {
      let length = Int(window.groupLengths[group])
      for band in 0..<window.bandsPerGroup {
        let width = (windowOffsets[band + 1] - windowOffsets[band]) * length
        offsets.append(position)
        widths.append(Float(width))
        position += width
      }
    }
    offsets.append(position)
    for _ in 0..<4 { widths.append(0) }
  }

  /// Rearranges lines from window order into layout order.
  func interleave<Line>(_ windows: [Line], into lines: inout [Line]) {
    var position = 0
    window.forEachBand(windowOffsets) { _, range, _ in
      for line in range {
        lines[position] = windows[line]
        position += 1
      }
    }
  }
}
