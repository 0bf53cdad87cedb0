import AacornCodec
import AacornStreaming
import AacornWeb

/// The momentary status of a stream, as shown by the line, the status page and the metrics.
struct StreamSnapshot: Sendable, Equatable {
  /// The kind of an output.
  enum Kind: String, Sendable, CaseIterable {
    case icecast, rtmp, hls, save
  }

  /// Why an output is not live.
  struct Trouble: Sendable, Equatable {
    /// The kind, for programs.
    var word: String
    /// What happened, for people.
    var sentence: String
  }

  /// The state of an output.
  enum State: Sendable, Equatable {
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

  /// The status of one output.
  struct Output: Sendable, Equatable {
    let kind: Kind
    /// Distinguishes it from the others: `icecast`, `rtmp`, `rtmp-2`.
    let id: String
    /// Its address or path, without secrets.
    let name: String
    var state = State.ready
    /// The last trouble; nil once it is live again.
    var trouble: Trouble?
    /// Frames sent or written.
    var frameCount = 0
    /// Frames that did not arrive and were sent again, or dropped.
    var returnedFrameCount = 0
    var droppedFrameCount = 0
    var byteCount = 0
    var queuedFrameCount = 0
    var queuedMilliseconds = 0
    var reconnectCount = 0
    /// Why its server was not told what is being played; nil once it was.
    var metadataTrouble: String?
    /// Complete segments; nil if it has none.
    var segmentCount: Int?

    init(_ kind: Kind, id: String, name: String) {
      self.kind = kind
      self.id = id
      self.name = name
    }
  }

  /// When it began, in nanoseconds since 1970; 0 before the first sample.
  var startWallTime: Int64 = 0
  var timing = StreamTiming(sampleRate: 0, samplesPerUnit: 1)
  var channelCount = 0
  var sampleCount = 0
  /// Frames from the encoder.
  var frameCount = 0
  var gapCount = 0
  var lostSampleCount = 0
  var drift: Double?
  var levels: [LevelMeterDisplay.Reading] = []
  var clippedSampleCount = 0
  var device: String?
  var isDeviceLost = false
  /// Whether new samples have arrived recently.
  var isFlowing = false
  var isMuted = false
  var isStopping = false
  /// Listeners being waited for before the end.
  var lastListenerCount = 0
  var metadata = LiveMetadata()
  var outputs: [Output] = []

  /// Seconds of audio.
  var seconds: Double { timing.seconds(sampleCount) }

  /// Whether somebody can hear it: audio arrives and at least one output works.
  var isHealthy: Bool {
    isFlowing && !isDeviceLost && outputs.contains { $0.state == .live }
  }

  /// Whether no output is left.
  var haveAllFailed: Bool {
    !outputs.isEmpty && outputs.allSatisfy(\.hasFailed)
  }
}

extension StreamSnapshot.Output {
  var hasFailed: Bool {
    if case .failed = state { true } else { false }
  }

  /// Whether nobody can have heard anything from it: no frame was sent, or no segment completed.
  var hasTakenNothing: Bool { frameCount == 0 || segmentCount == 0 }

  /// The bits per second sent, if enough was sent to tell.
  func bitrate(_ timing: StreamTiming) -> Double? {
    guard frameCount >= 20, timing.sampleRate > 0 else { return nil }
    return timing.bitrate(byteCount: byteCount, unitCount: frameCount)
  }
}

extension StreamSnapshot.State {
  /// Converts the state of a connection, removing secrets from its server's text.
  init(_ state: LiveState, _ redactor: Redactor) {
    func trouble(_ error: NetworkError) -> StreamSnapshot.Trouble {
      StreamSnapshot.Trouble(
        word: error.kind.rawValue, sentence: redactor.clean(error.sentence))
    }
    switch state {
    case .ready: self = .ready
    case .connecting: self = .connecting
    case .live: self = .live
    case .reconnecting(let error, let attempt):
      self = .reconnecting(trouble(error), attempt: attempt)
    case .stopped: self = .stopped
    case .failed(let error): self = .failed(trouble(error))
    }
  }

  /// The state in one word, for programs.
  var word: String {
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
  static let words = ["ready", "connecting", "live", "reconnecting", "stopped", "failed"]

  /// The reason for the state, if something went wrong.
  var trouble: StreamSnapshot.Trouble? {
    switch self {
    case .reconnecting(let trouble, _), .failed(let trouble): trouble
    case .ready, .connecting, .live, .stopped: nil
    }
  }

  /// How many attempts to reconnect there were.
  var attempt: Int {
    if case .reconnecting(_, let attempt) = self { attempt } else { 0 }
  }
}
