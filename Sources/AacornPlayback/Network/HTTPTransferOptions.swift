import AacornSystem

/// The options and time limits for requests to web servers.
struct HTTPTransferOptions: Sendable {
  /// The maximum bitrate of a variant in bits per second; nil for no limit.
  var maximumBitrate: Int?
  /// A file of trusted certificates; nil for the system's certificates.
  var certificateFile: String?
  /// The maximum number of consecutive attempts to reopen a broken connection.
  var attemptLimit = HTTPTransferOptions.retryDelayThousandths.count
  /// The maximum time that a server may be silent.
  let silenceTimeout: Duration

  /// The accepted range of `silenceTimeout`.
  ///
  /// No server can be expected to respond faster than the minimum.
  private static let silenceTimeoutRange = Duration.milliseconds(50)...Duration.seconds(3600)
  /// The minimum number of bytes that a server must send within `silenceTimeout`.
  ///
  /// Even at a low bitrate, audio has more bytes than that.
  private static let minByteCountPerTimeout: Int64 = 32_768
  /// The waits before the first, second and later attempts, in thousandths of `silenceTimeout`.
  private static let retryDelayThousandths = [25, 50, 100, 200, 400, 750, 750, 750]

  /// Creates the options of a player.
  init(_ configuration: PlayerConfiguration) {
    self.init(silenceTimeout: configuration.serverTimeout)
    maximumBitrate = configuration.maximumBitrate
  }

  /// Creates options without a bitrate limit.
  init(silenceTimeout: Duration = PlayerConfiguration().serverTimeout) {
    self.silenceTimeout = min(
      max(silenceTimeout, Self.silenceTimeoutRange.lowerBound), Self.silenceTimeoutRange.upperBound)
  }

  /// Returns the time by which a response that began at `start` must have delivered more than
  /// `byteCount` bytes.
  ///
  /// The server has `silenceTimeout` at first, and as much again for every 32 KiB.
  func deadline(from start: Int64, after byteCount: Int) -> Int64 {
    start + silenceTimeout.nanoseconds + silenceTimeout.nanoseconds / Self.minByteCountPerTimeout
      * Int64(byteCount)
  }

  /// Returns the wait before a connection is reopened, after `attemptCount` failed attempts, in
  /// milliseconds.
  func retryDelay(after attemptCount: Int) -> Int {
    let index = min(attemptCount, Self.retryDelayThousandths.count - 1)
    return max(1, silenceTimeout.milliseconds * Self.retryDelayThousandths[index] / 1000)
  }

  /// Returns the wait before a small request is repeated, after `attemptCount` failed attempts, in
  /// milliseconds.
  func shortRetryDelay(after attemptCount: Int) -> Int {
    attemptCount * retryDelay(after: 0)
  }

  /// Returns the time after which a live stream without new segments has ended, in nanoseconds.
  ///
  /// It is ten times the maximum duration of a segment if `silenceTimeout` is 20 s.
  func endTimeout(ofSegments seconds: Int) -> Int64 {
    silenceTimeout.nanoseconds / 2 * Int64(seconds)
  }
}
