/// A syntactic element of the frame: one channel, or two channels coded together.
struct Element: SegmentStage {
  let kind: ElementKind
  let tag: Int
  /// The indices of its channels in the encoder's channels.
  let channels: Range<Int>
  /// The bands of the frame, shared by both channels of a pair.
  var layout = BandLayout()
  var switching = BlockSwitching()
  var midSide = MidSide()
  /// The shape of the previous frame's right slope.
  var previousShape = WindowShape.sine

  /// The windows' look-back, and one frame for the shape, which depends on the previous spectrum.
  ///
  /// In the last frames of a segment, which the next segment analyzes again, the shape is always a
  /// sine.
  static var lookBack: Int { BlockSwitching.lookBack + 1 }

  /// Keeps windows and shape, which must match the previous frame.
  mutating func begin(atFrame index: Int) { switching.begin(atFrame: index) }

  init(kind: ElementKind, tag: Int, channels: Range<Int>) {
    self.kind = kind
    self.tag = tag
    self.channels = channels
  }
}

/// The element's properties as written to the frame.
extension Element {
  /// The windows written with each channel; nil in a pair, which writes them once for both
  /// channels.
  var streamWindow: WindowInfo? { kind == .pair ? nil : layout.window }

  var midSideMask: MidSideMask {
    switch midSide.bandCount {
    case 0: .none
    case layout.bandCount: .all
    default: .perBand
    }
  }
}
