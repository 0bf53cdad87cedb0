import AacornCodec
import AacornContainers
import AacornInspection
import AacornSignal
import AacornSystem

/// The decoded audio of an AAC file or pipe, from one time to another, in one format.
///
///     CodedInput ─► CodedAudioReader ─► start and duration ─► SoundConformer ─► samples
struct CodedSound {
  /// The damage of a file that affects its audio.
  struct Damage: Equatable {
    /// Units that were damaged or missing, and concealed.
    var concealedCount = 0
    /// The time of the first concealed unit, in seconds from the beginning of the file's audio.
    var firstConcealed: Double?
    /// Pieces of the file that are not units.
    var pieceCount = 0
    /// The byte offset of the first of these pieces.
    var firstOffset: Int?

    /// Whether units are missing without concealment.
    var hasGaps = false

    var isNone: Bool { self == Damage() }
  }

  /// A format change in the middle, and its time in seconds.
  struct Change: Equatable {
    var format: SoundConformer.Format
    var seconds: Double
  }

  /// Audio above the maximum peak that is not a fault.
  struct Burst: Equatable {
    /// The highest peak magnitude; 1 is full scale.
    var peak: Float
    /// The time of the first coded frame above the maximum, in seconds from the beginning of the
    /// file's audio.
    var seconds: Double
  }

  /// The name in messages.
  let name: String
  /// The interleaved frames from the last call of `next`.
  private(set) var samples: [Float] = []
  private(set) var damage = Damage()
  /// The audio far above full scale; nil if there is none.
  private(set) var burst: Burst?
  /// The first change of the format.
  private(set) var change: Change?
  /// The number of bytes of an incomplete frame at the start of an input that was recorded from a
  /// live stream; 0 if there is none.
  ///
  /// They do not count as damage if the audio is encoded again, because the new file does not
  /// contain them.
  private(set) var cutByteCount = 0
  /// Seconds of the file's audio that have been processed.
  private(set) var secondsDone = 0.0

  private let input: CodedInput
  private let options: AACFile.DecodingOptions
  private var reader: CodedAudioReader
  private var conformer: SoundConformer
  private var format: SoundConformer.Format
  /// The number of frames to skip before the start, and of remaining requested frames (nil for
  /// all).
  private var skipCount: Int
  private var wantedCount: Int?
  /// The index of the next frame of the input.
  private var position = 0
  private var isConcealed = false
  private var isEnded = false
  private var hasIntactSound = false
  /// The position in a pipe after its format was detected.
  private let origin: Int
  private var fractionRead: Double?

  /// Opens a file and detects its format; `head` is the part of a pipe that was already read.
  init(
    _ file: InputFile, head: [UInt8] = [], name: String, options: AACFile.DecodingOptions,
    for use: SoundUse
  ) throws(AACFileError) {
    self.name = name
    self.options = options
    let input = CodedInput(file, head: head, for: use)
    var settings = CodedAudioReader.Options()
    settings.isTrimmed = options.isTrimmed
    settings.track = options.track
    settings.decoder.appliesDynamicRange = options.appliesDynamicRange
    var reader = CodedAudioReader(byteCount: input.byteCount, options: settings)
    var damage = Damage()
    var cutByteCount = 0
    let first = try Self.firstFormat(
      &reader, input, damage: &damage, cutByteCount: &cutByteCount, name: name)
    self.input = input
    origin = file.position
    self.damage = damage
    self.cutByteCount = cutByteCount
    format = first
    do throws(AudioConversion.Failure) {
      conformer = try SoundConformer(
        from: first, sampleRate: options.sampleRate, channelCount: options.channelCount,
        mixdown: reader.configuration?.programConfig?.matrixMixdown)
    } catch {
      throw AACFileError(error, name: name)
    }
    skipCount = options.start.sampleCount(at: first.sampleRate)
    wantedCount = options.duration?.sampleCount(at: first.sampleRate)
    if skipCount > 4 * first.sampleRate, reader.seek(toFrame: skipCount) {
      position = skipCount
      skipCount = 0
    }
    self.reader = reader
  }

  var output: SoundConformer.Format { conformer.output }

  /// The total number of output frames, if known from the file.
  var frameCount: Int? {
    guard let total = reader.frameCount else { return nil }
    let start = options.start.sampleCount(at: format.sampleRate)
    let count = min(max(0, total - start), wantedLimit)
    if conformer.output.sampleRate == format.sampleRate { return count }
    let (product, overflow) = count.multipliedReportingOverflow(by: conformer.output.sampleRate)
    let (whole, rest) = product.quotientAndRemainder(dividingBy: format.sampleRate)
    return overflow ? nil : whole + (rest > 0 ? 1 : 0)
  }

  private var wantedLimit: Int {
    options.duration?.sampleCount(at: format.sampleRate) ?? .max
  }

  /// The total seconds of audio to process, if known or estimated.
  var totalSeconds: Double? {
    if let frameCount { return Double(frameCount) / Double(conformer.output.sampleRate) }
    if let duration = options.duration { return Self.seconds(duration) }
    guard let fractionRead, fractionRead > 0 else { return nil }
    return secondsDone / fractionRead
  }

  /// The requested start in seconds; nil for the beginning.
  var startSeconds: Double? {
    options.start > .zero ? Self.seconds(options.start) : nil
  }

  /// Whether the requested part is shorter than a sample.
  var isPartEmpty: Bool { options.duration?.sampleCount(at: format.sampleRate) == 0 }

  /// The end of the file's audio in seconds; valid after the last frame.
  var endSeconds: Double {
    Double(reader.frameCount ?? position) / Double(format.sampleRate)
  }

  /// The warning about an edit list that is not applied, as a message.
  var editWarning: String? { options.isTrimmed ? movie?.editWarning(name) : nil }

  /// The tables of an MP4 file.
  var movie: MP4Reader? { reader.movie }

  /// Whether the tables of an MP4 file are damaged, or refer to missing data.
  var hasDamagedTables: Bool { movie?.damage.isEmpty == false }

  /// Whether any input was damaged or missing.
  var isDamaged: Bool { !damage.isNone || hasDamagedTables }

  /// Whether the file has audio, but none of it could be decoded.
  var isAllConcealed: Bool { damage.concealedCount > 0 && !hasIntactSound }

  /// The maximum number of bytes of a pipe to search for an intact frame.
  private static let searchByteLimit = FrameSource.searchByteLimit(isPiped: true)
  /// The maximum number of damaged frames of a pipe to skip in this search, because a frame may
  /// have only few bytes.
  private static let frameLimit = 1000

  /// Whether a pipe has had only damage for so long that the wait for a frame is not worthwhile.
  private var hasOnlyDamage: Bool {
    guard !hasIntactSound, input.byteCount == nil, options.start == .zero else { return false }
    return damage.concealedCount >= Self.frameLimit
      || input.file.position - origin > Self.searchByteLimit
  }

  /// Fills `samples` with the next frames, at least one; returns false at the end.
  mutating func next() throws(AACFileError) -> Bool {
    samples.removeAll(keepingCapacity: true)
    while samples.isEmpty && !isEnded {
      guard let step = try Self.step(&reader, input, name: name, fraction: &fractionRead) else {
        continue
      }
      switch step {
      case .need: break
      case .format(let rate, let count, let layout):
        try change(
          to: SoundConformer.Format(sampleRate: rate, channelCount: count, layout: layout))
      case .concealed(let position):
        isConcealed = reader.hasNewFrames
        record(concealedAt: position)
      case .damage(let piece): damage.record(piece)
      case .samples(let count): processSamples(count)
      case .end: end()
      }
      if hasOnlyDamage { throw .withoutDecodableFrames(name) }
    }
    return !samples.isEmpty
  }

  private mutating func processSamples(_ count: Int) {
    if !isConcealed { hasIntactSound = true }
    isConcealed = false
    position += count
    let skipped = min(skipCount, count)
    skipCount -= skipped
    let taken = min(count - skipped, wantedCount ?? .max)
    if taken > 0 {
      secondsDone += Double(taken) / Double(format.sampleRate)
      let channels = format.channelCount
      var frames = reader.samples
      if taken < count {
        frames = Array(frames[skipped * channels..<(skipped + taken) * channels])
      }
      measure(frames, at: position - count + skipped)
      conformer.process(frames, into: &samples)
    }
    if let left = wantedCount {
      wantedCount = left - taken
      if left == taken { end() }
    }
  }

  /// Records the peak of frames far above full scale; `first` is their position in the input.
  private mutating func measure(_ frames: [Float], at first: Int) {
    let peak = unsafe Lanes.peak(frames, frames.count)
    if peak <= AudioReport.maxAllowedPeak { return }
    let seconds = burst?.seconds ?? Double(first) / Double(format.sampleRate)
    burst = Burst(peak: max(peak, burst?.peak ?? 0), seconds: seconds)
  }

  private mutating func end() {
    if isEnded { return }
    isEnded = true
    conformer.finish(into: &samples)
  }

  /// Counts a concealed unit, unless it and the next one, into which it fades, are before the start.
  private mutating func record(concealedAt first: Int) {
    if skipCount >= 2 * reader.unitFrameCount { return }
    damage.record(concealedAt: Double(first) / Double(format.sampleRate))
  }

  private mutating func change(to format: SoundConformer.Format) throws(AACFileError) {
    if format == self.format { return }
    let mixdown = reader.configuration?.programConfig?.matrixMixdown
    do throws(AudioConversion.Failure) {
      try conformer.changeFormat(to: format, mixdown: mixdown, into: &samples)
    } catch {
      throw AACFileError(error, name: name)
    }
    if change == nil {
      change = Change(
        format: format, seconds: Double(position) / Double(self.format.sampleRate))
    }
    // Convert counts of frames at the old rate.
    skipCount = Self.rescale(skipCount, from: self.format.sampleRate, to: format.sampleRate)
    wantedCount = wantedCount.map {
      Self.rescale($0, from: self.format.sampleRate, to: format.sampleRate)
    }
    self.format = format
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }

  private static func rescale(_ count: Int, from rate: Int, to newRate: Int) -> Int {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: rate)
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: newRate)
    return overflow ? .max : whole + rest * newRate / rate
  }

  /// Does a step of the reader and supplies requested bytes; returns nil if there is no result.
  private static func step(
    _ reader: inout CodedAudioReader, _ input: CodedInput, name: String,
    fraction: inout Double?
  ) throws(AACFileError) -> CodedAudioReader.Step? {
    let step: CodedAudioReader.Step?
    do throws(CodedAudioError) {
      step = try reader.advance()
    } catch {
      if input.file.position == 0 { throw .empty(name) }
      throw input.failure(error, name: name)
    }
    if case .need(let offset, let count)? = step {
      fraction = input.fraction(before: offset)
      reader.supply(try input.bytes(at: offset, count: count))
    }
    return step
  }

  private static func firstFormat(
    _ reader: inout CodedAudioReader, _ input: CodedInput, damage: inout Damage,
    cutByteCount: inout Int, name: String
  ) throws(AACFileError) -> SoundConformer.Format {
    var fraction: Double?
    var origin: Int?
    while true {
      let step = try Self.step(&reader, input, name: name, fraction: &fraction)
      if input.byteCount == nil, reader.kind == .adts || reader.kind == .latm {
        let first = origin ?? input.file.position
        origin = first
        if input.file.position - first > searchByteLimit { throw .withoutDecodableFrames(name) }
      }
      guard let step else { continue }
      switch step {
      case .need, .samples, .concealed: break
      case .damage(let piece) where input.use == .encoding && piece.isCutFrame:
        cutByteCount = piece.length
      case .damage(let piece): damage.record(piece)
      case .end:
        if input.file.position == 0 { throw .empty(name) }
        throw .withoutSamples(name)
      case .format(let rate, let count, let layout):
        return SoundConformer.Format(sampleRate: rate, channelCount: count, layout: layout)
      }
    }
  }
}

extension StreamDamage {
  /// Whether the damage can be the remainder of a frame that began before the stream.
  fileprivate var isCutFrame: Bool {
    // The length of an ADTS frame has 13 bits, and the length of a LOAS frame fewer.
    offset == 0 && length < 1 << 13 && [.garbage, .invalidHeader, .frameTooShort].contains(kind)
  }
}

extension CodedSound.Damage {
  /// Returns a clause about the concealed units of the named file, or nil if there are none.
  func concealment(of name: String? = nil) -> String? {
    guard let firstConcealed else { return nil }
    let frames = QuantityText.count(concealedCount, "frame") + (name.map { " of \($0)" } ?? "")
    return "\(frames) \(concealedCount == 1 ? "is" : "are") damaged or missing, the first at "
      + "\(QuantityText.duration(firstConcealed)); the errors were concealed"
  }

  /// Counts a concealed unit at a time in seconds.
  mutating func record(concealedAt seconds: Double) {
    concealedCount += 1
    if firstConcealed == nil { firstConcealed = seconds }
  }

  /// Counts a skipped piece of the file, unless no audio was in it.
  mutating func record(_ piece: StreamDamage) {
    if piece.kind == .parametersChanged { return }
    // Missing units in the middle are counted when they are concealed.
    if piece.kind == .missingUnits {
      hasGaps = true
      return
    }
    pieceCount += 1
    if firstOffset == nil { firstOffset = piece.offset }
  }
}

// The warnings and the tags for encoding decoded audio again.
extension CodedSound {
  /// The warning about concealed units, as a message; nil if there are none.
  var concealmentWarning: String? {
    damage.concealment(of: "“\(displayed(name))”").map { $0 + "." }
  }

  /// The warning about audio far above full scale, as a message; nil if there is none.
  var burstWarning: String? {
    guard let burst else { return nil }
    let peak = QuantityText.fixed(Double(Decibels.of(amplitude: burst.peak)), decimals: 1)
    return "“\(displayed(name))” peaks at \(peak) dBFS and exceeds 6 dBFS first at "
      + "\(QuantityText.duration(burst.seconds)); unless its source was that loud, it is damaged there. "
      + "“aacorn inspect --sound” shows the frame."
  }

  /// Warnings about lost quality and lost parts, as messages.
  var secondLossWarnings: [String] {
    let quotedPath = "“\(displayed(name))”"
    var warnings = [
      "\(quotedPath) is encoded already. Encoding it again reduces its quality further."
    ]
    if cutByteCount > 0 {
      let count = QuantityText.count(cutByteCount, "byte")
      warnings.append(
        "\(quotedPath) begins in the middle of a frame; "
          + "skipped \(count) before the first complete one.")
    }
    if isDamaged {
      warnings.append("\(quotedPath) is damaged; missing audio was concealed.")
    }
    if let burstWarning { warnings.append(burstWarning) }
    if let editWarning { warnings.append(editWarning) }
    if change != nil {
      warnings.append("\(quotedPath) changes its rate or channels; the audio was converted.")
    }
    return warnings
  }

  /// Returns the tags and chapters of an MP4 file, with the cover if it is readable, or the tags of
  /// a stream.
  func tags() throws(AACFileError) -> InputTags { try input.tags(of: movie, name: name) }
}

extension MP4Reader {
  /// Returns the warning about an edit list that is not applied, as a message; `name` is the
  /// file's.
  func editWarning(_ name: String) -> String? {
    hasBackwardEdits
      ? "The edit list of “\(displayed(name))” repeats or reorders parts of the audio; each part was "
        + "read once, in the stored order." : nil
  }
}
