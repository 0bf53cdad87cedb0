extension HLSRules {
  /// Returns the variants of a master playlist whose `BANDWIDTH` is too small.
  ///
  /// `BANDWIDTH` must not be less than the bitrate of any sequence of segments that lasts 0.5 to
  /// 1.5 target durations (4.1 and 4.3.4.2).
  package static func faults(
    inMaster text: String, media: [String: String], sizes: [String: Int]
  ) -> [String] {
    var faults: [String] = []
    for variant in HLSPlaylistText(text).variants {
      let stated = Int(variant.attributes["BANDWIDTH"] ?? "") ?? 0
      guard let media = media[variant.uri] else {
        faults.append("\(variant.uri) is listed and not there")
        continue
      }
      let peak = peakBitrate(of: HLSPlaylistText(media), sizes: sizes)
      // Durations are rounded to six decimals.
      if Double(stated) < peak - 1 {
        faults.append("BANDWIDTH \(stated) of \(variant.uri), which takes \(peak)")
      }
    }
    return faults
  }

  private static func peakBitrate(of playlist: HLSPlaylistText, sizes: [String: Int]) -> Double {
    let target = Double(playlist.targetDuration ?? 0)
    let segments = playlist.segments.filter { $0.name != nil }
    var peak = 0.0
    for first in segments.indices {
      var seconds = 0.0
      var byteCount = 0
      for segment in segments[first...] {
        seconds += segment.duration ?? 0
        byteCount += sizes[segment.name ?? ""] ?? 0
        if seconds > 1.5 * target { break }
        if seconds >= 0.5 * target { peak = max(peak, Double(8 * byteCount) / seconds) }
      }
    }
    return peak
  }
}
