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
    if format == nil, configuration.channelCount == 1, let decoder, decoder.channelCount == 1 {
      search.begin(decoder, frameLength: configuration.frameLength)
    }
  }

  /// Replaces the decoder before the first unit by one with two channels.
  mutating func makeStereoDecoder() {
    guard let configuration else { return }
    var options = options.decoder
    options.expectsParametricStereo = true
    if let stereo = try? AACDecoder(configuration, options: options) { decoder = stereo }
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

/// Reading: fetches steps from the file and passes its units to the decoder in order.
extension CodedAudioReader {
  /// Reads the next step of the file; returns nil if there is nothing to report.
  mutating func read() throws(CodedAudioError) -> Step? {
    let step = try nextFileStep()
    if search.isRunning, search.hold(step) {
      if !search.isRunning, search.hasFoundStereo { makeStereoDecoder() }
      return nil
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

  /// Returns the next step: one that the search has held, or a step of the file.
  private mutating func nextFileStep() throws(CodedAudioError) -> CodedFileReader.Step {
    if let step = search.take() { return step }
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
