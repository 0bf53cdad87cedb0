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
  private enum Stage {
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
  public private(set) var samples: [Float] = []
  /// How the units are coded, once known.
  public private(set) var configuration: AudioSpecificConfig?

  private let options: Options
  private let isLengthKnown: Bool
  @Boxed private var file: CodedFileReader
  @Boxed var decoder: AACDecoder? = nil
  private var stage = Stage.reading
  /// The unit behind those that are missing.
  private(set) var waiting: CodedUnit?
  /// The number that the next unit has if none is missing.
  private(set) var nextIndex = 0
  /// Units before the first one that could be decoded: only that one tells the rate for certain.
  private(set) var heldCount = 0
  private(set) var hasDecoded = false
  /// Whether the units that come now are announced as something that cannot be decoded.
  private(set) var isForeign = false
  /// The format last told; nil before the first unit.
  private var format: Format?
  private(set) var cut = SoundCut()
  /// Samples per channel that the decoder has put out.
  private(set) var position: Int64 = 0

  /// Looks for parametric stereo ahead of the decoder, at the start of a stream with one channel.
  @Boxed private var scout: AACDecoder? = nil
  /// Units that the scout has seen, and the decoder has not; the first comes last once it is done.
  private var scouted: [CodedUnit] = []
  /// What came after those units.
  private var held: CodedFileReader.Step?

  /// What has been read for segments, which are decoded elsewhere.
  @Boxed var ahead: UnitsAhead? = nil

  // What a unit gives, in the order in which it is told.
  private var newFormat: Format?
  private var concealedPosition: Int64?
  private var newFrameCount = 0

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
  public private(set) var unitFrameCount = 0

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

  /// Takes the next thing out of the file; nil if there is nothing to tell yet.
  private mutating func read() throws(CodedSoundError) -> Step? {
    let step: CodedFileReader.Step
    if let next = ahead?.takeStep() { step = next } else { step = try nextFileStep() }
    if scout != nil {
      switch step {
      case .unit(let unit):
        look(at: unit)
        return nil
      case .configuration, .end:
        endScouting()
        held = step
        return nil
      case .need, .damage: break
      }
    }
    switch step {
    case .need(let offset, let count): return .need(offset: offset, count: count)
    case .damage(let damage): return .damage(damage)
    case .configuration(let configuration):
      try take(configuration)
    case .unit(let unit):
      take(unit)
    case .end:
      if heldCount == 0 { return .end }
      // Nothing could be decoded at all.
      stage = .silence(unitCount: heldCount, isEnding: true)
      heldCount = 0
    }
    return nil
  }

  /// What the scout has left, what was held back, or what the file has next.
  mutating func nextFileStep() throws(CodedSoundError) -> CodedFileReader.Step {
    if scout == nil, let unit = scouted.popLast() { return .unit(unit) }
    if let step = held {
      held = nil
      return step
    }
    do throws(CodedFileError) {
      return try file.step()
    } catch {
      throw .file(error)
    }
  }

  /// Decodes a unit, or first what is missing before it.
  private mutating func take(_ unit: CodedUnit) {
    let missing = unit.index - nextIndex
    nextIndex = unit.index + 1
    if missing > 0 {
      waiting = unit
      stage = .missing(unitCount: missing)
    } else {
      decode(unit)
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

// MARK: - Decoding

extension CodedSoundReader {
  private mutating func take(_ configuration: AudioSpecificConfig) throws(CodedSoundError) {
    isForeign = false
    // After a seek the same one may come again.
    if self.configuration == configuration { return }
    do throws(DecoderError) {
      decoder = try AACDecoder(configuration, options: options.decoder)
    } catch {
      // In the middle of a stream that is damage, and what follows may be as before.
      guard hasDecoded else { throw .decoder(error) }
      isForeign = true
      return
    }
    self.configuration = configuration
    // Parametric stereo may be told only by the units, and some of them later than others.
    if format == nil, configuration.channelCount == 1, decoder?.channelCount == 1 {
      scout = decoder
    }
  }

  /// Units that are searched for parametric stereo; six seconds, but of a pipe, which may be live,
  /// less.
  private var scoutingLimit: Int { isLengthKnown ? 128 : 16 }
  /// Units without band replication that are enough to know that there is none.
  private static let plainLimit = 4

  /// Looks for parametric stereo in a unit.
  private mutating func look(at unit: CodedUnit) {
    scouted.append(unit)
    guard scout?.decode(unit.bytes) != nil, let scout else { return }
    let isPlain = scout.sampleCount == configuration?.frameLength
    if scout.channelCount == 2 || scouted.count >= scoutingLimit
      || isPlain && scouted.count >= Self.plainLimit
    {
      endScouting()
    }
  }

  /// Lets the decoder begin, with two channels if there is parametric stereo.
  private mutating func endScouting() {
    if scout?.channelCount == 2, let configuration {
      var options = options.decoder
      options.expectsParametricStereo = true
      if let stereo = try? AACDecoder(configuration, options: options) { decoder = stereo }
    }
    scout = nil
    scouted.reverse()
  }

  private mutating func decode(_ unit: CodedUnit) {
    if isForeign {
      _ = advance(nil)
      stage = .unit(isConcealed: true)
      return
    }
    guard let isDecoded = advance(unit.bytes) else { return }
    if isDecoded {
      stage =
        heldCount > 0
        ? .silence(unitCount: heldCount, isEnding: false) : .unit(isConcealed: false)
      heldCount = 0
      hasDecoded = true
    } else if hasDecoded {
      stage = .unit(isConcealed: true)
    } else {
      heldCount += 1
    }
  }

  /// Decodes the next unit, nil for one that is missing, or takes what was made of it elsewhere;
  /// whether it was decoded and not replaced, or nil without a decoder.
  private mutating func advance(_ unit: [UInt8]?) -> Bool? {
    if let isDecoded = outcomeAhead() { return isDecoded }
    guard let unit else {
      decoder?.conceal()
      return false
    }
    guard let outcome = decoder?.decode(unit) else { return nil }
    return outcome == .decoded
  }

  /// Puts out what stands in for the first of the missing units, or decodes the one behind them.
  private mutating func concealMissing(_ count: Int) {
    if count > 0, hasDecoded {
      stage = .missing(unitCount: count - 1)
      _ = advance(nil)
      putOut(isSilence: false, isConcealed: true)
      return
    }
    heldCount += count
    stage = .reading
    if let unit = waiting {
      waiting = nil
      decode(unit)
    }
  }

  /// Takes what is kept of the decoder's last unit into `samples`, and notes what is to be told.
  private mutating func putOut(isSilence: Bool, isConcealed: Bool) {
    guard let (current, count) = decoder?.tellFormat(), count > 0, current.channelCount > 0 else {
      return
    }
    unitFrameCount = count
    if current != format {
      if format == nil { cut = firstCut(current.sampleRate, unitFrameCount: count) }
      format = current
      newFormat = current
    }
    let start = position
    position += Int64(count)
    guard let kept = cut.kept(in: start..<position) else { return }
    if isConcealed { concealedPosition = kept.number }
    newFrameCount = kept.count
    samples.removeAll(keepingCapacity: true)
    if isSilence {
      samples.append(
        contentsOf: repeatElement(0, count: newFrameCount * current.channelCount))
      return
    }
    // By their storage, which is apart from the samples.
    if _ahead.wrappedValue?.put(into: &samples) != true {
      _decoder.wrappedValue?.put(into: &samples)
    }
    if kept.count < count {
      cut.keep(start..<position, of: &samples, channelCount: current.channelCount)
    }
  }

  private func firstCut(_ sampleRate: Int, unitFrameCount: Int) -> SoundCut {
    guard options.isTrimmed, let movie = file.movie else { return SoundCut() }
    return SoundCut(
      movie, unitFrameCount: unitFrameCount, sampleRate: sampleRate,
      isWhole: isLengthKnown || movie.fragmentCount == 0) ?? SoundCut()
  }
}

extension AACDecoder {
  // Both could do without changing anything, but a decoder that is an option of another value would
  // then be copied in order to be asked, and a copy retains all its memory.

  /// The format of the last unit's samples, and how many each channel has.
  fileprivate mutating func tellFormat() -> (CodedSoundReader.Format, Int) {
    let format = CodedSoundReader.Format(
      sampleRate: sampleRate, channelCount: channelCount, layout: channelLayout)
    return (format, sampleCount)
  }

  /// Appends the last unit's samples.
  fileprivate mutating func put(into samples: inout [Float]) { append(to: &samples) }
}

// MARK: - Time

extension CodedSoundReader {
  /// How many frames there are in all, as far as the file says it; nil until the format is told.
  public var frameCount: Int? {
    guard format != nil else { return nil }
    if let count = cut.count { return Int(clamping: count) }
    guard isLengthKnown, let movie = file.movie else { return nil }
    let all = Int64(movie.completeSampleCount) * Int64(unitFrameCount)
    return Int(clamping: max(0, all - cut.origin))
  }

  /// What is heard of all that the decoder puts out, in its samples, once the format is told; the
  /// last part of a stream without such limits ends at `Int64.max`.
  package var heardParts: [Range<Int64>] { cut.parts.map { $0.samples } }

  /// Units that are decoded before the one that is wanted, so that it sounds as it would have.
  ///
  /// The overlap needs one; the tools that look back at more of them, and band replication, whose
  /// header and envelopes may refer to earlier ones, are given a little more.
  private var leadCount: Int {
    unitFrameCount > (configuration?.frameLength ?? 0) ? 6 : 3
  }

  /// Continues with the frame of this number, of an MP4 file whose format has been told.
  ///
  /// The result is false, and nothing has changed, where that is not possible.
  public mutating func seek(toFrame frame: Int) -> Bool {
    let unitLength = Int64(unitFrameCount)
    guard unitLength > 0 else { return false }
    let target = cut.sample(ofNumber: Int64(max(0, frame)))
    let unit = Int(clamping: max(0, target / unitLength - Int64(leadCount)))
    guard file.seek(toUnit: unit) else { return false }
    decoder?.reset(atUnit: unit)
    ahead = nil
    stage = .reading
    waiting = nil
    scout = nil
    scouted = []
    held = nil
    heldCount = 0
    newFormat = nil
    concealedPosition = nil
    newFrameCount = 0
    nextIndex = unit
    position = Int64(unit) * unitLength
    cut.begin(at: target)
    return true
  }
}
