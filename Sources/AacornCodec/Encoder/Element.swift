/// A syntactic element of the frame: one channel, or two that are coded together.
struct Element: SegmentStage {
  let kind: ElementKind
  let tag: Int
  /// Its channels, as indices into the encoder's channels.
  let channels: Range<Int>
  /// The bands of the frame, shared by both channels of a pair.
  var layout = BandLayout()
  var switching = BlockSwitching()
  var midSide = MidSide()
  /// The shape of the frame's right slope, and that of the previous frame.
  var shape = WindowShape.sine
  var previousShape = WindowShape.sine

  var sequence: WindowSequence { switching.sequence }

  /// Those of the windows, and one for the shape: it follows from the spectrum of the frame before,
  /// and in the last frames of a segment it is the same for all.
  static var lookBack: Int { BlockSwitching.lookBack + 1 }

  /// Keeps windows and shape, which must match those of the frame before.
  mutating func begin(atFrame index: Int) { switching.begin(atFrame: index) }

  init(kind: ElementKind, tag: Int, channels: Range<Int>) {
    self.kind = kind
    self.tag = tag
    self.channels = channels
  }
}

/// The element as a frame has it.
extension Element {
  /// The windows, their grouping, and the number of bands.
  var windowInfo: WindowInfo {
    var window = WindowInfo()
    window.sequence = sequence
    window.shape = shape
    window.bandsPerGroup = layout.bandsPerGroup
    window.groupCount = layout.groupLengths.count
    for group in 0..<layout.groupLengths.count {
      window.groupLengths[group] = UInt8(truncatingIfNeeded: layout.groupLengths[group])
    }
    return window
  }

  /// The windows that each stream begins with; nil in a pair, which has them before both.
  var streamWindow: WindowInfo? { kind == .pair ? nil : windowInfo }

  /// Which bands are coded as mid and side.
  var midSideMask: MidSideMask {
    switch midSide.bandCount {
    case 0: .none
    case layout.bandCount: .all
    default: .perBand
    }
  }
}
