import AacornSignal
import AacornSystem

/// Makes a track as loud as it is to be heard: gain, pan, mute, solo and fades.
///
/// Every change is a straight line in the time of the mix, so that nothing clicks, and how the sound
/// is cut into blocks is of no account.
struct TrackFader {
  /// The name and the first settings of the track.
  let configuration: TrackConfiguration
  /// The factor of the track's own gain.
  var gain: Float
  /// Where it is between left and right.
  var pan: Double
  /// Whether it is muted by itself.
  var isMuted: Bool
  /// Whether it wants to be heard alone.
  var isSolo: Bool
  /// Where in the mix it begins to fall silent by itself; nil if it does not, or has.
  var stopPosition: Int?
  private let sampleRate: Int
  private let channelCount: Int
  /// The factor of each channel.
  private var levels: [GainRamp]
  /// How far the track has been faded in.
  private var presence: GainRamp
  /// Whether it has ever been faded in.
  private(set) var hasBegun = false
  private var ducker: Ducker?
  /// The factors by which ducking lowers the samples that come next.
  private var ducks: [Float] = []
  /// The greatest magnitude since it was last asked for.
  private var peak: Float = 0

  /// A fader that lets nothing through until it is faded in.
  init(_ configuration: TrackConfiguration, sampleRate: Int, channelCount: Int) {
    self.configuration = configuration
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    gain = Gain.factor(decibels: configuration.gain)
    pan = configuration.pan
    isMuted = configuration.isMuted
    isSolo = configuration.isSolo
    stopPosition = configuration.stopOffset?.sampleCount(at: sampleRate)
    levels = Array(repeating: GainRamp(0), count: channelCount)
    presence = GainRamp(0)
    ducker = configuration.ducking.map { Ducker($0, sampleRate: sampleRate) }
  }

  /// Samples in which a change of gain, pan, mute or solo takes place.
  private var rampLength: Int { max(1, sampleRate / 100) }

  /// What the others have to tell before this track can be mixed; nil if they are of no account.
  var trigger: Ducking.Trigger? { configuration.ducking?.trigger }

  /// Whether it is heard, or becomes so.
  var isFadedIn: Bool { presence.target == 1 }

  /// Whether it has been faded out completely.
  var isFadedOut: Bool { presence.isSettled && presence.target == 0 }

  /// Goes to the present settings; `isSilenced` if the mix, or another track's solo, silences it.
  ///
  /// What has yet to begin is there at once.
  mutating func follow(master: Float, isSilenced: Bool, isFirst: Bool = false) {
    let level = isMuted || isSilenced ? 0 : gain * master
    for channel in levels.indices {
      levels[channel].move(
        to: level * Self.factor(pan: pan, channel: channel, of: channelCount),
        over: isFirst ? 0 : rampLength)
    }
  }

  /// What constant power makes of a channel.
  static func factor(pan: Double, channel: Int, of channelCount: Int) -> Float {
    // The middle is exact, which the sine of an eighth of a turn is not.
    if channelCount != 2 || pan == 0 { return 1 }
    let (sine, cosine) = ElementaryFunctions.sinCosPi((pan + 1) / 4)
    return Float(2.0.squareRoot() * (channel == 0 ? cosine : sine))
  }

  /// Fades in from the next sample on, or after so many samples.
  mutating func fadeIn(after delay: Int = 0) {
    hasBegun = true
    presence.move(to: 1, over: configuration.fadeIn.sampleCount(at: sampleRate), after: delay)
  }

  /// Fades out from the next sample on, or after so many samples.
  mutating func fadeOut(after delay: Int = 0) {
    presence.move(
      to: 0, over: max(rampLength, configuration.fadeOut.sampleCount(at: sampleRate)), after: delay)
  }

  /// Forgets how far it was faded in: what it let through is over, and what follows has a fade of its
  /// own.
  mutating func beginAnew() { presence = GainRamp(0) }

  /// Applies gain, pan and fades to whole frames.
  mutating func apply(to frames: inout [Float]) {
    let isUnchanged = presence.isSettled && levels.allSatisfy { $0.isSettled && $0.value == 1 }
    if isUnchanged && presence.value == 1 { return }
    var index = 0
    while index < frames.count {
      let present = presence.next()
      for channel in 0..<channelCount {
        frames[index] *= levels[channel].next() * present
        index += 1
      }
    }
  }

  /// Takes note of the other tracks' peaks, a number for each frame that comes next.
  mutating func hear(_ peaks: [Float]) {
    ducks.removeAll(keepingCapacity: true)
    for peak in peaks { ducks.append(ducker?.factor(at: peak) ?? 1) }
  }

  /// Gives way to what it has heard, and measures the result.
  mutating func finish(_ frames: inout [Float]) {
    if trigger != nil {
      var index = 0
      for duck in ducks {
        for _ in 0..<channelCount {
          frames[index] *= duck
          index += 1
        }
      }
    }
    for sample in frames {
      let magnitude = sample.magnitude
      peak = magnitude > peak ? magnitude : peak
    }
  }

  /// The greatest magnitude since the last call.
  mutating func takePeak() -> Float {
    defer { peak = 0 }
    return peak
  }
}
