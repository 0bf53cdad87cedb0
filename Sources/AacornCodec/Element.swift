/// A syntactic element of the frame: one channel, or two that are coded together.
struct Element: Sendable {
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

  init(kind: ElementKind, tag: Int, channels: Range<Int>) {
    self.kind = kind
    self.tag = tag
    self.channels = channels
  }
}
