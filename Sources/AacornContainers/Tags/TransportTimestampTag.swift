import AacornSoundFiles

/// The ID3 tag with the presentation time of a segment of packed audio (RFC 8216, 3.4).
///
/// Packed audio, such as ADTS frames, has no timestamps. Each segment begins with an ID3v2.4 tag
/// that contains one PRIV frame. The frame holds the time of the first sample on the clock of
/// MPEG-2 transport streams:
///
///     "ID3" 4 0 flags size │ "PRIV" size flags │ owner 0 │ 31 zero bits, 33 bits of time
///
/// Sizes use seven bits per byte, so that no byte looks like the start of a frame (ID3v2.4, 6.2).
public struct TransportTimestampTag: Equatable, Sendable {
  /// The time in ticks of 90 kHz, less than 2³³: it wraps to 0 after 26.5 hours.
  public let ticks: UInt64

  /// The length of the tag in bytes.
  public static var byteCount: Int { headerByteCount + headerByteCount + ownerByteCount + 1 + 8 }

  private static var headerByteCount: Int { 10 }
  private static var ownerByteCount: Int { owner.utf8CodeUnitCount }
  private static var owner: StaticString { "com.apple.streaming.transportStreamTimestamp" }

  /// Creates the tag for a time, modulo 2³³.
  public init(ticks: UInt64) {
    self.ticks = ticks & 0x1_FFFF_FFFF
  }

  /// Creates the tag for the sample at `position`, rounded to the nearest tick.
  public init(position: UInt64, sampleRate: Int) {
    // The limit keeps products within 64 bits; no real rate reaches it.
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
    bytes.append(big: ticks)
    return bytes
  }

  /// Reads the tag at the start of `bytes`; returns nil unless it has exactly this form.
  public init?(parsing bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount else { return nil }
    let time = bytes[(Self.byteCount - 8)..<Self.byteCount].number()
    self.init(ticks: time)
    guard ticks == time, bytes[..<Self.byteCount] == self.bytes[...] else { return nil }
  }

  private static func put(_ count: Int, to bytes: inout [UInt8]) {
    for shift in [21, 14, 7, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift) & 0x7F) }
  }
}
