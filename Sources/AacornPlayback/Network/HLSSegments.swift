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
    _ playlistAddress: HTTPAddress, _ playlist: HLSPlaylist, options: HTTPTransferOptions,
    interruption: Interruption
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
      suggestion: .text("Choose another address for this audio."))
  }

  /// Returns the error for encrypted segments, or nil if the segments are not encrypted.
  private static func encryptionError(
    _ playlist: HLSPlaylist, _ playlistAddress: HTTPAddress
  ) -> AACFileError? {
    guard let method = playlist.encryption else { return nil }
    return AACFileError(
      .unsupported,
      "The HLS stream of \(displayed(playlistAddress.authority)) is encrypted (EXT-X-KEY with "
        + "\(displayed(method))), which is not supported.",
      suggestion: .text("Play it in the service's app."))
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
    /// The resource was not received completely.
    ///
    /// `isRefused`: the server does not have it, or does not allow access to it.
    case missing(AACFileError, isRefused: Bool)
    /// The playlist leads to an address that must not be requested.
    case forbidden(AACFileError)
    /// The playback was interrupted.
    case interrupted
  }

  /// The next action of a transfer.
  private enum Phase {
    /// Transfer the segments of the playlist.
    case segments
    /// Request the playlist again.
    case reload(attempt: Int)
    /// End with an error, or without one after the last segment or an interruption.
    case end(AACFileError?)
  }

  /// The progress of a transfer.
  private struct Progress {
    var address: HTTPAddress
    var playlist: HLSPlaylist
    /// The last transferred initialization section.
    var initializationSection: HLSPlaylist.Resource?
    /// The number of the next segment.
    var next: Int
    /// The time at which the playlist changed.
    var changeTime: Int64
    /// The time at which the playlist was received.
    var listTime: Int64
    /// The number of consecutive rejections.
    var rejectionCount = 0

    init(_ address: HTTPAddress, _ playlist: HLSPlaylist) {
      self.address = address
      self.playlist = playlist
      next = playlist.firstNumber
      if !playlist.isComplete { next += max(0, playlist.segments.count - 3) }
      changeTime = System.nanoseconds
      listTime = changeTime
    }

    /// The number after the last segment of the playlist.
    var end: Int { playlist.firstNumber + playlist.segments.count }

    /// Continues at the first segment if the playlist does not list the next one.
    ///
    /// After a long interruption, the server has removed some segments. After a restart of the
    /// server, the numbers may begin again.
    mutating func skipRemovedSegments(lost: (Duration) -> Void) {
      if next < playlist.firstNumber {
        let length = Double(playlist.firstNumber - next) * playlist.meanSeconds
        // A larger jump means that the segments were renumbered, so it is not a loss.
        if length <= HLSSegments.maxLossSeconds { lost(.seconds(length)) }
        next = playlist.firstNumber
      } else if next > end + 10 {
        next = playlist.firstNumber
      }
    }
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
    var progress = Progress(address, playlist)
    var phase = Phase.segments
    while true {
      switch phase {
      case .segments:
        progress.skipRemovedSegments(lost: lost)
        phase = transferSegments(&progress, transfer, missing: missing, lost: lost)
      case .reload(let attempt): phase = reload(&progress, attempt: attempt, transfer.interruption)
      case .end(let failure): return failure
      }
    }
  }

  /// Transfers the segments from the next one to the end of the playlist.
  private func transferSegments(
    _ progress: inout Progress, _ transfer: HTTPTransfer, missing: () -> Void,
    lost: (Duration) -> Void
  ) -> Phase {
    var isStale = false
    while progress.next < progress.end, !isStale {
      let playlist = progress.playlist
      let segment = playlist.segments[progress.next - playlist.firstNumber]
      progress.next += 1
      switch transferSegment(segment, &progress, with: transfer) {
      case .interrupted: return .end(nil)
      case .forbidden(let failure): return .end(failure)
      case .received: progress.rejectionCount = 0
      case .missing(let failure, let isRefused):
        missing()
        if isLive { lost(.seconds(segment.seconds ?? playlist.meanSeconds)) }
        progress.rejectionCount += isRefused ? 1 : Self.brokenSegmentWeight
        if progress.rejectionCount >= Self.maxRejectionCount { return .end(failure) }
        // After a pause the playlist is outdated, so its remaining segments may be unavailable,
        // too.
        let age = System.nanoseconds - progress.listTime
        isStale = isRefused && isLive && age > Int64(playlist.targetSeconds) * 2_000_000_000
      }
    }
    if progress.playlist.isComplete { return .end(nil) }
    if !isStale {
      transfer.interruption.wait(milliseconds: progress.playlist.targetSeconds * 500)
    }
    return .reload(attempt: 1)
  }

  /// Requests the playlist again.
  private func reload(
    _ progress: inout Progress, attempt: Int, _ interruption: Interruption
  ) -> Phase {
    if interruption.signal != nil { return .end(nil) }
    let address = progress.address
    guard
      let request = try? HTTPDownload.send(to: address, options, interruption).accepted(),
      let (newAddress, newList) = try? Self.playlist(request, options)
    else {
      if attempt == Self.attemptLimit {
        return .end(address.failure("its playlist is not available anymore"))
      }
      interruption.wait(milliseconds: options.shortRetryDelay(after: attempt))
      return .reload(attempt: attempt + 1)
    }
    let now = System.nanoseconds
    if newList != progress.playlist {
      progress.changeTime = now
    } else if now - progress.changeTime > options.endTimeout(ofSegments: newList.targetSeconds) {
      return .end(address.failure("its playlist is not updated anymore"))
    }
    (progress.address, progress.playlist) = (newAddress, newList)
    progress.listTime = now
    return Self.encryptionError(newList, newAddress).map { .end($0) } ?? .segments
  }

  /// Transfers a segment.
  ///
  /// Its initialization section is transferred first, unless it is equal to the last one
  /// transferred.
  private func transferSegment(
    _ segment: HLSPlaylist.Segment, _ progress: inout Progress, with transfer: HTTPTransfer
  ) -> PartState {
    if let first = segment.initializationSection, first != progress.initializationSection {
      let partState = transferResource(first, from: progress.address, transfer)
      guard case .received = partState else { return partState }
      progress.initializationSection = first
    }
    return transferResource(segment.resource, from: progress.address, transfer)
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
          if request.isPermanentlyRejected, attempt > 1 {
            return .missing(rejection, isRefused: true)
          }
        } else {
          passedCount += try transfer.transferBody(of: &request) { _ in }
          if request.isComplete { return .received }
          failure = request.connectionError ?? failure
          if request.isTooSlow { return .missing(failure, isRefused: false) }
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
    return .missing(failure, isRefused: false)
  }
}
