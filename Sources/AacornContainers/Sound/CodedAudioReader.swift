public import AacornCodec
public import AacornSignal

/// Decodes a file with AAC to samples: finds its units, decodes them and applies the file's trim.
///
///     var reader = CodedAudioReader(byteCount: file.size)
///     while true {
///       switch try reader.step() {
///       case .need(let offset, let count): reader.supply(file.read(count, at: offset))
///       case .format(let sampleRate, let channelCount, _): …
///       case .samples: play(reader.samples)
///       case .concealed, .damage: …
///       case .end: return
///       }
///     }
///
/// Damaged or missing units are concealed and reported, so the remaining audio keeps its time. If
/// the edit list of a movie has several entries, their parts are played one after another.
///
/// Memory does not grow with the length of the file, apart from the tables of an MP4 file.
public struct CodedAudioReader: Sendable {
  /// The result of a step.
  public enum Step: Equatable, Sendable {
    /// A request for these bytes, to be passed to ``CodedAudioReader/supply(_:)``; fewer bytes mean
    /// that the file ends there.
    case need(offset: UInt64, count: Int)
    /// The format of the samples that follow, before the first samples and at every change.
    case format(sampleRate: Int, channelCount: Int, layout: ChannelLayout?)
    /// `frameCount` frames are in ``CodedAudioReader/samples`` until the next step.
    case samples(frameCount: Int)
    /// The concealment of a damaged or missing unit; its samples follow, and `position`
    /// is the number of the first one.
    ///
    /// No samples follow a unit that is cut completely and fades into the first one that is not.
    case concealed(position: Int)
    /// Bytes of the file that do not belong to a unit.
    case damage(StreamDamage)
    /// The end of the samples.
    case end
  }

  /// Options for decoding a file.
  public struct Options: Equatable, Sendable {
    /// Whether to cut the encoder delay and the padding, where the file specifies them.
    public var isTrimmed = true
    /// The AAC track to read, counted from 1; nil for the first one.
    public var track: Int?
    /// The options of the decoder.
    public var decoder = AACDecoder.Options()

    /// Creates the default options.
    public init() {}
  }

  /// The sample rate, channel count and channel layout of samples.
  struct Format: Equatable, Sendable {
    var sampleRate: Int
    var channelCount: Int
    var layout: ChannelLayout?
  }

  /// The next action of `step`.
  enum Stage {
    /// Read the next unit.
    case reading
    /// Output silence for the units before the first decodable one.
    case silence(unitCount: Int, isEnding: Bool)
    /// Output concealment for the missing units before `waiting`.
    case missing(unitCount: Int)
    /// Output the decoder's last unit.
    case unit(isConcealed: Bool)
  }

  /// Interleaved samples of the last step at full scale ±1.
  public internal(set) var samples: [Float] = []
  /// The configuration of the coded audio, once known.
  public internal(set) var configuration: AudioSpecificConfig?

  let options: Options
  let isLengthKnown: Bool
  @Boxed var file: CodedFileReader
  @Boxed var decoder: AACDecoder? = nil
  var stage = Stage.reading
  /// The unit that follows the missing units.
  var waiting: CodedUnit?
  /// The expected index of the next unit.
  var nextIndex = 0
  /// The number of units before the first decodable one.
  ///
  /// Only that unit establishes the sample rate.
  var heldCount = 0
  var hasDecoded = false
  /// Whether the current units belong to a configuration that cannot be decoded.
  var isUndecodable = false
  /// The last reported format; nil before the first unit.
  var format: Format?
  var cut = SoundCut()
  /// Samples per channel that the decoder has output.
  var position: Int64 = 0

  var search: StereoSearch

  // Events of the last unit, in the order in which they are reported.
  var newFormat: Format?
  var concealedPosition: Int64?
  var newFrameCount = 0

  /// Creates a reader of a file of `byteCount` bytes, or of a pipe if nil.
  public init(byteCount: UInt64?, options: Options = Options()) {
    self.options = options
    isLengthKnown = byteCount != nil
    file = CodedFileReader(byteCount: byteCount, track: options.track)
    search = StereoSearch(isLive: byteCount == nil)
  }

  /// The kind of the file, once known.
  public var kind: CodedFileKind? { file.kind }

  /// The tables of an MP4 file, once read.
  public var movie: MP4Reader? { file.movie }

  /// Samples per channel of one unit; 0 until ``Step/format(sampleRate:channelCount:layout:)``.
  public internal(set) var unitFrameCount = 0

  /// Whether the samples of the last unit follow; not after a concealed unit that is cut completely.
  package var hasNewFrames: Bool { newFrameCount > 0 }

  /// Supplies the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) { file.supply(bytes) }

  /// Returns the next event.
  public mutating func step() throws(CodedAudioError) -> Step {
    while true {
      if let step = try advance() { return step }
    }
  }

  /// Processes at most one unit; returns nil if there is nothing to report.
  package mutating func advance() throws(CodedAudioError) -> Step? {
    if let step = takeEvent() { return step }
    switch stage {
    case .unit(let isConcealed):
      stage = .reading
      outputUnit(isSilence: false, isConcealed: isConcealed)
    case .silence(let count, let isEnding):
      if count == 0 {
        stage = isEnding ? .reading : .unit(isConcealed: false)
      } else {
        stage = .silence(unitCount: count - 1, isEnding: isEnding)
        outputUnit(isSilence: true, isConcealed: true)
      }
    case .missing(let count):
      concealMissing(count)
    case .reading:
      return try read()
    }
    return nil
  }

  /// Appends the samples of the last unit.
  ///
  /// Access through the storage of the `@Boxed` property avoids a copy.
  mutating func appendDecoded() { _decoder.wrappedValue?.put(into: &samples) }

  /// Returns the next unreported event of the last unit.
  private mutating func takeEvent() -> Step? {
    if let format = newFormat.take() {
      return .format(
        sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout)
    }
    if let position = concealedPosition.take() {
      return .concealed(position: Int(clamping: position))
    }
    if newFrameCount > 0 {
      let count = newFrameCount
      newFrameCount = 0
      return .samples(frameCount: count)
    }
    return nil
  }
}
