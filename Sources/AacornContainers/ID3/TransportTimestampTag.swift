/// The ID3 tag that says when a segment of packed audio is played (RFC 8216, 3.4).
///
/// Packed audio, such as ADTS frames, has no timestamps of its own. Each segment begins with an
/// ID3v2.4 tag that holds one PRIV frame with the time of the first sample, on the MPEG-2 transport
/// stream clock:
///
///     "ID3" 4 0 flags size │ "PRIV" size flags │ owner 0 │ 31 zero bits, 33 bits of time
///
/// Sizes use seven bits per byte, so that none looks like the start of a frame (ID3v2.4, 6.2).
public struct TransportTimestampTag: Equatable, Sendable {
  /// Ticks at 90 kHz, less than 2³³: they wrap to 0 after 26.5 hours.
  public let ticks: UInt64

  /// The length of the tag.
  public static var byteCount: Int { headerByteCount + headerByteCount + ownerByteCount + 1 + 8 }

  private static var headerByteCount: Int { 10 }
  private static var ownerByteCount: Int { owner.utf8CodeUnitCount }
  private static var owner: StaticString { "com.apple.streaming.transportStreamTimestamp" }

  /// The tag for a time, which is taken modulo 2³³.
  public init(ticks: UInt64) {
    self.ticks = ticks & 0x1_FFFF_FFFF
  }

  /// The tag for the sample at `position`, to the nearest tick.
  public init(position: UInt64, sampleRate: Int) {
    // Below any rate that this makes a difference to, products fit in 64 bits.
    let rate = UInt64(min(max(1, sampleRate), 1 << 30))
    let (seconds, rest) = position.quotientAndRemainder(dividingBy: rate)
    self.init(ticks: seconds &* 90_000 &+ (rest * 90_000 + rate / 2) / rate)
  }

  /// The encoded tag.
  public var bytes: [UInt8] {
    let contentCount = Self.ownerByteCount + 1 + 8
    // Version 2.4.0, no flags.
    var bytes: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0]
    Self.put(Self.headerByteCount + contentCount, to: &bytes)
    bytes += [0x50, 0x52, 0x49, 0x56]
    Self.put(contentCount, to: &bytes)
    bytes += [0, 0]
    Self.owner.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(0)
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: ticks >> shift))
    }
    return bytes
  }

  /// Reads the tag at the start of `bytes`; nil unless it is exactly such a tag.
  public init?(parsing bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount else { return nil }
    var time: UInt64 = 0
    for byte in bytes[(Self.byteCount - 8)..<Self.byteCount] { time = time << 8 | UInt64(byte) }
    self.init(ticks: time)
    guard ticks == time, bytes[..<Self.byteCount] == self.bytes[...] else { return nil }
  }

  private static func put(_ count: Int, to bytes: inout [UInt8]) {
    for shift in [21, 14, 7, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift) & 0x7F) }
  }
}
