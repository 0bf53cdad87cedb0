import AacornCodec

/// The master playlist: it lists the renditions for the player to choose from (RFC 8216, 4.3.4).
enum HLSMasterPlaylist {
  /// A rendition in the playlist.
  struct Entry: Sendable {
    var playlist: String
    var stream: AudioSpecificConfig
    /// The peak and mean bitrates in bits per second.
    var bandwidth: (peak: Int, average: Int)
  }

  /// Returns the text of the playlist.
  static func text(_ entries: [Entry]) -> String {
    var text = "#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n"
    for entry in entries {
      text += "#EXT-X-STREAM-INF:BANDWIDTH=\(entry.bandwidth.peak)"
      text += ",AVERAGE-BANDWIDTH=\(entry.bandwidth.average)"
      // RFC 6381, 3.3: 0x40 is MPEG-4 audio, then its object type; 5 and 29 are HE-AAC.
      text += ",CODECS=\"mp4a.40.\(entry.stream.profile.rawValue)\"\n\(entry.playlist)\n"
    }
    return text
  }
}
