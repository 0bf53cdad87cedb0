import AacornDevices

extension PlaybackFeed {
  /// Writes as many whole frames of an array as fit, and returns their number.
  func write(array samples: [Float]) -> Int { write(samples.span) }
}
