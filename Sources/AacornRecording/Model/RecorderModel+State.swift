import AacornSignal

extension RecorderModel {
  /// What a screen shows.
  public struct State: Sendable, Equatable {
    /// What the model does.
    public enum Phase: Sendable, Equatable {
      /// Nothing; a recording can be started.
      case idle
      /// The microphone and the outputs are being opened.
      case opening
      /// A recording is made.
      case recording
      /// The recording is being completed.
      case stopping
    }

    /// Why silence is recorded instead of sound.
    public enum Interruption: Sendable, Equatable {
      /// Something else has the microphone, such as a call, or the device sleeps.
      case suspended
      /// The microphone or the sound server is gone.
      case deviceLost
    }

    /// What the model does.
    public internal(set) var phase = Phase.idle
    /// Whether recordings are muted.
    public internal(set) var isMuted = false
    /// Why silence is recorded now; nil if sound is.
    public internal(set) var interruption: Interruption?
    /// How long the recording is, to a twentieth of a second; after its end exactly.
    public internal(set) var duration = Duration.zero
    /// How far the meter of each channel goes out: 0 at −60 dBFS and below, 1 at full scale.
    ///
    /// Empty between two recordings.
    public internal(set) var meter: [Float] = []
    /// The peak of every twentieth of a second, 0…1, the newest last; at most
    /// ``waveformLength`` of them.
    public internal(set) var waveform: [Float] = []
    /// What went wrong last, in sentences for people; nil if nothing did.
    public internal(set) var message: String?
    /// The finished recordings in the folder, the newest first.
    ///
    /// They are looked for after every recording and by ``RecorderModel/refresh()``.
    public internal(set) var recordings: [Recording] = []

    /// How many values ``waveform`` has at most: those of ten seconds.
    public static let waveformLength = 200

    /// The state before the first recording.
    public init() {}

    /// Whether a recording is made, or about to be.
    public var isBusy: Bool { phase != .idle }

    /// A recording is about to be made.
    mutating func begin() {
      phase = .opening
      interruption = nil
      duration = .zero
      meter = []
      waveform = []
      message = nil
    }

    /// Takes the levels of another twentieth of a second.
    mutating func append(_ levels: RecordingLevels) {
      meter = levels.channels.map { max(0, min(1, 1 + $0.peakDecibels / 60)) }
      let peak = levels.channels.map(\.peak).max() ?? 0
      waveform.append(min(1, peak))
      let excess = waveform.count - Self.waveformLength
      if excess > 0 { waveform.removeFirst(excess) }
    }

    /// The recording has ended, or did not begin.
    mutating func end(with summary: RecordingSummary) {
      phase = .idle
      interruption = nil
      meter = []
      // One that did not begin has no rate.
      if summary.sampleRate > 0 { duration = summary.duration }
      // Whoever stopped it knows.
      if summary.failure == .stopped { return }
      let reason = summary.failure?.sentence ?? summary.losses.first?.sentence
      let sentences = [reason, summary.unsavedSentence].compactMap(\.self)
      if !sentences.isEmpty { message = sentences.joined(separator: " ") }
    }
  }
}
