import AacornSignal

extension RecorderModel {
  /// The state to display.
  public struct State: Sendable, Equatable {
    /// The activity of the model.
    public enum Phase: Sendable, Equatable {
      /// No recording; one can be started.
      case idle
      /// The microphone and the outputs are being opened.
      case opening
      /// A recording is running.
      case recording
      /// The recording is being completed.
      case stopping
    }

    /// The reason why no audio arrives.
    public enum Interruption: Sendable, Equatable {
      /// Another program uses the microphone, for example a call, or the device is suspended.
      case suspended
      /// The microphone or the sound server is disconnected.
      case deviceLost
      /// The microphone is connected, but delivers no audio.
      case stalled
    }

    /// The activity of the model.
    public internal(set) var phase = Phase.idle
    /// Whether recordings are muted.
    public internal(set) var isMuted = false
    /// The reason why no audio arrives; nil without an interruption.
    public internal(set) var interruption: Interruption?
    /// Whether the microphone has delivered only zeros for ten seconds or more: it may be muted, or
    /// the app may lack the permission.
    public internal(set) var isSilent = false
    /// The duration of the recording, in steps of a twentieth of a second; exact after its end.
    public internal(set) var duration = Duration.zero
    /// The level of each channel's meter: 0 at −60 dBFS and below, 1 at full scale.
    ///
    /// Empty between two recordings.
    public internal(set) var meter: [Float] = []
    /// The peak of every twentieth of a second, 0…1, the newest last; at most
    /// ``waveformLength`` of them.
    public internal(set) var waveform: [Float] = []
    /// The last problem, as a message for the user; nil if there was none.
    public internal(set) var message: String?
    /// The finished recordings in the folder, the newest first.
    ///
    /// Updated after every recording and by ``RecorderModel/refresh()``.
    public internal(set) var recordings: [Recording] = []

    /// The maximum number of values in ``waveform``: ten seconds.
    public static let waveformLength = 200

    /// Creates the state before the first recording.
    public init() {}

    /// Whether a recording is running, being opened or being completed.
    public var isBusy: Bool { phase != .idle }

    mutating func begin() {
      phase = .opening
      interruption = nil
      isSilent = false
      duration = .zero
      meter = []
      waveform = []
      message = nil
    }

    /// Appends the levels of another twentieth of a second.
    mutating func append(_ levels: RecordingLevels) {
      meter = levels.channels.map { max(0, min(1, 1 + $0.peakDecibels / 60)) }
      let peak = levels.channels.map(\.peak).max() ?? 0
      waveform.append(min(1, peak))
      let excess = waveform.count - Self.waveformLength
      if excess > 0 { waveform.removeFirst(excess) }
    }

    /// Updates the state after the end, or after a start that failed.
    mutating func end(with summary: RecordingSummary) {
      phase = .idle
      interruption = nil
      isSilent = false
      meter = []
      // A recording that did not begin has no rate.
      if summary.sampleRate > 0 { duration = summary.duration }
      // The user requested the stop, so no message is needed.
      if summary.failure == .stopped { return }
      let reason = summary.failure?.message ?? summary.losses.first?.message
      let messages = [reason, summary.unsavedMessage].compactMap(\.self)
      if !messages.isEmpty { message = messages.joined(separator: " ") }
    }
  }
}
