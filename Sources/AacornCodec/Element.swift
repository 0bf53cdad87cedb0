/// A syntactic element of the frame: one channel, or two that are coded together.
struct Element: SegmentStage {
  let kind: ElementKind
  let tag: Int
  /// Its channels, as indices into the encoder's channels.
  let channels: Range<Int>
  /// The bands of the frame, shared by both channels of a pair.
  var layout = BandLayout()
  var switching = BlockSwitching()
  var midSide = MidSideStereo()
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
