public import AacornCodec
public import AacornSignal

/// Turns a file with AAC into samples: finds its units, decodes them and cuts what the file says.
///
///     var reader = CodedSoundReader(byteCount: file.size)
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
/// What is damaged is replaced, so that all the rest keeps its time; each such place is told. Where
/// the edit list of a movie has several entries, what they play follows one another.
/// Memory does not grow with the length of the file, apart from the tables of an MP4 file.
public struct CodedSoundReader: Sendable {
  /// What comes next.
  public enum Step: Equatable, Sendable {
    /// These bytes, to be passed to ``CodedSoundReader/supply(_:)``; fewer means that the file ends
    /// there.
    case need(offset: UInt64, count: Int)
    /// What the samples that follow are; comes before the first ones and when it changes.
    case format(sampleRate: Int, channelCount: Int, layout: ChannelLayout?)
    /// So many frames are in ``CodedSoundReader/samples`` until the next step.
    case samples(frameCount: Int)
    /// The next samples, the first of which has this number, stand in for a unit that is damaged or
    /// missing.
    case concealed(position: Int)
    /// Bytes of the file that are no units.
    case damage(StreamDamage)
    /// No more samples.
    case end
  }

  /// What to do with a file.
  public struct Options: Equatable, Sendable {
    /// Whether the encoder's delay and the padding of the last unit are cut, where the file tells
    /// them.
    public var isTrimmed = true
    /// Which AAC track is read, counted from 1; nil for the first one.
    public var track: Int?
    /// How the units are decoded.
    public var decoder = AACDecoder.Options()

    /// The usual options.
    public init() {}
  }

  /// The rate, channels and loudspeakers of samples.
  struct Format: Equatable, Sendable {
    var sampleRate: Int
    var channelCount: Int
    var layout: ChannelLayout?
  }

  /// What the loop of `step` does next.
  enum Stage {
    /// Asks for the next unit.
    case reading
    /// Puts out silence for units before the first one that could be decoded.
    case silence(unitCount: Int, isEnding: Bool)
    /// Puts out what stands in for units that are missing before the one that waits.
    case missing(unitCount: Int)
    /// Puts out what the decoder has.
    case unit(isConcealed: Bool)
  }

  /// Interleaved samples at full scale ±1, as many as the last step said.
  public internal(set) var samples: [Float] = []
  /// How the units are coded, once known.
  public internal(set) var configuration: AudioSpecificConfig?

  let options: Options
  let isLengthKnown: Bool
  @Boxed var file: CodedFileReader
  @Boxed var decoder: AACDecoder? = nil
  var stage = Stage.reading
  /// The unit behind those that are missing.
  var waiting: CodedUnit?
  /// The number that the next unit has if none is missing.
  var nextIndex = 0
  /// Units before the first one that could be decoded: only that one tells the rate for certain.
  var heldCount = 0
  var hasDecoded = false
  /// Whether the units that come now are announced as something that cannot be decoded.
  var isForeign = false
  /// The format last told; nil before the first unit.
  var format: Format?
  var cut = SoundCut()
  /// Samples per channel that the decoder has put out.
  var position: Int64 = 0

  /// Looks for parametric stereo ahead of the decoder, at the start of a stream with one channel.
  @Boxed var scout: AACDecoder? = nil
  /// Units that the scout has seen, and the decoder has not; the first comes last once it is done.
  var scouted: [CodedUnit] = []
  /// What came after those units.
  var held: CodedFileReader.Step?

  /// What has been read for segments, which are decoded elsewhere.
  @Boxed var ahead: UnitsAhead? = nil

  // What a unit gives, in the order in which it is told.
  var newFormat: Format?
  var concealedPosition: Int64?
  var newFrameCount = 0

  /// A reader of a file of this many bytes, or of a pipe, whose length is nil.
  public init(byteCount: UInt64?, options: Options = Options()) {
    self.options = options
    isLengthKnown = byteCount != nil
    file = CodedFileReader(byteCount: byteCount, track: options.track)
  }

  /// What kind of file it is, once known.
  public var kind: CodedFileKind? { file.kind }

  /// The tables of an MP4 file, once read.
  public var movie: MP4Reader? { file.movie }

  /// Samples per channel of one unit; 0 until ``Step/format(sampleRate:channelCount:layout:)``.
  public internal(set) var unitFrameCount = 0

  /// Takes the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) { file.supply(bytes) }

  /// The next event.
  public mutating func step() throws(CodedSoundError) -> Step {
    while true {
      if let step = try move() { return step }
    }
  }

  /// Goes on by one unit at most; nil if there is nothing to tell yet.
  package mutating func move() throws(CodedSoundError) -> Step? {
    if let step = takeEvent() { return step }
    switch stage {
    case .unit(let isConcealed):
      stage = .reading
      putOut(isSilence: false, isConcealed: isConcealed)
    case .silence(let count, let isEnding):
      if count == 0 {
        stage = isEnding ? .reading : .unit(isConcealed: false)
      } else {
        stage = .silence(unitCount: count - 1, isEnding: isEnding)
        putOut(isSilence: true, isConcealed: true)
      }
    case .missing(let count):
      concealMissing(count)
    case .reading:
      return try read()
    }
    return nil
  }

  /// Appends what was decoded here or elsewhere: by its storage, which is apart from the samples.
  mutating func appendDecoded() {
    if _ahead.wrappedValue?.put(into: &samples) != true {
      _decoder.wrappedValue?.put(into: &samples)
    }
  }

  /// What the last unit gave and has not been told yet.
  private mutating func takeEvent() -> Step? {
    if let format = newFormat {
      newFormat = nil
      return .format(
        sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout)
    }
    if let position = concealedPosition {
      concealedPosition = nil
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
