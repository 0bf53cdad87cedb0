import AacornSystem

/// How sound of the web is asked for, and how long it is waited for.
struct HTTPManner: Sendable {
  /// The most bits per second of one of several variants; nil for any.
  var maximumBitrate: Int?
  /// A file with the certificates of those who are trusted; nil for the system's.
  var certificateFile: String?
  /// How often a broken connection is made anew in a row.
  var attemptLimit = HTTPManner.waitParts.count
  /// How long a server may be silent.
  let silence: Duration

  /// From what an answer can come in to what nobody waits for.
  private static let silences = Duration.milliseconds(50)...Duration.seconds(3600)
  /// Bytes that come at least while a server may be silent; sound needs more.
  private static let pace: Int64 = 32_768
  /// Thousandths of the silence to wait before another attempt, the first, the second and so on.
  private static let waitParts = [25, 50, 100, 200, 400, 750, 750, 750]

  /// The manner of a player.
  init(_ configuration: PlayerConfiguration) {
    self.init(silence: configuration.serverPatience)
    maximumBitrate = configuration.maximumBitrate
  }

  /// A manner for any variant.
  init(silence: Duration = PlayerConfiguration().serverPatience) {
    self.silence = min(max(silence, Self.silences.lowerBound), Self.silences.upperBound)
  }

  /// The time by which an answer that began at `start` must have brought more than so many bytes: in the time
  /// for which a server may be silent, as many as even a slow way carries.
  func limit(from start: Int64, after byteCount: Int) -> Int64 {
    start + silence.nanoseconds + silence.nanoseconds / Self.pace * Int64(byteCount)
  }

  /// Milliseconds to wait before a connection is made anew, after so many attempts in vain.
  func wait(after attemptCount: Int) -> Int {
    let part = Self.waitParts[min(attemptCount, Self.waitParts.count - 1)]
    return max(1, silence.milliseconds * part / 1000)
  }

  /// Milliseconds to wait before a small thing is asked for again, after so many attempts in vain.
  func shortWait(after attemptCount: Int) -> Int {
    attemptCount * max(1, silence.milliseconds * Self.waitParts[0] / 1000)
  }

  /// Nanoseconds after which a broadcast to which nothing is added has ended: ten of its longest
  /// segments where a server may be silent for twenty seconds.
  func stillness(ofSegments seconds: Int) -> Int64 { silence.nanoseconds / 2 * Int64(seconds) }
}
