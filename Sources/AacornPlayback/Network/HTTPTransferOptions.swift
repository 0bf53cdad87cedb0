import AacornSystem

/// The options and time limits for requests to web servers.
struct HTTPTransferOptions: Sendable {
  /// The maximum bitrate of a variant in bits per second; nil for no limit.
  var maximumBitrate: Int?
  /// A file of trusted certificates; nil for the system's certificates.
  var certificateFile: String?
  /// The maximum number of consecutive attempts to reopen a broken connection.
  var attemptLimit = HTTPTransferOptions.waitParts.count
  /// The maximum time that a server may be silent.
  let silence: Duration

  /// The accepted range of `silence`.
  ///
  /// No server can be expected to respond faster than the minimum.
  private static let silences = Duration.milliseconds(50)...Duration.seconds(3600)
  /// The minimum number of bytes that a server must send within `silence`.
  ///
  /// Even at a low bitrate, audio has more bytes than that.
  private static let pace: Int64 = 32_768
  /// The waits before the first, second and later attempts, in thousandths of `silence`.
  private static let waitParts = [25, 50, 100, 200, 400, 750, 750, 750]

  /// Creates the options of a player.
  init(_ configuration: PlayerConfiguration) {
    self.init(silence: configuration.serverTimeout)
    maximumBitrate = configuration.maximumBitrate
  }

  /// Creates options without a bitrate limit.
  init(silence: Duration = PlayerConfiguration().serverTimeout) {
    self.silence = min(max(silence, Self.silences.lowerBound), Self.silences.upperBound)
  }

  /// Returns the time by which a response that began at `start` must have delivered more than
  /// `byteCount` bytes.
  ///
  /// The server has `silence` at first, and as much again for every 32 KiB.
  func limit(from start: Int64, after byteCount: Int) -> Int64 {
    start + silence.nanoseconds + silence.nanoseconds / Self.pace * Int64(byteCount)
  }

  /// Returns the wait before a connection is reopened, after `attemptCount` failed attempts, in
  /// milliseconds.
  func wait(after attemptCount: Int) -> Int {
    let part = Self.waitParts[min(attemptCount, Self.waitParts.count - 1)]
    return max(1, silence.milliseconds * part / 1000)
  }

  /// Returns the wait before a small request is repeated, after `attemptCount` failed attempts, in
  /// milliseconds.
  func shortWait(after attemptCount: Int) -> Int {
    attemptCount * max(1, silence.milliseconds * Self.waitParts[0] / 1000)
  }

  /// Returns the time after which a live stream without new segments has ended, in nanoseconds.
  ///
  /// It is ten times the maximum duration of a segment if `silence` is 20 s.
  func endTimeout(ofSegments seconds: Int) -> Int64 { silence.nanoseconds / 2 * Int64(seconds) }
}
