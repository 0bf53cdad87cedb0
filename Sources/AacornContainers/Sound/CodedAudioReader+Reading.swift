import AacornCodec

/// Reading: fetches steps from the file and passes its units to the decoder in order.
extension CodedAudioReader {
  /// Reads the next step of the file; returns nil if there is nothing to report.
  mutating func read() throws(CodedAudioError) -> Step? {
    let step: CodedFileReader.Step
    if let next = ahead?.takeStep() { step = next } else { step = try nextFileStep() }
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
    if searchDecoder == nil, let unit = searchedUnits.popLast() { return .unit(unit) }
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
