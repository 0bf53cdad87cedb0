import AacornRecording
import AacornSystem

/// The segments of a sound in HTTP live streaming, one after the other as one sound.
///
/// A broadcast begins three segments before its end.
struct HLSSegments: Sendable {
  private let address: HTTPAddress
  private let playlist: HLSPlaylist
  private let manner: HTTPManner

  /// The longest playlist that is read.
  private static let playlistLimit = 8 << 20
  /// How often something is asked for that does not come.
  private static let attemptLimit = 5
  /// How many segments in a row a server may refuse.
  private static let refusalLimit = 6
  /// Seconds of a broadcast that nobody has been away for.
  private static let longestLoss = 86_400.0
  /// As how many refusals a segment counts that breaks, after waits, whenever it is asked for.
  private static let breakageWeight = 3

  /// Follows a playlist at a place, of several variants to the one that is wanted.
  init(
    _ place: HTTPAddress, _ playlist: HLSPlaylist, _ manner: HTTPManner,
    _ interruption: Interruption
  ) throws(AACFileError) {
    var (place, playlist) = (place, playlist)
    if !playlist.variants.isEmpty {
      guard let best = playlist.variant(atMost: manner.maximumBitrate) else {
        throw Self.unplayable(playlist, place)
      }
      let variant = try place.next(best.location, by: .playlist)
      let next = try HTTPRequest.send(to: variant, manner, interruption).accepted()
      (place, playlist) = try Self.playlist(next, manner)
    }
    if let error = Self.encryptionError(playlist, place) { throw error }
    if playlist.segments.isEmpty {
      throw HTTPConnection.failure(place.place, "its playlist has no segments")
    }
    address = place
    self.playlist = playlist
    self.manner = manner
  }

  /// The error for variants without sound that is decoded.
  private static func unplayable(_ playlist: HLSPlaylist, _ place: HTTPAddress) -> AACFileError {
    let codecs = Set(playlist.variants.flatMap(\.codecs)).sorted()
    return AACFileError(
      .unsupported,
      "The server \(displayed(place.place)) offers the sound only in codings other than AAC: "
        + "\(displayed(codecs.joined(separator: ", "))).",
      .words("Choose another address of the same sound."))
  }

  /// The error for segments that are encrypted; nil if they are not.
  private static func encryptionError(
    _ playlist: HLSPlaylist, _ place: HTTPAddress
  ) -> AACFileError? {
    guard let method = playlist.encryption else { return nil }
    return AACFileError(
      .unsupported,
      "The sound of \(displayed(place.place)) is encrypted HLS (EXT-X-KEY with "
        + "\(displayed(method))), which is not played.", .words("Play it in an app of its own."))
  }

  private static func playlist(
    _ request: HTTPRequest, _ manner: HTTPManner
  ) throws(AACFileError) -> (HTTPAddress, HLSPlaylist) {
    let bytes = try all(of: request, manner)
    guard let playlist = HLSPlaylist(bytes) else {
      throw HTTPConnection.failure(request.address.place, "its playlist is none of HLS")
    }
    return (request.address, playlist)
  }

  /// The whole body of an answer that is a playlist.
  static func all(
    of request: HTTPRequest, _ manner: HTTPManner
  ) throws(AACFileError) -> [UInt8] {
    var request = request
    var bytes: [UInt8] = []
    let start = System.nanoseconds
    while !request.answer.isOver {
      bytes.removeAll(keepingCapacity: true)
      let limit = manner.limit(from: start, after: request.body.count)
      guard try request.connection.receive(into: &bytes, before: limit) else { break }
      do throws(HTTPAnswer.Fault) {
        try request.answer.push(bytes, into: &request.body)
      } catch {
        throw HTTPConnection.failure(request.address.place, "it does not speak HTTP")
      }
      if request.body.count > playlistLimit {
        throw HTTPConnection.failure(request.address.place, "its playlist is too long")
      }
    }
    // Half a playlist looks like a whole one.
    if !request.answer.isWhole {
      throw HTTPConnection.failure(request.address.place, "its playlist broke off")
    }
    return request.body
  }

  /// Whether it is a broadcast, to which segments are added.
  var isLive: Bool { !playlist.isComplete }

  // MARK: The source's thread

  /// What has become of a part on its way.
  private enum Passage {
    case came
    /// The server says that it has none, or not for us.
    case refused(AACFileError)
    /// It did not come, or not whole.
    case broken(AACFileError)
    /// The playlist leads to a place where nothing is asked for.
    case forbidden(AACFileError)
    /// Nobody wants it any more.
    case unwanted
  }

  /// Passes all segments on, until the end, or until nobody wants them any more; returns why there are
  /// no more of them.
  ///
  /// `missing` is called for each one that does not come, or not whole.
  func run(
    _ transfer: HTTPTransfer, missing: () -> Void, lost: (Duration) -> Void
  ) -> AACFileError? {
    let interruption = transfer.interruption
    var playlist = playlist
    var place = address
    var beginning: HLSPlaylist.Place?
    var next = playlist.firstNumber
    if !playlist.isComplete { next += max(0, playlist.segments.count - 3) }
    var changeTime = System.nanoseconds
    /// When the playlist came.
    var listTime = changeTime
    /// Refusals in a row.
    var refusalCount = 0
    while true {
      // After a long break some of them are gone; after a restart numbers begin anew.
      let end = playlist.firstNumber + playlist.segments.count
      if next < playlist.firstNumber {
        let length = Double(playlist.firstNumber - next) * playlist.meanSeconds
        // Numbers that are so much greater are others.
        if length <= Self.longestLoss { lost(.seconds(length)) }
        next = playlist.firstNumber
      } else if next > end + 10 {
        next = playlist.firstNumber
      }
      var isStale = false
      while next < end, !isStale {
        let segment = playlist.segments[next - playlist.firstNumber]
        next += 1
        switch pass(segment, after: &beginning, from: place, transfer) {
        case .unwanted: return nil
        case .forbidden(let failure): return failure
        case .came: refusalCount = 0
        case .refused(let failure):
          missing()
          if isLive { lost(.seconds(segment.seconds ?? playlist.meanSeconds)) }
          refusalCount += 1
          if refusalCount >= Self.refusalLimit { return failure }
          // After a pause the list is an old one, and so may be the rest of it.
          let age = System.nanoseconds - listTime
          isStale = isLive && age > Int64(playlist.targetSeconds) * 2_000_000_000
        case .broken(let failure):
          missing()
          if isLive { lost(.seconds(segment.seconds ?? playlist.meanSeconds)) }
          refusalCount += Self.breakageWeight
          if refusalCount >= Self.refusalLimit { return failure }
        }
      }
      if playlist.isComplete { return nil }
      if !isStale { interruption.wait(milliseconds: playlist.targetSeconds * 500) }
      var attempt = 1
      while true {
        if interruption.signal != nil { return nil }
        if let (newPlace, newList) = try? again(place, interruption) {
          let now = System.nanoseconds
          let limit = manner.stillness(ofSegments: playlist.targetSeconds)
          if newList != playlist {
            changeTime = now
          } else if now - changeTime > limit {
            return HTTPConnection.failure(place.place, "nothing is added to its playlist any more")
          }
          (place, playlist) = (newPlace, newList)
          listTime = now
          break
        }
        if attempt == Self.attemptLimit {
          return HTTPConnection.failure(place.place, "its playlist does not come any more")
        }
        interruption.wait(milliseconds: manner.shortWait(after: attempt))
        attempt += 1
      }
      if let error = Self.encryptionError(playlist, place) { return error }
    }
  }

  /// The playlist as it is now.
  private func again(
    _ place: HTTPAddress, _ interruption: Interruption
  ) throws(AACFileError) -> (HTTPAddress, HLSPlaylist) {
    try Self.playlist(
      try HTTPRequest.send(to: place, manner, interruption).accepted(), manner)
  }

  /// Passes on a segment, and before it what must come first unless that has come before others.
  private func pass(
    _ segment: HLSPlaylist.Segment, after beginning: inout HLSPlaylist.Place?,
    from place: HTTPAddress, _ transfer: HTTPTransfer
  ) -> Passage {
    if let first = segment.beginning, first != beginning {
      let passage = pass(first, from: place, transfer)
      guard case .came = passage else { return passage }
      beginning = first
    }
    return pass(segment.place, from: place, transfer)
  }

  /// Passes on what is at a place; what breaks is asked for again from where it broke.
  private func pass(
    _ part: HLSPlaylist.Place, from place: HTTPAddress, _ transfer: HTTPTransfer
  ) -> Passage {
    let address: HTTPAddress
    do throws(AACFileError) {
      address = try place.next(part.location, by: .playlist)
    } catch {
      return .forbidden(error)
    }
    let whole = part.range ?? 0..<Int.max
    var passedCount = 0
    var failure = HTTPConnection.failure(address.place, "a segment broke off")
    for attempt in 1...Self.attemptLimit {
      let rest = whole.lowerBound + passedCount..<whole.upperBound
      let wanted = part.range == nil && passedCount == 0 ? nil : rest
      do throws(AACFileError) {
        var request = try HTTPRequest.send(
          to: address, part: wanted, manner, transfer.interruption)
        if request.answer.status == 416, passedCount > 0 {
          // There is nothing behind the last byte.
          return .came
        } else if let refusal = request.refusal {
          failure = refusal
          // What a server does not have it may have a moment later.
          if request.isRefusedForGood, attempt > 1 { return .refused(refusal) }
        } else {
          passedCount += try transfer.pass(&request) { _ in }
          if request.isWhole { return .came }
          failure = request.breakage ?? failure
          if request.isTooSlow { return .broken(failure) }
        }
      } catch {
        if error.kind == .interrupted { return .unwanted }
        failure = error
      }
      if transfer.interruption.signal != nil { return .unwanted }
      if attempt < Self.attemptLimit {
        transfer.interruption.wait(milliseconds: manner.shortWait(after: attempt))
      }
    }
    return .broken(failure)
  }
}
