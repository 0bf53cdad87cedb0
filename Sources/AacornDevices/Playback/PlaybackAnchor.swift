import AacornSystem

/// A frame and the time at which it plays, which other threads read consistently.
///
/// The writer, the device's thread, never waits. It makes the version odd, changes both numbers,
/// and makes the version even again; a reader retries if the version has changed during its read.
struct PlaybackAnchor: ~Copyable {
  private let version = Atomic<Int>(0)
  private let frame = Atomic<Int>(0)
  private let time = Atomic<Int64>(0)

  /// Records that a frame plays at a monotonic time; for one thread only.
  func store(frame: Int, time: Int64) {
    let number = version.load(ordering: .relaxed)
    version.store(number &+ 1, ordering: .relaxed)
    // A thread that sees one of these two stores also sees the odd version.
    self.frame.store(frame, ordering: .releasing)
    self.time.store(time, ordering: .releasing)
    version.store(number &+ 2, ordering: .releasing)
  }

  /// Returns the last record; nil before the first one.
  func load() -> (frame: Int, time: Int64)? {
    while true {
      let number = version.load(ordering: .acquiring)
      guard number != 0 else { return nil }
      let frame = frame.load(ordering: .acquiring)
      let time = time.load(ordering: .acquiring)
      if number & 1 == 0, version.load(ordering: .relaxed) == number { return (frame, time) }
    }
  }
}
