import AacornRecording
import AacornSystem

/// A reader that passes on the segments of an HLS stream one after the other.
///
/// A live stream begins three segments before its end.
struct HLSSegments: Sendable {
  private let address: HTTPAddress
  private let playlist: HLSPlaylist
  private let manner: HTTPManner

  /// The maximum size of a playlist in bytes.
  private static let playlistLimit = 8 << 20
  /// The maximum number of attempts for a playlist or a segment.
  private static let attemptLimit = 5
  /// The maximum number of consecutive segments that a server may reject.
  private static let refusalLimit = 6
  /// The maximum plausible loss in a live stream, in seconds.
  ///
  /// A larger jump means that the segments were renumbered.
  private static let longestLoss = 86_400.0
  /// The number of rejections that a segment counts as if every attempt to receive it breaks off.
  private static let breakageWeight = 3

  /// Opens a playlist.
  ///
  /// If it lists variants, opens the most suitable one.
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

  /// Returns the error for variants without supported audio.
  private static func unplayable(_ playlist: HLSPlaylist, _ place: HTTPAddress) -> AACFileError {
    let codecs = Set(playlist.variants.flatMap(\.codecs)).sorted()
    return AACFileError(
      .unsupported,
      "The server \(displayed(place.place)) offers the audio only in formats other than AAC: "
        + "\(displayed(codecs.joined(separator: ", "))).",
      .words("Choose another address for this audio."))
  }

  /// Returns the error for encrypted segments, or nil if the segments are not encrypted.
  private static func encryptionError(
    _ playlist: HLSPlaylist, _ place: HTTPAddress
  ) -> AACFileError? {
    guard let method = playlist.encryption else { return nil }
    return AACFileError(
      .unsupported,
      "The HLS stream of \(displayed(place.place)) is encrypted (EXT-X-KEY with "
        + "\(displayed(method))), which is not supported.", .words("Play it in the service's app."))
  }

  private static func playlist(
    _ request: HTTPRequest, _ manner: HTTPManner
  ) throws(AACFileError) -> (HTTPAddress, HLSPlaylist) {
    let bytes = try all(of: request, manner)
    guard let playlist = HLSPlaylist(bytes) else {
      throw HTTPConnection.failure(request.address.place, "its playlist is not an HLS playlist")
    }
    return (request.address, playlist)
  }

  /// Returns the complete body of a response with a playlist.
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
    // An incomplete playlist can look like a complete one.
    if !request.answer.isWhole {
      throw HTTPConnection.failure(request.address.place, "its playlist is incomplete")
    }
    return request.body
  }

  /// Whether the stream is live, so that segments are added.
  var isLive: Bool { !playlist.isComplete }

  // MARK: Source thread

  /// The result of passing on a part.
  private enum Passage {
    case came
    /// The server does not have the part, or does not allow access to it.
    case refused(AACFileError)
    /// The part was not received, or not completely.
    case broken(AACFileError)
    /// The playlist leads to an address that must not be requested.
    case forbidden(AACFileError)
    /// The playback was interrupted.
    case unwanted
  }

  /// Passes on all segments, until the end or an interruption.
  ///
  /// Returns the error that ended the stream, or nil.
  ///
  /// `missing` is called for each segment that is not received completely, `lost` with the duration of each loss in a
  /// live stream.
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
    /// The time at which the playlist was received.
    var listTime = changeTime
    /// The number of consecutive rejections.
    var refusalCount = 0
    while true {
      // After a long interruption, some segments were removed. After a restart of the server, numbers may begin
      // again.
      let end = playlist.firstNumber + playlist.segments.count
      if next < playlist.firstNumber {
        let length = Double(playlist.firstNumber - next) * playlist.meanSeconds
        // A number that is so much greater belongs to a different numbering.
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
          // After a pause the playlist is outdated, so its remaining segments may be unavailable, too.
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
            return HTTPConnection.failure(place.place, "its playlist is not updated anymore")
          }
          (place, playlist) = (newPlace, newList)
          listTime = now
          break
        }
        if attempt == Self.attemptLimit {
          return HTTPConnection.failure(place.place, "its playlist is not available anymore")
        }
        interruption.wait(milliseconds: manner.shortWait(after: attempt))
        attempt += 1
      }
      if let error = Self.encryptionError(playlist, place) { return error }
    }
  }

  /// Returns the current playlist.
  private func again(
    _ place: HTTPAddress, _ interruption: Interruption
  ) throws(AACFileError) -> (HTTPAddress, HLSPlaylist) {
    try Self.playlist(
      try HTTPRequest.send(to: place, manner, interruption).accepted(), manner)
  }

  /// Passes on a segment.
  ///
  /// Its initialization section precedes it, unless that was the last one passed on.
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

  /// Passes on a resource.
  ///
  /// After an interruption, the request continues at the position of the break.
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
    var failure = HTTPConnection.failure(address.place, "a segment is incomplete")
    for attempt in 1...Self.attemptLimit {
      let rest = whole.lowerBound + passedCount..<whole.upperBound
      let wanted = part.range == nil && passedCount == 0 ? nil : rest
      do throws(AACFileError) {
        var request = try HTTPRequest.send(
          to: address, part: wanted, manner, transfer.interruption)
        if request.answer.status == 416, passedCount > 0 {
          // No byte follows the last received one.
          return .came
        } else if let refusal = request.refusal {
          failure = refusal
          // A segment that the server does not have may become available a moment later.
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
