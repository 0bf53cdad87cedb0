/// ics_info: the windows of a channel, their grouping, and the number of bands.
///
/// ISO/IEC 14496-3, table 4.6.
@frozen
public struct WindowInfo: Equatable, Sendable {
  /// The sequence of windows.
  public var sequence: WindowSequence = .onlyLong
  /// The shape of the right half.
  public var shape: WindowShape = .sine
  /// The number of bands sent in each group (max_sfb).
  public var bandsPerGroup = 0
  /// The number of window groups; 1 for a long window.
  public var groupCount = 1
  /// The number of windows in each group.
  public var groupLengths: SIMD8<UInt8> = SIMD8(1, 0, 0, 0, 0, 0, 0, 0)
  /// Whether the reserved bit, which must be zero, is set.
  public var hasReservedBit = false
  /// Prediction from earlier lines, only with object type Main.
  public var backwardPrediction: BackwardPrediction?
  /// Prediction from earlier samples, only with object type LTP.
  public var longTermPrediction: LongTermPrediction?

  /// Creates one long window without bands.
  public init() {}

  /// Whether the frame has eight short windows.
  public var isShort: Bool { sequence == .eightShort }

  /// The number of bands that are sent, in all groups.
  var bandCount: Int { groupCount * bandsPerGroup }
}

extension WindowInfo {
  /// Calls `body` for each band that is sent.
  ///
  /// The arguments are the index of the band, its number inside a window, and the windows that
  /// share it.
  @inline(__always)
  func forEachBand(_ body: (_ band: Int, _ number: Int, _ windows: Range<Int>) -> Void) {
    var index = 0
    var first = 0
    for group in 0..<groupCount {
      let end = first &+ Int(groupLengths[group])
      for number in 0..<bandsPerGroup {
        body(index, number, first..<end)
        index &+= 1
      }
      first = end
    }
  }

  /// Calls `body` for each band that is sent and each window.
  ///
  /// The arguments are the index of the band, its lines and the window. `offsets` are the line
  /// offsets of the bands inside a window, including the end.
  @inline(__always)
  func forEachBand(
    _ offsets: [Int], _ body: (_ band: Int, _ lines: Range<Int>, _ window: Int) -> Void
  ) {
    let windowLength = offsets[offsets.count - 1]
    forEachBand { band, number, windows in
      for window in windows {
        let origin = window &* windowLength
        body(band, origin &+ offsets[number]..<origin &+ offsets[number + 1], window)
      }
    }
  }
}

/// The slope of a window's second half (ISO/IEC 14496-3, 4.6.11.3.2).
public enum WindowShape: UInt8, Equatable, Sendable {
  /// Half a sine.
  case sine = 0
  /// Kaiser–Bessel derived.
  case kaiserBesselDerived = 1
}

/// The windows of a frame's transform (ISO/IEC 14496-3, table 4.109).
public enum WindowSequence: UInt8, Equatable, Sendable {
  /// One long window.
  case onlyLong = 0
  /// One long window that ends in a short slope.
  case longStart = 1
  /// Eight short windows.
  case eightShort = 2
  /// One long window that begins with a short slope.
  case longStop = 3

  /// Whether the frame's right slope is short.
  public var hasShortRightSlope: Bool { self == .longStart || self == .eightShort }

  /// Whether the frame's left slope is short.
  public var hasShortLeftSlope: Bool { self == .longStop || self == .eightShort }

  /// Returns whether the slope at this sequence's end matches the slope at the start of `next`.
  ///
  /// Both must be long or both short, so that aliasing cancels. Decoders overlap and add all
  /// windows the same way, matching or not (4.6.11.3.3).
  public func mayPrecede(_ next: WindowSequence) -> Bool {
    hasShortRightSlope == next.hasShortLeftSlope
  }
}
