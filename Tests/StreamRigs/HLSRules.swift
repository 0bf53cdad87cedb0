/// The requirements of RFC 8216 and its second edition for audio playlists.
///
/// Derived from the documents, independently of the code that writes the playlists.
package enum HLSRules {
  /// Returns the rule violations of a media playlist, including changes that are not allowed.
  package static func faults(inMedia text: String, after previous: String? = nil) -> [String] {
    faults(inMedia: HLSPlaylistText(text), after: previous.map { HLSPlaylistText($0) })
  }

  /// Returns the rule violations of a media playlist, including changes that are not allowed.
  package static func faults(
    inMedia playlist: HLSPlaylistText, after previous: HLSPlaylistText?
  ) -> [String] {
    var faults = playlist.faults
    checkHead(playlist, &faults)
    checkSegments(playlist, &faults)
    checkLowLatency(playlist, &faults)
    if let previous {
      checkChange(previous, playlist, &faults)
    }
    return faults
  }

  /// Returns the rule violations of a master playlist.
  package static func faults(inMaster text: String) -> [String] {
    let playlist = HLSPlaylistText(text)
    var faults = playlist.faults
    if playlist.variants.isEmpty { faults.append("no variant") }
    for variant in playlist.variants {
      let attributes = variant.attributes
      guard let bandwidth = attributes["BANDWIDTH"].flatMap({ Int($0) }), bandwidth > 0 else {
        faults.append("a variant without BANDWIDTH")
        continue
      }
      if let average = attributes["AVERAGE-BANDWIDTH"].flatMap({ Int($0) }), average > bandwidth {
        faults.append("AVERAGE-BANDWIDTH above BANDWIDTH")
      }
      let codecs = attributes["CODECS"] ?? ""
      if !codecs.hasPrefix("\"") || !codecs.hasSuffix("\"") || codecs.count < 3 {
        faults.append("a variant without CODECS in quotes")
      }
      if variant.uri.isEmpty { faults.append("a variant without a playlist") }
    }
    if Set(playlist.variants.map(\.uri)).count < playlist.variants.count {
      faults.append("a playlist is listed twice")
    }
    if !playlist.segments.isEmpty { faults.append("segments in a master playlist") }
    for tag in playlist.mediaTags {
      faults.append("\(tag) in a master playlist")
    }
    return faults
  }

  // Version (7), target duration and numbers (4.3.3).
  private static func checkHead(_ playlist: HLSPlaylistText, _ faults: inout [String]) {
    let version = playlist.version ?? 1
    if !playlist.variants.isEmpty { faults.append("variants in a media playlist") }
    if playlist.segments.contains(where: { $0.durationText.contains(".") }), version < 3 {
      faults.append("decimal durations need version 3")
    }
    if playlist.segments.contains(where: { $0.map != nil }), version < 6 {
      faults.append("EXT-X-MAP needs version 6")
    }
    guard let target = playlist.targetDuration else { return faults.append("no target duration") }
    for segment in playlist.segments where segment.name != nil {
      guard let duration = segment.duration, duration > 0 else {
        faults.append("no duration: \(segment.durationText)")
        continue
      }
      if Int(duration.rounded()) > target { faults.append("\(duration) s above \(target) s") }
    }
    if playlist.type == nil && !playlist.isEnded && playlist.mediaSequence == nil {
      faults.append("a live playlist without a number")
    }
    if playlist.type == "VOD" && !playlist.isEnded { faults.append("VOD without an end") }
    if let type = playlist.type {
      if type != "VOD" && type != "EVENT" { faults.append("type \(type)") }
      if playlist.mediaSequence ?? 0 != 0 { faults.append("\(type) begins in the midst") }
    }
  }

  // Names, maps and dates (4.3.2).
  private static func checkSegments(_ playlist: HLSPlaylistText, _ faults: inout [String]) {
    var names = Set<String>()
    for segment in playlist.segments {
      for name in segment.parts.map(\.name) + [segment.name].compactMap(\.self)
      where !names.insert(name).inserted {
        faults.append("\(name) is listed twice")
      }
      let file = segment.name ?? segment.parts.first?.name ?? ""
      if (file.hasSuffix(".m4s") || file.hasSuffix(".mp4")) && segment.map == nil {
        faults.append("\(file) has no EXT-X-MAP")
      }
      if segment.hasDate && segment.date == nil { faults.append("an invalid date") }
    }
    if let first = playlist.segments.first, playlist.segments.contains(where: \.hasDate),
      !first.hasDate
    {
      faults.append("dates, but none at the start")
    }
    var end: (place: Double, isKnown: Bool) = (0, false)
    for segment in playlist.segments {
      if segment.isDiscontinuous && playlist.segments.contains(where: \.hasDate) {
        if !segment.hasDate { faults.append("no date after a discontinuity") }
        end.isKnown = false
      }
      if let date = segment.date {
        // Dates are rounded to milliseconds.
        if end.isKnown && abs(date - end.place) > 0.002 {
          faults.append("the date jumps by \(date - end.place) s without a discontinuity")
        }
        end = (date, true)
      }
      end.place += segment.duration ?? 0
    }
  }

  // Second edition, 4.4.3.7, 4.4.3.8, 4.4.4.9, 4.4.5.3, B.1.
  private static func checkLowLatency(_ playlist: HLSPlaylistText, _ faults: inout [String]) {
    let parts = playlist.segments.flatMap(\.parts)
    let control = playlist.serverControl
    let seconds = Double(playlist.targetDuration ?? 0)
    if let text = control["HOLD-BACK"], (Double(text) ?? 0) < 3 * seconds {
      faults.append("HOLD-BACK \(text)")
    }
    guard let target = playlist.partTarget else {
      if !parts.isEmpty || playlist.hint != nil { faults.append("parts without EXT-X-PART-INF") }
      if control["PART-HOLD-BACK"] != nil { faults.append("PART-HOLD-BACK without parts") }
      return
    }
    guard let holdBack = control["PART-HOLD-BACK"].flatMap({ Double($0) }) else {
      return faults.append("parts without PART-HOLD-BACK")
    }
    // The tolerance for decimals converted to Double.
    if holdBack < 3 * target - 1e-9 { faults.append("PART-HOLD-BACK \(holdBack)") }
    for (index, segment) in playlist.segments.enumerated() {
      for (place, part) in segment.parts.enumerated() {
        if part.duration > target { faults.append("a part of \(part.duration) s") }
        let isLast = place == segment.parts.count - 1
        let next = index + 1 < playlist.segments.count ? playlist.segments[index + 1] : nil
        let mayBeShort =
          isLast
          && (next?.isDiscontinuous == true
            || (next == nil && (playlist.isEnded || segment.name != nil)))
        if part.duration < 0.85 * target && !mayBeShort {
          faults.append("a part of \(part.duration) s in the midst")
        }
      }
      let sum = segment.parts.map(\.duration).reduce(0, +)
      if let duration = segment.duration, segment.name != nil, !segment.parts.isEmpty,
        abs(sum - duration) > 1e-5 * Double(segment.parts.count)
      {
        faults.append("parts of \(sum) s in \(duration) s")
      }
    }
    // Only segments near the end list their parts.
    var distance = 0.0
    for segment in playlist.segments.reversed() {
      if distance > 3 * seconds && !segment.parts.isEmpty { faults.append("old parts") }
      if distance < 3 * seconds - 0.01 && segment.parts.isEmpty { faults.append("parts missing") }
      distance += segment.duration ?? 0
    }
    if playlist.isEnded {
      if playlist.hint != nil { faults.append("a hint after the end") }
    } else {
      if control["CAN-BLOCK-RELOAD"] != "YES" { faults.append("no blocking reload") }
      if playlist.hint == nil { faults.append("no hint") }
    }
    if let hint = playlist.hint, parts.map(\.name).contains(hint) {
      faults.append("a hint at an existing part")
    }
    for report in playlist.renditionReports
    where report["URI"] == nil || Int(report["LAST-MSN"] ?? "") == nil
      || Int(report["LAST-PART"] ?? "") == nil
    {
      faults.append("an incomplete rendition report")
    }
  }

  // The allowed changes between two versions of a playlist (6.2.1, 6.2.2).
  private static func checkChange(
    _ old: HLSPlaylistText, _ new: HLSPlaylistText, _ faults: inout [String]
  ) {
    if old.isEnded { faults.append("changed after its end") }
    if old.targetDuration != new.targetDuration { faults.append("target duration changed") }
    if old.version != new.version { faults.append("version changed") }
    if old.type != new.type { faults.append("type changed") }
    if old.partTarget != new.partTarget { faults.append("part target changed") }
    let removed = (new.mediaSequence ?? 0) - (old.mediaSequence ?? 0)
    guard removed >= 0 else { return faults.append("numbers went back") }
    if removed > 0 && new.type != nil { faults.append("\(new.type ?? "") lost segments") }
    let oldSegments = old.segments.filter { $0.name != nil }
    let newSegments = new.segments.filter { $0.name != nil }
    guard removed <= oldSegments.count else { return faults.append("segments were left out") }
    let kept = oldSegments.dropFirst(removed)
    guard newSegments.count >= kept.count else { return faults.append("segments vanished") }
    for (before, after) in zip(kept, newSegments) {
      if before.name != after.name || before.durationText != after.durationText
        || before.isDiscontinuous != after.isDiscontinuous || before.dateText != after.dateText
        || before.map != after.map
      {
        faults.append("\(before.name ?? "") changed")
      }
      if !after.parts.isEmpty && after.parts != before.parts {
        faults.append("the parts of \(before.name ?? "") changed")
      }
    }
    // The parts of an incomplete segment must remain at the start of the same segment.
    if let growing = old.segments.last, growing.name == nil, kept.count < new.segments.count {
      let now = new.segments[kept.count]
      if !now.parts.starts(with: growing.parts) { faults.append("listed parts changed") }
    }
    if let hint = old.hint, !new.isEnded {
      let names = new.segments.flatMap(\.parts).map(\.name)
      if !names.contains(hint) && new.hint != hint { faults.append("a hint did not come true") }
    }
    let lost = oldSegments.prefix(removed).filter(\.isDiscontinuous).count
    if (new.discontinuitySequence ?? 0) - (old.discontinuitySequence ?? 0) != lost {
      faults.append("discontinuity sequence \(new.discontinuitySequence ?? 0)")
    }
    if removed > 0 && !new.isEnded {
      let left = newSegments.compactMap(\.duration).reduce(0, +)
      if left < 3 * Double(new.targetDuration ?? 0) { faults.append("only \(left) s are left") }
    }
  }
}
