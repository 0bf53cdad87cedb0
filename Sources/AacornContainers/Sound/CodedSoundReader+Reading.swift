import AacornCodec

/// What the file has next, and in which order its units are decoded.
extension CodedSoundReader {
  /// Takes the next thing out of the file; nil if there is nothing to tell yet.
  mutating func read() throws(CodedSoundError) -> Step? {
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
}
