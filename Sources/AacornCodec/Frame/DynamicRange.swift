import AacornSignal

/// The dynamic range control of a frame: dynamic_range_info (ISO/IEC 14496-3, table 4.59).
///
/// Its gains even out loud and soft passages (4.5.2.7).
public struct DynamicRange: Equatable, Sendable {
  /// A range of lines with one gain.
  @frozen
  public struct Band: Equatable, Sendable {
    /// One past the last line of a long window.
    public var end: Int
    /// The gain in quarters of a decibel, negative to attenuate.
    public var gain: Int
  }

  /// The bands in ascending order; at least one.
  public var bands: [Band] = []
  /// A bit for each channel without gains, the lowest for the first channel of the frame.
  public var excludedChannels: UInt64 = 0
  /// The level of dialog in quarters of a decibel below full scale, if the stream contains it.
  public var referenceLevel: Int?

  init() {}

  /// Reads dynamic_range_info after the kind of the extension, reusing the storage.
  mutating func read(_ bits: inout BitReader) {
    bands.removeAll(keepingCapacity: true)
    excludedChannels = 0
    referenceLevel = nil
    if bits.readFlag() { bits.skip(8) }
    if bits.readFlag() {
      var channel = 0
      var hasMore = true
      while hasMore && !bits.isOverrun {
        for _ in 0..<7 {
          if bits.readFlag() && channel < 64 { excludedChannels |= 1 << UInt64(channel) }
          channel += 1
        }
        hasMore = bits.readFlag()
      }
    }
    if bits.readFlag() {
      let count = 1 + bits.readInt(4)
      bits.skip(4)
      for _ in 0..<count { bands.append(Band(end: 4 * (bits.readInt(8) + 1), gain: 0)) }
    } else {
      bands.append(Band(end: .max, gain: 0))
    }
    if bits.readFlag() {
      referenceLevel = bits.readInt(7)
      bits.skip(1)
    }
    for index in 0..<bands.count {
      let isAttenuated = bits.readFlag()
      let steps = bits.readInt(7)
      bands[index].gain = isAttenuated ? -steps : steps
    }
  }

  func apply(channel: Int, isShort: Bool, to lines: inout [Float]) {
    if channel < 64 && excludedChannels >> UInt64(channel) & 1 != 0 { return }
    let windowCount = isShort ? 8 : 1
    let windowLength = lines.count / windowCount
    for window in 0..<windowCount {
      var start = 0
      for band in bands {
        // Lines of short windows are eight times wider.
        let end = min(max(start, isShort ? band.end / 8 : band.end), windowLength)
        // 24 steps are a factor of two.
        let factor = Float(ElementaryFunctions.preciseExp2(Double(band.gain) / 24))
        for line in start..<end { lines[window * windowLength + line] *= factor }
        start = end
      }
    }
  }
}
