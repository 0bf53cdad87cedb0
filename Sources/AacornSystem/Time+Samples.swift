extension Duration {
  /// Whole samples in this time; none in a negative one.
  ///
  /// A time is taken as one that was rounded to nanoseconds: if a sample begins less than half of
  /// one later, it counts.
  package func sampleCount(at sampleRate: Int) -> Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, isTooLong) = Int(clamping: seconds).multipliedReportingOverflow(by: sampleRate)
    let halfNanoseconds = Int(attoseconds / 500_000_000) + 1
    let rest = halfNanoseconds * sampleRate / 2_000_000_000
    return isTooLong || whole > Int.max - rest ? .max : whole + rest
  }

  /// The time that samples last, in whole nanoseconds that `sampleCount` makes the same samples of.
  package init(samples: Int, at sampleRate: Int) {
    let rate = max(1, sampleRate)
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
    self = .seconds(seconds) + .nanoseconds((rest * 1_000_000_000 + rate - 1) / rate)
  }
}
