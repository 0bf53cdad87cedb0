import AacornSystem

/// Which frame sounds when: said by a device's thread, read by any other, as one.
///
/// The writer never waits. It makes the version odd, changes both numbers, and makes the version
/// even again; a reader that finds another version behind what it read reads again.
struct PlaybackAnchor: ~Copyable {
  private let version = Atomic<Int>(0)
  private let frame = Atomic<Int>(0)
  private let time = Atomic<Int64>(0)

  /// Says that a frame sounds at a monotonic time; for one thread only.
  func store(frame: Int, time: Int64) {
    let number = version.load(ordering: .relaxed)
    version.store(number &+ 1, ordering: .relaxed)
    // Who sees one of these sees the odd version as well.
    self.frame.store(frame, ordering: .releasing)
    self.time.store(time, ordering: .releasing)
    version.store(number &+ 2, ordering: .releasing)
  }

  /// What was said last; nil before anything was.
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
