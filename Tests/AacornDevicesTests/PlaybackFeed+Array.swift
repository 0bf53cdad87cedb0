import AacornDevices

extension PlaybackFeed {
  /// Writes whole frames of an array, as many as there is room for, and returns how many.
  func write(array samples: [Float]) -> Int { write(samples.span) }
}
