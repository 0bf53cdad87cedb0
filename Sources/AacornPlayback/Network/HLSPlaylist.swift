import AacornSystem

/// A playlist of HTTP Live Streaming (RFC 8216): a master playlist with variants, or a media
/// playlist with segments.
struct HLSPlaylist: Equatable {
  /// A playlist of the audio at one bitrate.
  struct Variant: Equatable {
    /// The maximum bitrate in bits per second.
    var bandwidth: Int
    /// The audio and video codecs (RFC 6381); empty if they are not stated.
    var codecs: [String] = []
    /// The group of audio renditions for the variant; nil if its own playlist has the audio.
    var audioGroup: String?
    var location: String

    /// The names of the supported AAC profiles: LC, HE-AAC and HE-AAC v2.
    private static let decodedCodecs = [
      "mp4a", "mp4a.40", "mp4a.40.2", "mp4a.40.02", "mp4a.40.5", "mp4a.40.05", "mp4a.40.29",
      "mp4a.67",
    ]

    /// Whether the variant has a supported audio codec; true if the codecs are not stated.
    var isPlayable: Bool {
      codecs.isEmpty || codecs.contains { Self.decodedCodecs.contains($0.lowercased()) }
    }
  }

  /// A resource, or a byte range of it.
  struct Resource: Equatable {
    var location: String
    var range: Range<Int>?
  }

  /// A segment of the audio.
  struct Segment: Equatable {
    var resource: Resource
    /// The initialization section that this segment needs; consecutive segments may share it.
    var initializationSection: Resource?
    /// The duration in seconds, if it is stated.
    var seconds: Double?
  }

  private(set) var variants: [Variant] = []
  private(set) var segments: [Segment] = []
  /// The media sequence number of the first segment.
  private(set) var firstNumber = 0
  /// The maximum duration of a segment, in whole seconds.
  private(set) var targetSeconds = 6
  /// Whether the playlist is complete, so that the server adds no more segments.
  private(set) var isComplete = false
  /// The encryption method of the segments, such as `AES-128`; nil if they are not encrypted.
  private(set) var encryption: String?
  /// Whether the playlist has tags of HLS, unlike a plain list of addresses.
  private(set) var hasTags = false

  /// The maximum number of lines to read.
  private static let lineLimit = 200_000
  /// The maximum length of a line in bytes.
  ///
  /// No address is longer. Longer lines are ignored.
  static let maxLineLength = 1 << 14
  /// The maximum duration of a segment that is accepted, in seconds.
  private static let maxSegmentSeconds = 3600.0
  /// The maximum number that is accepted, above any real file offset or media sequence number.
  private static let numberLimit = 1 << 40

  /// Parses a playlist.
  ///
  /// Returns nil if the bytes are not a playlist.
  ///
  /// Lines are compared as bytes: a single `Character` can have millions of combining marks, which
  /// would make comparisons slow.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(maxSplits: Self.lineLimit) { $0 == 0x0A || $0 == 0x0D }
    let signature = "#EXTM3U".utf8
    guard let first = lines.first,
      first.starts(with: signature) || first.suffix(signature.count).elementsEqual(signature)
    else { return nil }
    var variant: Variant?
    /// The playlist of each group of audio renditions.
    var audioLocations: [String: String] = [:]
    var range: Range<Int>?
    /// The start of a range without an offset: the end of the previous range.
    var rangeEnd = 0
    var initializationSection: Resource?
    var seconds: Double?
    for line in lines.dropFirst() where line.count <= Self.maxLineLength {
      if line.starts(with: "#EXT-X-".utf8) { hasTags = true }
      if line.first != UInt8(ascii: "#") {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
        let location = String(decoding: line, as: UTF8.self)
        if var found = variant {
          found.location = location
          variants.append(found)
        } else {
          segments.append(
            Segment(
              resource: Resource(location: location, range: range),
              initializationSection: initializationSection, seconds: seconds))
        }
        seconds = nil
        variant = nil
        range = nil
      } else if let list = Self.value(of: "#EXT-X-STREAM-INF:", in: line) {
        variant = Self.variant(list)
      } else if let text = Self.value(of: "#EXTINF:", in: line) {
        let length = Double(
          String(decoding: text.prefix { $0 != 0x2C && $0 != 0x20 }, as: UTF8.self))
        seconds = length.flatMap { (0...Self.maxSegmentSeconds).contains($0) ? $0 : nil }
      } else if let list = Self.value(of: "#EXT-X-MEDIA:", in: line) {
        guard Self.attribute("TYPE", in: list) == "AUDIO",
          let group = Self.attribute("GROUP-ID", in: list),
          let location = Self.attribute("URI", in: list)
        else { continue }
        if audioLocations[group] == nil || Self.attribute("DEFAULT", in: list) == "YES" {
          audioLocations[group] = location
        }
      } else if let list = Self.value(of: "#EXT-X-MAP:", in: line) {
        initializationSection = Self.attribute("URI", in: list).map { location in
          let part = Self.value(of: "BYTERANGE", among: list)
          return Resource(location: location, range: part.flatMap { Self.range($0, after: 0) })
        }
      } else if let text = Self.value(of: "#EXT-X-BYTERANGE:", in: line) {
        range = Self.range(text, after: rangeEnd)
        rangeEnd = range?.upperBound ?? 0
      } else if let text = Self.value(of: "#EXT-X-MEDIA-SEQUENCE:", in: line) {
        firstNumber = Self.number(text) ?? 0
      } else if let text = Self.value(of: "#EXT-X-TARGETDURATION:", in: line) {
        targetSeconds = min(60, max(1, Self.number(text) ?? 6))
      } else if let list = Self.value(of: "#EXT-X-KEY:", in: line) {
        let method = Self.attribute("METHOD", in: list) ?? "an unknown method"
        if method != "NONE" { encryption = method }
      } else if line.starts(with: "#EXT-X-ENDLIST".utf8) {
        isComplete = true
      }
    }
    // A group may be defined after the variants that refer to it.
    for index in variants.indices {
      guard let group = variants[index].audioGroup, let location = audioLocations[group]
      else { continue }
      variants[index].location = location
    }
  }

  /// The mean duration of a segment, in seconds.
  ///
  /// If no durations are stated, this is the target duration.
  var meanSeconds: Double {
    let lengths = segments.compactMap(\.seconds)
    return lengths.isEmpty
      ? Double(targetSeconds) : lengths.reduce(0, +) / Double(lengths.count)
  }

  /// Returns the variant with the highest bitrate up to a limit, or the one with the lowest bitrate
  /// if all exceed the limit.
  ///
  /// Returns nil if no variant has a supported audio codec.
  func variant(atMost limit: Int?) -> Variant? {
    let playable = variants.filter(\.isPlayable)
    let allowed = playable.filter { $0.bandwidth <= limit ?? Int.max }
    return allowed.max { $0.bandwidth < $1.bandwidth }
      ?? playable.min { $0.bandwidth < $1.bandwidth }
  }

  /// Creates a variant from its attributes, without the address, which follows in the next line.
  private static func variant(_ list: ArraySlice<UInt8>) -> Variant {
    let codecs = value(of: "CODECS", among: list) ?? []
    return Variant(
      bandwidth: value(of: "BANDWIDTH", among: list).flatMap(number) ?? 0,
      codecs: codecs.split { $0 == 0x2C || $0 == 0x20 }.map { String(decoding: $0, as: UTF8.self) },
      audioGroup: attribute("AUDIO", in: list), location: "")
  }

  private static func value(of tag: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    line.starts(with: tag.utf8) ? line.dropFirst(tag.utf8.count) : nil
  }

  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.prefix(while: \.isDigit)
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return number <= numberLimit ? number : nil
  }

  /// Parses a byte count with an optional offset: `1000@500`.
  private static func range(_ text: ArraySlice<UInt8>, after end: Int) -> Range<Int>? {
    let parts = text.split(separator: UInt8(ascii: "@"), maxSplits: 1)
    guard let count = parts.first.flatMap(number), count > 0 else { return nil }
    let start = parts.count == 2 ? number(parts[1]) : end
    return start.map { $0..<$0 + count }
  }

  private static func attribute(_ name: String, in list: ArraySlice<UInt8>) -> String? {
    value(of: name, among: list).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the value of an attribute in a list such as `A=1,B="x,y"`, without quotation marks.
  private static func value(
    of name: String, among list: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
    var rest = list
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let found = rest[..<equals].drop { $0 == 0x20 }
      rest = rest[(equals + 1)...]
      let value: ArraySlice<UInt8>
      if rest.first == quote {
        rest = rest.dropFirst()
        value = rest.prefix { $0 != quote }
        rest = rest[value.endIndex...].drop { $0 != comma }.dropFirst()
      } else {
        value = rest.prefix { $0 != comma }
        rest = rest[value.endIndex...].dropFirst()
      }
      if found.elementsEqual(name.utf8) { return value }
    }
    return nil
  }
}
