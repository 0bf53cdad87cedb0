/// A playlist of HTTP live streaming (RFC 8216): of variants of a sound, or of its segments.
struct HLSPlaylist: Equatable {
  /// A playlist of the same sound at some bitrate.
  struct Variant: Equatable {
    /// Bits per second.
    var bandwidth: Int
    var location: String
  }

  /// A place on the web, or a part of what is there.
  struct Place: Equatable {
    var location: String
    var range: Range<Int>?
  }

  /// A piece of the sound.
  struct Segment: Equatable {
    var place: Place
    /// What must come before it, and before those that follow with the same one.
    var beginning: Place?
  }

  private(set) var variants: [Variant] = []
  private(set) var segments: [Segment] = []
  /// The number of the first segment.
  private(set) var firstNumber = 0
  /// The longest segment, in whole seconds.
  private(set) var targetSeconds = 6
  /// Whether no segments will be added.
  private(set) var isComplete = false
  /// Whether segments are encrypted.
  private(set) var isEncrypted = false
  /// Whether it has tags of HLS, and is not a mere list of addresses.
  private(set) var hasTags = false

  /// The most lines of what is not read on.
  private static let lineLimit = 200_000
  /// Beyond any place in a file, and any number of a segment.
  private static let numberLimit = 1 << 40

  /// Reads a playlist; nil if it is none.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(maxSplits: Self.lineLimit, whereSeparator: \.isNewline)
    guard let first = lines.first, first.hasSuffix("#EXTM3U") || first.hasPrefix("#EXTM3U")
    else { return nil }
    var bandwidth: Int?
    var range: Range<Int>?
    /// Where a range without an offset begins: behind the one before.
    var rangeEnd = 0
    var beginning: Place?
    for line in lines.dropFirst() {
      if line.hasPrefix("#EXT-X-") { hasTags = true }
      if !line.hasPrefix("#") {
        let location = String(line)
        if location.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
        if let value = bandwidth {
          variants.append(Variant(bandwidth: value, location: location))
        } else {
          segments.append(
            Segment(place: Place(location: location, range: range), beginning: beginning))
        }
        bandwidth = nil
        range = nil
      } else if let list = Self.value(of: "#EXT-X-STREAM-INF:", in: line) {
        bandwidth = Self.number(Self.attribute("BANDWIDTH", in: list)) ?? 0
      } else if let list = Self.value(of: "#EXT-X-MAP:", in: line) {
        beginning = Self.attribute("URI", in: list).map { location in
          let part = Self.attribute("BYTERANGE", in: list)
          return Place(location: location, range: part.flatMap { Self.range($0, after: 0) })
        }
      } else if let text = Self.value(of: "#EXT-X-BYTERANGE:", in: line) {
        range = Self.range(text, after: rangeEnd)
        rangeEnd = range?.upperBound ?? 0
      } else if let text = Self.value(of: "#EXT-X-MEDIA-SEQUENCE:", in: line) {
        firstNumber = Self.number(text) ?? 0
      } else if let text = Self.value(of: "#EXT-X-TARGETDURATION:", in: line) {
        targetSeconds = min(60, max(1, Self.number(text) ?? 6))
      } else if let list = Self.value(of: "#EXT-X-KEY:", in: line) {
        if Self.attribute("METHOD", in: list) != "NONE" { isEncrypted = true }
      } else if line.hasPrefix("#EXT-X-ENDLIST") {
        isComplete = true
      }
    }
  }

  /// The variant with the most bits.
  var best: Variant? { variants.max { $0.bandwidth < $1.bandwidth } }

  private static func value(of tag: String, in line: Substring) -> String? {
    line.hasPrefix(tag) ? String(line.dropFirst(tag.count)) : nil
  }

  private static func number(_ text: String?) -> Int? {
    guard let text, let number = Int(text.prefix { $0.isNumber }) else { return nil }
    return number <= numberLimit ? number : nil
  }

  /// So many bytes, and from where on if that is said: `1000@500`.
  private static func range(_ text: String, after end: Int) -> Range<Int>? {
    let parts = text.split(separator: "@", maxSplits: 1)
    guard let count = number(parts.first.map { String($0) }), count > 0 else { return nil }
    let start = parts.count == 2 ? number(String(parts[1])) : end
    return start.map { $0..<$0 + count }
  }

  /// The value of an attribute in a list such as `A=1,B="x,y"`, without its quotes.
  private static func attribute(_ name: String, in list: String) -> String? {
    var rest = list[...]
    while let equals = rest.firstIndex(of: "=") {
      let found = rest[..<equals].drop { $0 == " " }
      rest = rest[rest.index(after: equals)...]
      let value: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        value = rest.prefix { $0 != "\"" }
        rest = rest[value.endIndex...].drop { $0 != "," }.dropFirst()
      } else {
        value = rest.prefix { $0 != "," }
        rest = rest[value.endIndex...].dropFirst()
      }
      if found == name { return String(value) }
    }
    return nil
  }
}
