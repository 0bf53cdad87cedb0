extension FollowerTrack {
  /// Takes what has happened on its own part of the way for news, with places in the mix.
  mutating func tell(_ item: SourceTrack.News) {
    switch item {
    case .gap(let gap):
      if gap.isFilled, let origin { gaps.add(origin + gap.position, gap.length, gap.cause) }
    // The whole recording is paused and muted, not this track.
    case .event(.paused), .event(.muted): break
    case .event(let event): news.append(.event(.track(name, event)))
    }
  }

  /// What has happened since the last call, with the gaps that are complete at `position`; with a cut,
  /// with all before it.
  mutating func takeNews(
    at position: Int, isCut: Bool, wallTime: Int64
  ) -> [SourceTrack.News] {
    noteGaps(at: position, isCut: isCut, wallTime: wallTime)
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }

  /// Makes news of the gaps that are complete; with a cut, of all before it.
  ///
  /// Silence that stands in for the device is taken like sound where it comes in time, and belongs to
  /// the same absence as what the mix has passed without it.
  mutating func noteGaps(at position: Int, isCut: Bool, wallTime: Int64) {
    if let gap = track.openGap, let origin {
      gaps.add(origin + gap.position, gap.length, gap.cause)
    }
    for gap in gaps.take(before: position, isCut: isCut, wallTime: wallTime) {
      news.append(.gap(gap))
    }
  }
}
