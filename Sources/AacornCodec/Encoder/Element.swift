/// A syntactic element of the frame: one channel, or a pair of channels.
struct Element: SegmentStage {
  let kind: ElementKind
  let tag: Int
  /// The indices of its channels in the encoder's channels.
  let channels: Range<Int>
  /// The windows of each channel.
  var windows: [Windows]
  /// Whether the channels of the element have the same windows in the frame.
  var sharesWindows = true
  var midSide = MidSide()

  /// The windows of a channel.
  struct Windows: Sendable {
    /// The bands of the frame.
    var layout = BandLayout()
    var switching = BlockSwitching()
    /// The shape of the previous frame's right slope.
    var previousShape = WindowShape.sine
  }

  /// The windows' look-back, and one frame for the shape, which depends on the previous spectrum.
  ///
  /// In the last frames of a segment, which the next segment analyzes again, the shape is always a
  /// sine.
  static var lookBack: Int { BlockSwitching.lookBack + 1 }

  /// Keeps windows and shape, which must match the previous frame.
  mutating func begin(atFrame index: Int) {
    for channel in windows.indices { windows[channel].switching.begin(atFrame: index) }
  }

  init(kind: ElementKind, tag: Int, channels: Range<Int>) {
    self.kind = kind
    self.tag = tag
    self.channels = channels
    windows = [Windows](repeating: Windows(), count: channels.count)
  }

  /// Returns the bands of a channel, given its index in the encoder's channels.
  func layout(_ channel: Int) -> BandLayout {
    windows[channel - channels.lowerBound].layout
  }

  /// The channels in groups of the same windows: all, or each.
  var groups: StrideTo<Int> {
    stride(from: channels.lowerBound, to: channels.upperBound, by: groupLength)
  }
  /// The number of channels in each of `groups`.
  var groupLength: Int { sharesWindows ? channels.count : 1 }
}

/// The element's properties as written to the frame.
extension Element {
  /// Returns the windows written with a channel; nil if the pair writes them once for both.
  func streamWindow(_ channel: Int) -> WindowInfo? {
    kind == .pair && sharesWindows ? nil : layout(channel).window
  }

  var midSideMask: MidSideMask {
    switch midSide.bandCount {
    case 0: .none
    case windows[0].layout.bandCount: .all
    default: .perBand
    }
  }
}
