import AacornSystem

/// How audio is offered by HTTP Live Streaming (RFC 8216).
public struct HLSConfiguration: Sendable, Equatable {
  /// The format of the segments.
  public enum Media: String, Sendable, CaseIterable {
    /// ADTS frames after an ID3 tag with the time. The encoder's delay is heard as 21 ms of
    /// near-silence at the very start (63 in HE-AAC), because the format has no place to declare it.
    case packedAudio = "packed"
    /// Fragmented MPEG-4, with an edit list that skips the encoder's delay.
    case fragmentedMP4 = "fmp4"
  }

  /// How the playlist develops.
  public enum Kind: String, Sendable, CaseIterable {
    /// Only the last segments are listed and kept.
    case live
    /// Segments are added and never removed, so that listeners can go back to the start.
    case event
    /// The playlist is published at the end, with all segments.
    case vod
  }

  /// The format of the segments.
  public var media = Media.fragmentedMP4
  /// How the playlist develops.
  public var kind = Kind.live
  /// The length of a segment in whole milliseconds, as nearly as whole frames allow.
  public var segmentDuration: Duration = .seconds(4)
  /// The longest length of a partial segment: half a second, for example; nil for none.
  ///
  /// Parts let listeners come within two seconds of the microphone if their server supports
  /// blocking requests. Segments are then whole multiples of parts.
  public var partDuration: Duration?
  /// How many segments a live playlist lists; it never lists less than three target durations.
  public var windowSegmentCount = 6
  /// How much longer than required a segment is kept after it left the playlist, counted in
  /// segments.
  ///
  /// Required are its own duration and that of the longest playlist that listed it (RFC 8216,
  /// 6.2.2).
  public var keptSegmentCount = 0
  /// The beginning of all file names: letters, digits, `.`, `-` and `_`.
  public var name = "stream"
  /// Whether every segment states the wall clock at its start.
  public var hasProgramDateTime = true
  /// The names of the renditions in file names; one without a name uses its number, from 0.
  public var renditionNames: [String] = []

  /// Creates a live presentation in fragmented MPEG-4 with segments of four seconds.
  public init() {}

  /// What is wrong with it, as a sentence; nil if nothing is.
  public var fault: String? {
    let segment = segmentDuration.milliseconds
    if segment < 100 || segment > 3_600_000 {
      return "HLS segments of \(segment) ms are out of range. Choose 100 to 3600000."
    }
    if let part = partDuration?.milliseconds, part < 20 || part > segment {
      return "Partial HLS segments of \(part) ms are out of range. Choose 20 to \(segment)."
    }
    if windowSegmentCount < 1 || keptSegmentCount < 0 {
      return "A live HLS playlist must list at least one segment."
    }
    for name in [name] + renditionNames where !Self.isPlain(name) {
      return "“\(name)” cannot be part of HLS file names. Choose letters, digits, “.”, “-” and “_”."
    }
    if Set(renditionNames).count < renditionNames.count {
      return "Two HLS renditions have the same name. Choose another for one of them."
    }
    return nil
  }

  /// The approximate target duration of the playlists; the frames decide the exact one.
  var expectedTargetDuration: Duration {
    .seconds(max(1, (segmentDuration.milliseconds + 999) / 1000))
  }

  /// Whether a name is the same in a folder, a playlist and an address.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && name.utf8.first != 0x2E
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}
