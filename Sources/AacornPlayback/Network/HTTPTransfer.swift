import AacornRecording
import AacornSystem

/// The way of a sound from a server into a pipe or a file, over as many connections as it takes.
///
/// A broken connection is made anew, with longer and longer waits, and a file goes on where it was.
struct HTTPTransfer: Sendable {
  let address: HTTPAddress
  let manner: HTTPManner
  /// The pipe or file.
  let descriptor: Int32
  /// The folder of the file; nil for a pipe.
  var folder: String?
  let interruption: Interruption
  /// Whether playback cannot start before more bytes arrive; the server must then not send too slowly.
  var isOpening: @Sendable () -> Bool = { false }

  /// Bytes that a connection must have brought for the next attempt to count as the first again.
  private static let progress = 65_536
  /// Nanoseconds after which bytes count as waited for.
  private static let wait: Int64 = 5_000_000

  /// Passes on what comes, and what has come with the first answer; returns why that is not all, or
  /// nil if nobody wants more.
  ///
  /// `titles` is called with each new title of a broadcast, `lost` with what is missing in it, and
  /// `arrived` with the number of bytes that are passed on.
  func run(
    _ first: HTTPRequest, _ titles: (String) -> Void, lost: (Duration) -> Void = { _ in },
    arrived: (Int) -> Void = { _ in }
  ) -> AACFileError? {
    var request: HTTPRequest? = first
    let isLive = first.answer.isLive
    var total = first.answer.bodyCount
    var passedCount = 0
    var attempt = 0
    var told: String?
    var losses = BroadcastLoss(byteRate: first.answer.byteRate)
    var isWhole = false
    var failure = HTTPConnection.failure(address.place, "the sound broke off")
    while true {
      if var current = request {
        request = nil
        let before = passedCount
        do throws(AACFileError) {
          passedCount += try pass(
            &current,
            { title in
              if title != told { titles(title) }
              told = title
            },
            arrived: { arrival in
              arrived(arrival.byteCount)
              if isLive, let duration = losses.take(arrival) { lost(duration) }
            })
        } catch {
          return error.kind == .interrupted ? nil : error
        }
        if current.isTooSlow { return current.breakage }
        losses.noteBreak()
        if passedCount - before >= Self.progress { attempt = 0 }
        isWhole = total.map { passedCount >= $0 } ?? (!isLive && current.isWhole)
        // Who says no length, and breaks off where all had come before, has no more.
        if total == nil, !isLive, before > 0, passedCount == before, current.skipCount == 0,
          current.answer.status == 200, current.answer.isWhole
        {
          isWhole = true
        }
        if let breakage = current.breakage { failure = breakage }
      }
      if isWhole || interruption.signal != nil { return nil }
      if attempt >= manner.attemptLimit { return failure }
      interruption.wait(milliseconds: manner.wait(after: attempt))
      attempt += 1
      let part = isLive || passedCount == 0 ? nil : passedCount..<Int.max
      do throws(AACFileError) {
        let next = try HTTPRequest.send(to: address, part: part, manner, interruption)
        let isBehindEnd = part != nil && next.answer.status == 416
        // There is nothing behind the last byte, which nobody had said was the last.
        if isBehindEnd, total == nil { return nil }
        // To go on is forbidden, or there is nothing any more.
        if !isLive, !isBehindEnd, next.isRefusedForGood, let refusal = next.refusal {
          return refusal
        }
        if !isBehindEnd { request = try next.accepted() }
        if part == nil {
          total = next.answer.bodyCount
        } else if isBehindEnd || !Self.agree(next.answer.soundByteCount, total) {
          // The rest of another file is of no use.
          return HTTPConnection.failure(
            address.place, "the sound has changed meanwhile", "Play it again.")
        }
      } catch {
        failure = error
      }
    }
  }

  /// Whether two lengths can be those of the same sound.
  private static func agree(_ count: Int?, _ other: Int?) -> Bool {
    guard let count, let other else { return true }
    return count == other
  }

  /// Passes on what comes until the connection ends, and returns how many bytes that were; throws if
  /// nobody wants them any more, or they have no place.
  func pass(
    _ request: inout HTTPRequest, _ titles: (String) -> Void,
    arrived: (BroadcastLoss.Arrival) -> Void = { _ in }
  ) throws(AACFileError) -> Int {
    var passedCount = 0
    let start = System.nanoseconds
    var time = start
    var hasWaited = false
    var bytes: [UInt8] = []
    // What is around the sound, such as the lengths of chunks, is not worth waiting for.
    var limit = time + manner.silence.nanoseconds
    while true {
      let hasSound = !request.body.isEmpty
      if let title = request.answer.takeTitle() { titles(title) }
      request.takePart()
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
      // Nor does it count how long nobody wanted more.
      if hasSound { limit = before + manner.silence.nanoseconds }
      // A server that sends nothing at all is silent, and is asked again.
      let isTrickling = time - start > manner.silence.nanoseconds / 2 && isOpening()
      let slowLimit = isTrickling ? manner.limit(from: start, after: passedCount) : .max
      do throws(AACFileError) {
        let limit = min(limit, slowLimit)
        guard try request.connection.receive(into: &bytes, before: limit) else {
          return passedCount
        }
      } catch {
        if error.kind == .interrupted { throw error }
        request.breakage = error
        request.isTooSlow = System.nanoseconds > slowLimit
        return passedCount
      }
      time = System.nanoseconds
      hasWaited = time - before >= Self.wait
      do throws(HTTPAnswer.Fault) {
        try request.answer.push(bytes, into: &request.body)
      } catch {
        request.breakage = HTTPConnection.failure(address.place, "it does not speak HTTP")
        return passedCount
      }
    }
  }

  private func write(_ bytes: [UInt8]) throws(AACFileError) {
    var offset = 0
    while offset < bytes.count {
      do throws(Interrupted) {
        try interruption.wait(for: descriptor, writing: true)
      } catch {
        throw AACFileError(signal: error.signal)
      }
      do throws(SystemError) {
        offset += try System.write(descriptor, bytes, from: offset)
      } catch {
        // A pipe may only be full.
        if error == .wouldBlock { continue }
        // Its reader is gone.
        guard let folder else { throw AACFileError(signal: System.pipeSignal) }
        throw Self.error(error, address, folder)
      }
    }
  }

  /// The error for sound that has no place in a folder.
  static func error(
    _ error: SystemError, _ address: HTTPAddress, _ folder: String
  ) -> AACFileError {
    let reason =
      switch error {
      case .diskFull, .quotaReached: "the disk is full"
      case .fileTooLarge: "it has reached the maximum file size (ulimit -f)"
      default: error.text
      }
    return AACFileError(
      .cannotWrite,
      "What is at “\(displayed(address.text))” must be fetched to be played, and cannot be put into "
        + "the folder “\(displayed(folder))”: \(reason).",
      .words("Make room there, or choose another folder with the variable TMPDIR."))
  }
}
