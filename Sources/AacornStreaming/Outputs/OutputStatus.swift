package import AacornCodec

/// A snapshot of the status of one output of a recording or a stream.
package struct OutputStatus: Sendable, Equatable {
  /// The kind of an output.
  package enum Kind: String, Sendable, CaseIterable {
    case icecast, rtmp, hls
    /// An audio file.
    case save

    /// Whether the output has a connection to a remote server.
    package var isServer: Bool { self == .icecast || self == .rtmp }
  }

  /// The reason why an output is not live.
  package struct StreamProblem: Sendable, Equatable {
    /// The error kind, for programs.
    package var keyword: String
    /// A description for users.
    package var message: String

    /// Creates a reason.
    package init(keyword: String, message: String) {
      self.keyword = keyword
      self.message = message
    }
  }

  /// The state of an output, with the reason for it.
  package typealias State = OutputState<StreamProblem>

  /// The kind of the output.
  package let kind: Kind
  /// The unique identifier among the outputs: `icecast`, `rtmp`, `rtmp-2`.
  package let id: String
  /// The address or path, without secrets.
  package let name: String
  /// The address for listeners if this program serves the stream; otherwise empty.
  package var url = ""
  /// The current state.
  package var state = State.ready
  /// The last problem; nil after the output is live again.
  package var problem: StreamProblem?
  /// The number of frames sent or written.
  package var frameCount = 0
  /// The number of frames that did not arrive, and were sent again or dropped.
  package var returnedFrameCount = 0
  /// The number of dropped frames.
  package var droppedFrameCount = 0
  /// The number of bytes sent or written.
  package var byteCount = 0
  /// The number of waiting frames.
  package var queuedFrameCount = 0
  /// The duration of the waiting frames.
  package var queuedMilliseconds = 0
  /// The number of times the connection was lost and reopened.
  package var reconnectCount = 0
  /// The reason why the server did not receive the metadata; nil after it did.
  package var metadataProblem: String?
  /// The reason why the server does not remove old files; nil otherwise.
  package var removalProblem: String?
  /// The number of complete segments; nil for an output without segments.
  package var segmentCount: Int?
  /// The number of segments that did not reach a server; nil for an output without uploads.
  package var droppedSegmentCount: Int?

  /// Creates the status of an output that has not started.
  package init(_ kind: Kind, id: String, name: String) {
    self.kind = kind
    self.id = id
    self.name = name
  }
}

extension OutputStatus {
  /// Whether the output cannot continue.
  package var hasFailed: Bool { state.failure != nil }

  /// Whether the output is empty: no frame was sent, or no segment was completed.
  package var isEmpty: Bool { frameCount == 0 || segmentCount == 0 }

  /// Returns the sent bitrate in bits per second, or nil before 20 frames were sent.
  package func bitrate(_ timing: StreamTiming) -> Double? {
    guard frameCount >= 20, timing.sampleRate > 0 else { return nil }
    return timing.bitrate(byteCount: byteCount, unitCount: frameCount)
  }
}

extension [OutputStatus] {
  /// Whether all outputs have failed; false without outputs.
  package var haveAllFailed: Bool { !isEmpty && allSatisfy(\.hasFailed) }
}
