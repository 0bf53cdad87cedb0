import AacornRecording
import AacornSystem

/// A reader that transfers the segments of an HLS stream one after the other.
///
/// For a live stream it begins three segments before the end of the playlist.
struct HLSSegments: Sendable {
  private let address: HTTPAddress
  private let playlist: HLSPlaylist
  private let options: HTTPTransferOptions

  /// The maximum size of a playlist in bytes.
  private static let playlistLimit = 8 << 20
  /// The maximum number of attempts for a playlist or a segment.
  private static let attemptLimit = 5
  /// The maximum number of consecutive segments that a server may reject.
  private static let maxRejectionCount = 6
  /// The maximum plausible loss in a live stream, in seconds.
  ///
  /// A larger jump means that the segments were renumbered.
  private static let maxLossSeconds = 86_400.0
  /// The number of rejections that one broken segment counts for.
  ///
  /// A segment is broken if no attempt has received it completely.
  private static let brokenSegmentWeight = 3

  /// Opens a playlist.
  ///
  /// If it lists variants, opens the playable variant with the highest allowed bitrate.
  init(
    _ playlistAddress: HTTPAddress, _ playlist: HLSPlaylist, _ options: HTTPTransferOptions,
    _ interruption: Interruption
  ) throws(AACFileError) {
    var (playlistAddress, playlist) = (playlistAddress, playlist)
    if !playlist.variants.isEmpty {
      guard let best = playlist.variant(atMost: options.maximumBitrate) else {
        throw Self.unplayable(playlist, playlistAddress)
      }
      let variant = try playlistAddress.next(best.location, by: .playlist)
      let next = try HTTPDownload.send(to: variant, options, interruption).accepted()
      (playlistAddress, playlist) = try Self.playlist(next, options)
    }
    if let error = Self.encryptionError(playlist, playlistAddress) { throw error }
    if playlist.segments.isEmpty {
      throw playlistAddress.failure("its playlist has no segments")
    }
    address = playlistAddress
    self.playlist = playlist
    self.options = options
  }

  /// Returns the error for variants without supported audio.
  private static func unplayable(
    _ playlist: HLSPlaylist, _ playlistAddress: HTTPAddress
  ) -> AACFileError {
    let codecs = Set(playlist.variants.flatMap(\.codecs)).sorted()
    return AACFileError(
      .unsupported,
      "The server \(displayed(playlistAddress.authority)) offers the audio only in formats other than AAC: "
        + "\(displayed(codecs.joined(separator: ", "))).",
      .text("Choose another address for this audio."))
  }

  /// Returns the error for encrypted segments, or nil if the segments are not encrypted.
  private static func encryptionError(
    _ playlist: HLSPlaylist, _ playlistAddress: HTTPAddress
  ) -> AACFileError? {
    guard let method = playlist.encryption else { return nil }
    return AACFileError(
      .unsupported,
      "The HLS stream of \(displayed(playlistAddress.authority)) is encrypted (EXT-X-KEY with "
        + "\(displayed(method))), which is not supported.", .text("Play it in the service's app."))
  }

  private static func playlist(
    _ request: HTTPDownload, _ options: HTTPTransferOptions
  ) throws(AACFileError) -> (HTTPAddress, HLSPlaylist) {
    let bytes = try all(of: request, options)
    guard let playlist = HLSPlaylist(bytes) else {
      throw request.address.failure("its playlist is not an HLS playlist")
    }
    return (request.address, playlist)
  }

  /// Returns the complete body of a response with a playlist.
  static func all(
    of request: HTTPDownload, _ options: HTTPTransferOptions
  ) throws(AACFileError) -> [UInt8] {
    var request = request
    var bytes: [UInt8] = []
    let start = System.nanoseconds
    while !request.response.isFinished {
      bytes.removeAll(keepingCapacity: true)
      let deadline = options.deadline(from: start, after: request.body.count)
      guard try request.connection.receive(into: &bytes, before: deadline) else { break }
      if !request.response.push(bytes, into: &request.body) {
        throw request.address.failure("it does not speak HTTP")
      }
      if request.body.count > playlistLimit {
        throw request.address.failure("its playlist is too long")
      }
    }
    // An incomplete playlist can look like a complete one.
    if !request.response.isComplete {
      throw request.address.failure("its playlist is incomplete")
    }
    return request.body
  }

  /// Whether the stream is live, that is, whether the server still adds segments.
  var isLive: Bool { !playlist.isComplete }

  // MARK: Source thread

  /// The result of transferring a resource.
  private enum PartState {
    case received
    /// The server does not have the resource, or does not allow access to it.
    case refused(AACFileError)
    /// The resource was not received, or not completely.
    case broken(AACFileError)
    /// The playlist leads to an address that must not be requested.
    case forbidden(AACFileError)
    /// The playback was interrupted.
    case interrupted
  }

  /// Transfers all segments, until the end or an interruption.
  ///
  /// Returns the error that ended the stream, or nil.
  ///
  /// `missing` is called for each segment that is not received completely, `lost` with the duration
  /// of each loss in a live stream.
  func run(
    _ transfer: HTTPTransfer, missing: () -> Void, lost: (Duration) -> Void
  ) -> AACFileError? {
    let interruption = transfer.interruption
    var playlist = playlist
    var playlistAddress = address
    var initializationSection: HLSPlaylist.Resource?
    var next = playlist.firstNumber
    if !playlist.isComplete { next += max(0, playlist.segments.count - 3) }
    var changeTime = System.nanoseconds
    /// The time at which the playlist was received.
    var listTime = changeTime
    /// The number of consecutive rejections.
    var rejectionCount = 0
    while true {
      // After a long interruption, the server has removed some segments. After a restart of the
      // server, the numbers may begin again.
      let end = playlist.firstNumber + playlist.segments.count
      if next < playlist.firstNumber {
        let length = Double(playlist.firstNumber - next) * playlist.meanSeconds
        // A larger jump means that the segments were renumbered, so it is not a loss.
        if length <= Self.maxLossSeconds { lost(.seconds(length)) }
        next = playlist.firstNumber
      } else if next > end + 10 {
        next = playlist.firstNumber
      }
      var isStale = false
      while next < end, !isStale {
        let segment = playlist.segments[next - playlist.firstNumber]
        next += 1
        switch transferSegment(
          segment, after: &initializationSection, from: playlistAddress, transfer)
        {
        case .interrupted: return nil
        case .forbidden(let failure): return failure
        case .received: rejectionCount = 0
        case .refused(let failure):
          missing()
          if isLive { lost(.seconds(segment.seconds ?? playlist.meanSeconds)) }
          rejectionCount += 1
          if rejectionCount >= Self.maxRejectionCount { return failure }
          // After a pause the playlist is outdated, so its remaining segments may be unavailable,
          // too.
          let age = System.nanoseconds - listTime
          isStale = isLive && age > Int64(playlist.targetSeconds) * 2_000_000_000
        case .broken(let failure):
          missing()
          if isLive { lost(.seconds(segment.seconds ?? playlist.meanSeconds)) }
          rejectionCount += Self.brokenSegmentWeight
          if rejectionCount >= Self.maxRejectionCount { return failure }
        }
      }
      if playlist.isComplete { return nil }
      if !isStale { interruption.wait(milliseconds: playlist.targetSeconds * 500) }
      var attempt = 1
      while true {
        if interruption.signal != nil { return nil }
        if let (newAddress, newList) = try? reloadPlaylist(playlistAddress, interruption) {
          let now = System.nanoseconds
          let timeout = options.endTimeout(ofSegments: playlist.targetSeconds)
          if newList != playlist {
            changeTime = now
          } else if now - changeTime > timeout {
            return playlistAddress.failure("its playlist is not updated anymore")
          }
          (playlistAddress, playlist) = (newAddress, newList)
          listTime = now
          break
        }
        if attempt == Self.attemptLimit {
          return playlistAddress.failure("its playlist is not available anymore")
        }
        interruption.wait(milliseconds: options.shortRetryDelay(after: attempt))
        attempt += 1
      }
      if let error = Self.encryptionError(playlist, playlistAddress) { return error }
    }
  }

  /// Requests the playlist again.
  private func reloadPlaylist(
    _ playlistAddress: HTTPAddress, _ interruption: Interruption
  ) throws(AACFileError) -> (HTTPAddress, HLSPlaylist) {
    try Self.playlist(
      try HTTPDownload.send(to: playlistAddress, options, interruption).accepted(), options)
  }

  /// Transfers a segment.
  ///
  /// Its initialization section is transferred first, unless it is equal to the last one
  /// transferred.
  private func transferSegment(
    _ segment: HLSPlaylist.Segment,
    after initializationSection: inout HLSPlaylist.Resource?,
    from playlistAddress: HTTPAddress, _ transfer: HTTPTransfer
  ) -> PartState {
    if let first = segment.initializationSection, first != initializationSection {
      let partState = transferResource(first, from: playlistAddress, transfer)
      guard case .received = partState else { return partState }
      initializationSection = first
    }
    return transferResource(segment.resource, from: playlistAddress, transfer)
  }

  /// Transfers a resource.
  ///
  /// After an interruption, the request is repeated for the missing bytes.
  private func transferResource(
    _ part: HLSPlaylist.Resource, from playlistAddress: HTTPAddress, _ transfer: HTTPTransfer
  ) -> PartState {
    let address: HTTPAddress
    do throws(AACFileError) {
      address = try playlistAddress.next(part.location, by: .playlist)
    } catch {
      return .forbidden(error)
    }
    let whole = part.range ?? 0..<Int.max
    var passedCount = 0
    var failure = address.failure("a segment is incomplete")
    for attempt in 1...Self.attemptLimit {
      let rest = whole.lowerBound + passedCount..<whole.upperBound
      let wanted = part.range == nil && passedCount == 0 ? nil : rest
      do throws(AACFileError) {
        var request = try HTTPDownload.send(
          to: address, part: wanted, options, transfer.interruption)
        if request.response.status == 416, passedCount > 0 {
          // The resource ends with the last received byte.
          return .received
        } else if let rejection = request.rejection {
          failure = rejection
          // A missing segment may become available a moment later, so try a second time.
          if request.isPermanentlyRejected, attempt > 1 { return .refused(rejection) }
        } else {
          passedCount += try transfer.transferBody(of: &request) { _ in }
          if request.isComplete { return .received }
          failure = request.connectionError ?? failure
          if request.isTooSlow { return .broken(failure) }
        }
      } catch {
        if error.kind == .interrupted { return .interrupted }
        failure = error
      }
      if transfer.interruption.signal != nil { return .interrupted }
      if attempt < Self.attemptLimit {
        transfer.interruption.wait(milliseconds: options.shortRetryDelay(after: attempt))
      }
    }
    return .broken(failure)
  }
}
