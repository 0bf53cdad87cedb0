import AacornCodec
import AacornSignal

/// Decoding: turns configurations and units into samples and events.
extension CodedAudioReader {
  /// Creates a decoder for the following units.
  ///
  /// Throws only before the first decoded unit; later, an unsupported configuration counts as
  /// damage.
  mutating func makeDecoder(for configuration: AudioSpecificConfig) throws(CodedAudioError) {
    isUndecodable = false
    // After a seek, the file may repeat the configuration; keep the decoder then.
    if self.configuration == configuration { return }
    do throws(DecoderError) {
      decoder = try AACDecoder(configuration, options: options.decoder)
    } catch {
      // In the middle of a stream, an unsupported configuration is damage. The next configuration
      // may be valid again.
      guard hasDecoded else { throw .decoder(error) }
      isUndecodable = true
      return
    }
    self.configuration = configuration
    // Parametric stereo may be signaled only in the units, and only from a later unit on. So search
    // for it first, with a copy of the decoder.
    if format == nil, configuration.channelCount == 1, decoder?.channelCount == 1 {
      searchDecoder = decoder
    }
  }

  /// Decodes a unit and sets the stage that outputs it.
  mutating func decode(_ unit: CodedUnit) {
    if isUndecodable {
      _ = decodeNext(nil)
      stage = .unit(isConcealed: true)
      return
    }
    guard let isDecoded = decodeNext(unit.bytes) else { return }
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

  /// Decodes the next unit; `unit` is nil if it is missing.
  ///
  /// - Returns: Whether the unit was decoded rather than concealed; nil without a decoder.
  private mutating func decodeNext(_ unit: [UInt8]?) -> Bool? {
    guard let unit else {
      decoder?.conceal()
      return false
    }
    guard let outcome = decoder?.decode(unit) else { return nil }
    return outcome == .decoded
  }

  /// Outputs the concealment of the first missing unit, or decodes the unit after the gap.
  mutating func concealMissing(_ count: Int) {
    if count > 0, hasDecoded {
      stage = .missing(unitCount: count - 1)
      _ = decodeNext(nil)
      outputUnit(isSilence: false, isConcealed: true)
      return
    }
    heldCount += count
    stage = .reading
    if let unit = waiting.take() { decode(unit) }
  }

  /// Appends the kept samples of the last unit to `samples` and records the events to report.
  mutating func outputUnit(isSilence: Bool, isConcealed: Bool) {
    guard let (current, count) = decoder?.currentFormat(), count > 0, current.channelCount > 0
    else {
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
    guard let kept = cut.kept(in: start..<position) else {
      // A unit that is not heard fades into the next one.
      let next = position..<position + Int64(count)
      if isConcealed { concealedPosition = cut.kept(in: next)?.number }
      return
    }
    if isConcealed { concealedPosition = kept.number }
    newFrameCount = kept.count
    samples.removeAll(keepingCapacity: true)
    if isSilence {
      samples.append(
        contentsOf: repeatElement(0, count: newFrameCount * current.channelCount))
      return
    }
    appendDecoded()
    if kept.count < count {
      cut.keep(start..<position, of: &samples, channelCount: current.channelCount)
    }
  }

  private func firstCut(_ sampleRate: Int, unitFrameCount: Int) -> SoundCut {
    guard options.isTrimmed, let movie = file.movie else { return SoundCut() }
    return SoundCut(
      movie, unitFrameCount: unitFrameCount, sampleRate: sampleRate,
      isComplete: isLengthKnown || movie.fragmentCount == 0) ?? SoundCut()
  }
}

extension AACDecoder {
  // `mutating` so that access through the optional makes no copy. A copy would retain all of the
  // decoder's memory.

  /// Returns the format of the last unit's samples, and the number of samples per channel.
  mutating func currentFormat() -> (CodedAudioReader.Format, Int) {
    let format = CodedAudioReader.Format(
      sampleRate: sampleRate, channelCount: channelCount, layout: channelLayout)
    return (format, sampleCount)
  }

  /// Appends the last unit's samples.
  mutating func put(into samples: inout [Float]) { append(to: &samples) }
}

/// The search for parametric stereo at the start of a stream with one channel.
///
/// Parametric stereo may be signaled late, but a file should keep one format.
extension CodedAudioReader {
  /// The maximum number of units to search for parametric stereo.
  ///
  /// 128 units last about six seconds (1024 samples each at 22.05 kHz). For a pipe, which may be
  /// live, the limit is lower, because the search delays the audio.
  private var searchLimit: Int { isLengthKnown ? 128 : 16 }
  /// The number of units without band replication that rule out parametric stereo.
  private static let monoUnitLimit = 4

  /// Checks a unit for parametric stereo.
  mutating func peek(at unit: CodedUnit) {
    searchedUnits.list.append(unit)
    guard searchDecoder?.decode(unit.bytes) != nil,
      let (format, count) = searchDecoder?.currentFormat()
    else {
      return
    }
    let isCoreOnly = count == configuration?.frameLength
    if format.channelCount == 2 || searchedUnits.list.count >= searchLimit
      || isCoreOnly && searchedUnits.list.count >= Self.monoUnitLimit
    {
      endSearch()
    }
  }

  /// Starts the decoder, with two channels if the search found parametric stereo.
  mutating func endSearch() {
    if searchDecoder?.currentFormat().0.channelCount == 2, let configuration {
      var options = options.decoder
      options.expectsParametricStereo = true
      if let stereo = try? AACDecoder(configuration, options: options) { decoder = stereo }
    }
    searchDecoder = nil
  }
}

/// Reading: fetches steps from the file and passes its units to the decoder in order.
extension CodedAudioReader {
  /// Reads the next step of the file; returns nil if there is nothing to report.
  mutating func read() throws(CodedAudioError) -> Step? {
    let step = try nextFileStep()
    if searchDecoder != nil {
      switch step {
      case .unit(let unit):
        peek(at: unit)
        return nil
      case .configuration, .end:
        endSearch()
        held = step
        return nil
      case .need, .damage: break
      }
    }
    switch step {
    case .need(let offset, let count): return .need(offset: offset, count: count)
    case .damage(let damage): return .damage(damage)
    case .configuration(let configuration):
      try makeDecoder(for: configuration)
    case .unit(let unit):
      process(unit)
    case .end:
      if heldCount == 0 { return .end }
      // No unit could be decoded.
      stage = .silence(unitCount: heldCount, isEnding: true)
      heldCount = 0
    }
    return nil
  }

  /// Returns the next step: a unit read during the search, the held step, or a step of the file.
  mutating func nextFileStep() throws(CodedAudioError) -> CodedFileReader.Step {
    if searchDecoder == nil, let unit = searchedUnits.take() { return .unit(unit) }
    if let step = held.take() { return step }
    do throws(CodedFileError) {
      return try file.step()
    } catch {
      throw .file(error)
    }
  }

  /// Decodes a unit, or first conceals the missing units before it.
  private mutating func process(_ unit: CodedUnit) {
    let missing = unit.index - nextIndex
    nextIndex = unit.index + 1
    if missing > 0 {
      waiting = unit
      stage = .missing(unitCount: missing)
    } else {
      decode(unit)
    }
  }
}
