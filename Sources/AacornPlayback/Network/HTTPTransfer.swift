import AacornNetwork
import AacornRecording
import AacornSystem

/// Transfers audio from a server to a pipe or a file, over one or more connections.
///
/// A broken connection is reopened, with increasing delays. The transfer of a file continues at the
/// same position.
struct HTTPTransfer: Sendable {
  let address: HTTPAddress
  let options: HTTPTransferOptions
  /// The file descriptor of the pipe or file.
  let descriptor: Int32
  /// The folder of the file; nil for a pipe.
  var folder: String?
  let interruption: Interruption
  /// Whether the playback is waiting for the first bytes, so that a slow server is an error.
  var isOpening: @Sendable () -> Bool = { false }

  /// The number of bytes that a connection must deliver so that the next delay is the shortest one
  /// again.
  private static let backoffResetByteCount = 65_536
  /// The duration of a read, in nanoseconds, from which the reader counts as having waited.
  private static let minWaitNanoseconds: Int64 = 5_000_000

  /// Transfers the bytes of the first response and of further ones.
  ///
  /// Returns the error that ended the transfer, or nil if it is complete or was interrupted.
  ///
  /// `titles` is called with each new title of a live stream, `lost` with the duration of each loss
  /// in it, and `arrived` with the number of transferred bytes.
  func run(
    _ first: HTTPDownload, _ titles: (String) -> Void, lost: (Duration) -> Void = { _ in },
    arrived: (Int) -> Void = { _ in }
  ) -> AACFileError? {
    var request: HTTPDownload? = first
    let isLive = first.response.isLive
    var total = first.response.bodyCount
    var passedCount = 0
    var backOff = options.makeBackOff()
    var reportedTitle: String?
    var losses = BroadcastLoss(byteRate: first.response.byteRate)
    var isComplete = false
    var failure = address.failure("the audio ended early")
    while true {
      if var current = request {
        request = nil
        let before = passedCount
        do throws(AACFileError) {
          passedCount += try transferBody(
            of: &current,
            { title in
              if title != reportedTitle { titles(title) }
              reportedTitle = title
            },
            arrived: { arrival in
              arrived(arrival.byteCount)
              if isLive, let duration = losses.take(arrival) { lost(duration) }
            })
        } catch {
          return error.kind == .interrupted ? nil : error
        }
        if current.isTooSlow { return current.connectionError }
        losses.recordBreak()
        if passedCount - before >= Self.backoffResetByteCount { backOff.reset() }
        isComplete = total.map { passedCount >= $0 } ?? (!isLive && current.isComplete)
        // The server states no length, and the repeated response ended at the same position: the
        // file is complete.
        if total == nil, !isLive, before > 0, passedCount == before, current.skipCount == 0,
          current.response.status == 200, current.response.isComplete
        {
          isComplete = true
        }
        if let connectionError = current.connectionError { failure = connectionError }
      }
      if isComplete || interruption.signal != nil { return nil }
      if backOff.attemptCount >= options.attemptLimit { return failure }
      interruption.wait(milliseconds: backOff.next())
      let part = isLive || passedCount == 0 ? nil : passedCount..<Int.max
      do throws(AACFileError) {
        let next = try HTTPDownload.send(to: address, part: part, options, interruption)
        let isPastEnd = part != nil && next.response.status == 416
        // The server has no more bytes. If the length is unknown, the file is complete.
        if isPastEnd, total == nil { return nil }
        // The server denies access, or the file was removed.
        if !isLive, !isPastEnd, next.isPermanentlyRejected, let rejection = next.rejection {
          return rejection
        }
        if !isPastEnd { request = try next.accepted() }
        if part == nil {
          total = next.response.bodyCount
        } else if isPastEnd || !Self.agree(next.response.soundByteCount, total) {
          // The file has changed, so its remainder is useless.
          return address.failure("the file changed during playback", "Play it again.")
        }
      } catch {
        failure = error
      }
    }
  }

  /// Returns whether two sizes can belong to the same file.
  private static func agree(_ count: Int?, _ other: Int?) -> Bool {
    guard let count, let other else { return true }
    return count == other
  }

  /// Transfers bytes until the connection ends, and returns their number.
  ///
  /// Throws if the playback was interrupted, or if the bytes cannot be written.
  func transferBody(
    of request: inout HTTPDownload, _ titles: (String) -> Void,
    arrived: (BroadcastLoss.Arrival) -> Void = { _ in }
  ) throws(AACFileError) -> Int {
    var passedCount = 0
    let start = System.nanoseconds
    var time = start
    var hasWaited = false
    var bytes: [UInt8] = []
    // Bytes without audio, such as chunk sizes, do not extend the wait.
    var deadline = time + options.silenceTimeout.nanoseconds
    while true {
      let hasSound = !request.body.isEmpty
      if let title = request.response.takeTitle() { titles(title) }
      request.trimBody()
      if !request.body.isEmpty {
        arrived(
          BroadcastLoss.Arrival(
            byteCount: request.body.count, time: time, hasWaited: hasWaited))
      }
      try write(request.body)
      passedCount += request.body.count
      request.body.removeAll(keepingCapacity: true)
      if request.isDone { return passedCount }
      bytes.removeAll(keepingCapacity: true)
      let before = System.nanoseconds
      // The deadline does not include the time that the reader of the pipe needed.
      if hasSound { deadline = before + options.silenceTimeout.nanoseconds }
      // This deadline is for a server that sends bytes slowly. A silent server counts as a broken
      // connection, which is reopened.
      let isTrickling = time - start > options.silenceTimeout.nanoseconds / 2 && isOpening()
      let slowDeadline = isTrickling ? options.deadline(from: start, after: passedCount) : .max
      do throws(AACFileError) {
        let deadline = min(deadline, slowDeadline)
        guard try request.connection.receive(into: &bytes, before: deadline) else {
          return passedCount
        }
      } catch {
        if error.kind == .interrupted { throw error }
        request.connectionError = error
        request.isTooSlow = System.nanoseconds >= slowDeadline
        return passedCount
      }
      time = System.nanoseconds
      hasWaited = time - before >= Self.minWaitNanoseconds
      if !request.response.push(bytes, into: &request.body) {
        request.connectionError = address.failure("it does not speak HTTP")
        return passedCount
      }
    }
  }

  private func write(_ bytes: [UInt8]) throws(AACFileError) {
    var offset = 0
    while offset < bytes.count {
      try rethrow(
        as: AACFileError.init(_:), interruption.wait(for: descriptor, writing: true))
      do throws(SystemError) {
        offset += try System.write(descriptor, bytes, from: offset)
      } catch {
        // The pipe is full, so try again.
        if error == .wouldBlock { continue }
        // The reader has closed the pipe.
        guard let folder else { throw AACFileError(signal: System.pipeSignal) }
        throw Self.error(error, address, folder: folder)
      }
    }
  }

  /// Returns the error for audio that cannot be stored in a folder.
  static func error(
    _ error: SystemError, _ address: HTTPAddress, folder: String
  ) -> AACFileError {
    AACFileError(
      .cannotWrite,
      "“\(displayed(address.text))” must be downloaded to be played, but cannot be written to "
        + "the folder “\(displayed(folder))”: \(AACFileError.reason(of: error)).",
      suggestion: .text("Make room there, or choose another folder with the variable TMPDIR."))
  }
}

/// The options and time limits for requests to web servers.
struct HTTPTransferOptions: Sendable {
  /// The maximum bitrate of a variant in bits per second; nil for no limit.
  var maximumBitrate: Int?
  /// A file of trusted certificates; nil for the system's certificates.
  var certificateFile: String?
  /// The maximum number of consecutive attempts to reopen a broken connection.
  var attemptLimit = 8
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

  /// Creates the waits before a broken connection is reopened: about a minute in total if
  /// `silenceTimeout` is 20 s.
  func makeBackOff() -> BackOff {
    BackOff(
      first: .milliseconds(shortRetryDelay(after: 1)), longest: silenceTimeout * 3 / 4)
  }

  /// Returns the wait before a small request is repeated, after `attemptCount` failed attempts, in
  /// milliseconds.
  func shortRetryDelay(after attemptCount: Int) -> Int {
    attemptCount * (silenceTimeout.milliseconds / 40)
  }

  /// Returns the time after which a live stream without new segments has ended, in nanoseconds.
  ///
  /// It is ten times the maximum duration of a segment if `silenceTimeout` is 20 s.
  func endTimeout(ofSegments seconds: Int) -> Int64 {
    silenceTimeout.nanoseconds / 2 * Int64(seconds)
  }
}
