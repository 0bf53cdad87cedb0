package import AacornCodec

/// The momentary status of one output of a recording or a stream.
package struct OutputStatus: Sendable, Equatable {
  /// The kind of an output.
  package enum Kind: String, Sendable, CaseIterable {
    case icecast, rtmp, hls
    /// A file.
    case save
  }

  /// Why an output is not live.
  package struct Trouble: Sendable, Equatable {
    /// The kind, for programs.
    package var word: String
    /// What happened, for people.
    package var sentence: String

    /// A trouble with its word and its sentence.
    package init(word: String, sentence: String) {
      self.word = word
      self.sentence = sentence
    }
  }

  /// The state of an output.
  package enum State: Sendable, Equatable {
    /// No audio has arrived yet.
    case ready
    case connecting
    /// Frames flow.
    case live
    /// The connection is lost, or was never made, and is being retried.
    case reconnecting(Trouble, attempt: Int)
    /// It has ended as requested.
    case stopped
    /// It cannot continue.
    case failed(Trouble)
  }

  /// Its kind.
  package let kind: Kind
  /// Distinguishes it from the others: `icecast`, `rtmp`, `rtmp-2`.
  package let id: String
  /// Its address or path, without secrets.
  package let name: String
  /// Where listeners find it, if this program serves it to them; else empty.
  package var url = ""
  /// What it is doing.
  package var state = State.ready
  /// The last trouble; nil once it is live again.
  package var trouble: Trouble?
  /// Frames sent or written.
  package var frameCount = 0
  /// Frames that did not arrive and were sent again, or dropped.
  package var returnedFrameCount = 0
  /// Frames that were given up.
  package var droppedFrameCount = 0
  /// Bytes sent or written.
  package var byteCount = 0
  /// Frames that wait.
  package var queuedFrameCount = 0
  /// How long they last.
  package var queuedMilliseconds = 0
  /// How often its connection was lost and opened again.
  package var reconnectCount = 0
  /// Why its server was not told what is being played; nil once it was.
  package var metadataTrouble: String?
  /// Why its server keeps what should be removed; nil if it does not.
  package var removalTrouble: String?
  /// Complete segments; nil if it has none.
  package var segmentCount: Int?
  /// Segments that did not reach a server; nil if they need not.
  package var droppedSegmentCount: Int?

  /// An output that has not begun.
  package init(_ kind: Kind, id: String, name: String) {
    self.kind = kind
    self.id = id
    self.name = name
  }
}

extension OutputStatus {
  /// Whether it cannot continue.
  package var hasFailed: Bool {
    if case .failed = state { true } else { false }
  }

  /// Whether nobody can have heard anything from it: no frame was sent, or no segment completed.
  package var hasTakenNothing: Bool { frameCount == 0 || segmentCount == 0 }

  /// The bits per second sent, if enough was sent to tell.
  package func bitrate(_ timing: StreamTiming) -> Double? {
    guard frameCount >= 20, timing.sampleRate > 0 else { return nil }
    return timing.bitrate(byteCount: byteCount, unitCount: frameCount)
  }
}

extension [OutputStatus] {
  /// Whether no output is left.
  package var haveAllFailed: Bool { !isEmpty && allSatisfy(\.hasFailed) }
}

extension OutputStatus.State {
  /// The state in one word, for programs.
  package var word: String {
    switch self {
    case .ready: "ready"
    case .connecting: "connecting"
    case .live: "live"
    case .reconnecting: "reconnecting"
    case .stopped: "stopped"
    case .failed: "failed"
    }
  }

  /// All possible words.
  package static var words: [String] {
    ["ready", "connecting", "live", "reconnecting", "stopped", "failed"]
  }

  /// The reason for the state, if something went wrong.
  package var trouble: OutputStatus.Trouble? {
    switch self {
    case .reconnecting(let trouble, _), .failed(let trouble): trouble
    case .ready, .connecting, .live, .stopped: nil
    }
  }

  /// How many attempts to reconnect there were.
  package var attempt: Int {
    if case .reconnecting(_, let attempt) = self { attempt } else { 0 }
  }
}
