import AacornRecording
import AacornSystem

/// The segments of a sound in HTTP live streaming, one after the other as one sound.
///
/// Of several variants it takes the one with the most bits. A broadcast begins three segments before
/// its end.
struct HLSSegments {
  private let address: HTTPAddress
  private let playlist: HLSPlaylist

  /// The longest playlist that is read.
  private static let playlistLimit = 8 << 20
  /// How often something is asked for that does not come.
  private static let attemptLimit = 5
  /// Milliseconds before another attempt, times its number.
  private static let attemptWait = 500
  /// After how many of its longest segments a broadcast to which nothing is added has ended.
  private static let stillLimit = 10

  /// Follows a playlist at a place.
  init(
    _ place: HTTPAddress, _ playlist: HLSPlaylist, _ interruption: Interruption
  ) throws(AACFileError) {
    var (place, playlist) = (place, playlist)
    if let best = playlist.best {
      guard let variant = place.following(best.location) else {
        throw HTTPConnection.failure(place.place, "its playlist leads nowhere")
      }
      let next = try HTTPSource.request(variant, nil, interruption)
      (place, playlist) = try Self.playlist(next, interruption)
    }
    if playlist.isEncrypted {
      throw AACFileError(
        .unsupported, "The sound of \(displayed(place.place)) is encrypted.",
        .words("Play it in an app of its own."))
    }
    if playlist.segments.isEmpty {
      throw HTTPConnection.failure(place.place, "its playlist has no segments")
    }
    address = place
    self.playlist = playlist
  }

  private static func playlist(
    _ request: HTTPSource.Request, _ interruption: Interruption
  ) throws(AACFileError) -> (HTTPAddress, HLSPlaylist) {
    let bytes = try all(of: request)
    guard let playlist = HLSPlaylist(bytes) else {
      throw HTTPConnection.failure(request.address.place, "its playlist is none of HLS")
    }
    return (request.address, playlist)
  }

  /// The whole body of an answer that is a playlist.
  static func all(of request: HTTPSource.Request) throws(AACFileError) -> [UInt8] {
    var request = request
    var bytes: [UInt8] = []
    while !request.answer.isOver {
      bytes.removeAll(keepingCapacity: true)
      guard try request.connection.receive(into: &bytes) else { break }
      do throws(HTTPAnswer.Fault) {
        try request.answer.push(bytes, into: &request.body)
      } catch {
        throw HTTPConnection.failure(request.address.place, "it does not speak HTTP")
      }
      if request.body.count > playlistLimit {
        throw HTTPConnection.failure(request.address.place, "its playlist is too long")
      }
    }
    return request.body
  }

  /// Whether it is a broadcast, to which segments are added.
  var isLive: Bool { !playlist.isComplete }

  // MARK: The source's thread

  /// Passes all segments on, until the end, or until nobody wants them any more; returns why there are
  /// no more of them.
  ///
  /// `missing` is called for each one that does not come, or not whole.
  func run(
    into pipe: Int32, _ interruption: Interruption, missing: () -> Void
  ) -> AACFileError? {
    var playlist = playlist
    var place = address
    var beginning: HLSPlaylist.Place?
    var next = playlist.firstNumber
    if !playlist.isComplete { next += max(0, playlist.segments.count - 3) }
    var changeTime = System.nanoseconds
    while true {
      // After a long break some of them are gone; after a restart numbers begin anew.
      let end = playlist.firstNumber + playlist.segments.count
      if next < playlist.firstNumber || next > end + 10 { next = playlist.firstNumber }
      while next < end {
        let segment = playlist.segments[next - playlist.firstNumber]
        next += 1
        if let first = segment.beginning, first != beginning {
          beginning = first
          guard pass(first, from: place, into: pipe, interruption, missing) else { return nil }
        }
        guard pass(segment.place, from: place, into: pipe, interruption, missing) else {
          return nil
        }
      }
      if playlist.isComplete { return nil }
      interruption.wait(milliseconds: playlist.targetSeconds * 500)
      var attempt = 1
      while true {
        if interruption.signal != nil { return nil }
        if let request = try? HTTPSource.request(place, nil, interruption),
          let (newPlace, newList) = try? Self.playlist(request, interruption)
        {
          let now = System.nanoseconds
          let limit = Int64(Self.stillLimit * playlist.targetSeconds) * 1_000_000_000
          if newList != playlist {
            changeTime = now
          } else if now - changeTime > limit {
            return HTTPConnection.failure(place.place, "nothing is added to its playlist any more")
          }
          (place, playlist) = (newPlace, newList)
          break
        }
        if attempt == Self.attemptLimit {
          return HTTPConnection.failure(place.place, "its playlist does not come any more")
        }
        interruption.wait(milliseconds: attempt * Self.attemptWait)
        attempt += 1
      }
    }
  }

  /// Passes on what is at a place, or leaves out what does not come of it; false if nobody wants it.
  ///
  /// What breaks is asked for again from where it broke.
  private func pass(
    _ part: HLSPlaylist.Place, from place: HTTPAddress, into pipe: Int32,
    _ interruption: Interruption, _ missing: () -> Void
  ) -> Bool {
    guard let address = place.following(part.location) else {
      missing()
      return true
    }
    let whole = part.range ?? 0..<Int.max
    var passedCount = 0
    for attempt in 1...Self.attemptLimit {
      if interruption.signal != nil { return false }
      let rest = whole.lowerBound + passedCount..<whole.upperBound
      let wanted = part.range == nil && passedCount == 0 ? nil : rest
      if var request = try? HTTPSource.request(address, wanted, interruption) {
        do throws(AACFileError) {
          passedCount += try HTTPSource.pass(&request, into: pipe, interruption) { _ in }
        } catch {
          return false
        }
        if request.isWhole { return true }
      }
      interruption.wait(milliseconds: attempt * Self.attemptWait)
    }
    missing()
    return true
  }
}
