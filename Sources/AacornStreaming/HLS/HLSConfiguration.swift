import AacornSystem

/// The settings of an HTTP Live Streaming presentation (RFC 8216).
public struct HLSConfiguration: Sendable, Equatable {
  /// The format of the segments.
  public enum Media: String, Sendable, CaseIterable {
    /// ADTS frames after an ID3 tag with the time.
    ///
    /// The format cannot declare the encoder's delay, so the stream starts with 21 ms of
    /// near-silence (63 ms in HE-AAC).
    case packedAudio = "packed"
    /// Fragmented MPEG-4, with an edit list that skips the encoder's delay.
    case fragmentedMP4 = "fmp4"
  }

  /// The kind of a presentation: live, event or video on demand.
  public enum Kind: String, Sendable, CaseIterable {
    /// Only the most recent segments are listed and retained.
    case live
    /// Segments are added and never removed, so that listeners can go back to the start.
    case event
    /// The playlist is published at the end, with all segments.
    case vod
  }

  /// The format of the segments.
  public var media = Media.fragmentedMP4
  /// The kind of the presentation, which determines the segments in the playlist.
  public var kind = Kind.live
  /// The duration of a segment in whole milliseconds.
  ///
  /// The actual duration is the nearest one that whole frames allow.
  public var segmentDuration: Duration = .seconds(4)
  /// The maximum duration of a partial segment, for example half a second; nil to write no parts.
  ///
  /// Parts reduce the delay of listeners to less than two seconds if their server supports blocking
  /// requests. A segment is then a whole multiple of a part.
  public var partDuration: Duration?
  /// The number of segments in a live playlist.
  ///
  /// The playlist always lists at least three target durations.
  public var windowSegmentCount = 6
  /// The time for which a segment is retained after it left the playlist, in target durations, in
  /// addition to the required time.
  ///
  /// The required time is the segment's duration plus the duration of the longest playlist that
  /// listed it (RFC 8216, 6.2.2).
  public var retainedSegmentCount = 0
  /// The beginning of all file names: letters, digits, `.`, `-` and `_`.
  public var name = "stream"
  /// Whether every segment states the wall clock at its start.
  public var hasProgramDateTime = true
  /// The names of the renditions in file names.
  ///
  /// A rendition without a name uses its index, from 0.
  public var renditionNames: [String] = []

  /// Creates a live presentation in fragmented MPEG-4 with segments of four seconds.
  public init() {}

  /// The reason why the configuration is invalid, as a message; nil if it is valid.
  public var fault: String? {
    let segment = segmentDuration.milliseconds
    if segment < 100 || segment > 3_600_000 {
      return "HLS segments of \(segment) ms are out of range. Choose 100 to 3600000."
    }
    if let part = partDuration?.milliseconds, part < 20 || part > segment {
      return "Partial HLS segments of \(part) ms are out of range. Choose 20 to \(segment)."
    }
    if windowSegmentCount < 1 || retainedSegmentCount < 0 {
      return "A live HLS playlist must list at least one segment."
    }
    for name in [name] + renditionNames where !Self.isPortableName(name) {
      return "“\(name)” cannot be part of HLS file names. Choose letters, digits, “.”, “-” and “_”."
    }
    if Set(renditionNames).count < renditionNames.count {
      return "Two HLS renditions have the same name. Choose another for one of them."
    }
    return nil
  }

  /// The approximate target duration of the playlists.
  ///
  /// The lengths of the frames determine the exact one.
  var expectedTargetDuration: Duration {
    .seconds(max(1, (segmentDuration.milliseconds + 999) / 1000))
  }

  /// Returns whether a name needs no escaping in a folder, a playlist and a URL.
  private static func isPortableName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && name.utf8.first != 0x2E
      && name.utf8.allSatisfy { $0.isDigit || $0.isLetter || "-._".utf8.contains($0) }
  }
}
