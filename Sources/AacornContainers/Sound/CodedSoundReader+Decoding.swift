import AacornCodec
import AacornSignal

/// What becomes of configurations and units: samples, and what is to be told of them.
extension CodedSoundReader {
  /// Makes a decoder for what comes; in the middle of a stream that may fail.
  mutating func take(_ configuration: AudioSpecificConfig) throws(CodedSoundError) {
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

  /// Decodes a unit, and says what is to be put out for it.
  mutating func decode(_ unit: CodedUnit) {
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
  mutating func concealMissing(_ count: Int) {
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
  mutating func putOut(isSilence: Bool, isConcealed: Bool) {
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
    appendDecoded()
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
  mutating func tellFormat() -> (CodedSoundReader.Format, Int) {
    let format = CodedSoundReader.Format(
      sampleRate: sampleRate, channelCount: channelCount, layout: channelLayout)
    return (format, sampleCount)
  }

  /// Appends the last unit's samples.
  mutating func put(into samples: inout [Float]) { append(to: &samples) }
}
