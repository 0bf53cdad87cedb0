/// Finds digital silence: frames in which all channels are below half a 16-bit step.
///
/// NaN counts as silence.
public struct SilenceMeter: Sendable {
  /// A run of silent frames.
  @frozen
  public struct Run: Equatable, Sendable {
    /// The index of its first frame.
    public internal(set) var start: Int64 = 0
    /// Its length in frames.
    public internal(set) var length: Int64 = 0

    init() {}
  }

  /// The minimum magnitude of a sample that is not silence: 16 bits would not round it to 0.
  public static let threshold: Float = 0x1p-16

  /// The number of channels.
  public private(set) var channelCount: Int
  /// The number of frames measured.
  public private(set) var frameCount: Int64 = 0
  /// The longest run of silence, the first one if there are several.
  public private(set) var longest = Run()
  /// The number of silent frames before the first sound.
  public private(set) var leading: Int64 = 0
  private var current = Run()

  /// Creates a meter without any samples; the number of channels is clamped to 1…64.
  public init(channelCount: Int) {
    self.channelCount = SampleLimits.channelCount(channelCount)
  }

  /// The number of silent frames after the last sound; all frames if everything is silent.
  public var trailing: Int64 { current.length }

  /// Measures whole frames; an incomplete frame at the end is ignored.
  public mutating func process(_ samples: Span<Float>) {
    let end = samples.wholeCount(channelCount)
    var index = 0
    while index < end {
      var isSilent = true
      for _ in 0..<channelCount {
        if samples[index].magnitude >= Self.threshold { isSilent = false }
        index += 1
      }
      if isSilent { addSilence() } else { current.length = 0 }
      frameCount += 1
    }
  }

  private mutating func addSilence() {
    if current.length == 0 { current.start = frameCount }
    current.length += 1
    if current.start == 0 { leading = current.length }
    if current.length > longest.length { longest = current }
  }

  /// Continues with other channels and at another rate; all times are converted to that rate.
  mutating func changeFormat(channelCount: Int, from oldRate: Int, to newRate: Int) {
    precondition(channelCount > 0 && oldRate > 0 && newRate > 0)
    self.channelCount = channelCount
    if oldRate == newRate { return }
    func convert(_ value: inout Int64) {
      value = value.rescaled(from: Int64(oldRate), to: Int64(newRate))
    }
    convert(&frameCount)
    convert(&leading)
    convert(&longest.start)
    convert(&longest.length)
    convert(&current.start)
    convert(&current.length)
  }
}
