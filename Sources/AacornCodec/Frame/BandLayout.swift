/// The division of a frame's lines into scalefactor bands, in bitstream order.
///
/// Short windows are grouped and a band's lines interleaved by window (ISO/IEC 14496-3, 4.5.2.3.5).
/// So a band is always one run of lines, and stages after the filter bank ignore the windows:
///
///     long    band 0 | band 1 | …
///     short   group 0: band 0 of its windows, band 1 of its windows, … | group 1: …
struct BandLayout: Sendable {
  /// Whether the frame is eight short windows.
  private(set) var isShort = false
  /// The number of windows in each group; one group of one for a long frame.
  private(set) var groupLengths: [Int] = [1]
  /// The number of coded bands of each group.
  private(set) var bandsPerGroup = 0
  /// The first line of each band, and the end.
  private(set) var offsets: [Int] = []
  /// The number of lines in each band, followed by four zeros.
  ///
  /// The zeros allow processing bands in groups of four.
  private(set) var widths: [Float] = []
  /// The line offsets of the bands inside one window, including the end.
  private(set) var windowOffsets: [Int] = []

  var bandCount: Int { groupLengths.count * bandsPerGroup }
  /// The number of coded lines.
  var lineCount: Int { offsets[bandCount] }

  /// The maximum number of bands in any layout: eight groups of fifteen.
  static let maximumBandCount = 120
  /// The length of lists with one entry per band, with room to process bands in fours.
  static let listCapacity = 128

  init() {
    groupLengths.reserveCapacity(8)
    offsets.reserveCapacity(Self.maximumBandCount + 1)
    widths.reserveCapacity(Self.maximumBandCount + 4)
    windowOffsets.reserveCapacity(64)
  }

  mutating func setLong(windowOffsets: [Int], bandCount: Int) {
    isShort = false
    setGroups(CollectionOfOne(1), windowOffsets, bandCount)
  }

  mutating func setShort(groups: [Int], windowOffsets: [Int], bandCount: Int) {
    isShort = true
    setGroups(groups, windowOffsets, bandCount)
  }

  private mutating func setGroups(
    _ groups: some Collection<Int>, _ windowOffsets: [Int], _ bandCount: Int
  ) {
    groupLengths.removeAll(keepingCapacity: true)
    groupLengths.append(contentsOf: groups)
    bandsPerGroup = bandCount
    self.windowOffsets = windowOffsets
    offsets.removeAll(keepingCapacity: true)
    widths.removeAll(keepingCapacity: true)
    var position = 0
    for length in groupLengths {
      for band in 0..<bandCount {
        let width = (windowOffsets[band + 1] - windowOffsets[band]) * length
        offsets.append(position)
        widths.append(Float(width))
        position += width
      }
    }
    offsets.append(position)
    for _ in 0..<4 { widths.append(0) }
  }

  /// Rearranges short lines from window order (128 per window) into layout order.
  func interleave(_ windows: [Float], into lines: inout [Float]) {
    var position = 0
    var firstWindow = 0
    for length in groupLengths {
      for band in 0..<bandsPerGroup {
        for window in firstWindow..<firstWindow + length {
          for line in windowOffsets[band]..<windowOffsets[band + 1] {
            lines[position] = windows[window * 128 + line]
            position += 1
          }
        }
      }
      firstWindow += length
    }
  }
}
