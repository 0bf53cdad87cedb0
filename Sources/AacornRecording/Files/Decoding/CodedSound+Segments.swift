import AacornCodec
import AacornContainers

// Decoding on several threads: reading and all that comes behind the decoder stay in one.
extension CodedSound {
  /// Threads that decode segments.
  typealias Workers = SegmentWorkers<SegmentDecoder, DecodedSegment>

  /// Begins to decode in segments; false if the file is too short, or its sound cannot be divided.
  mutating func beginSplitting() -> Bool {
    // What is read ahead of a pipe would have to be waited for.
    guard input.byteCount != nil, reader.unitFrameCount > 0 else { return false }
    let shortest = CodedSoundReader.segmentLength * reader.unitFrameCount
    if let frameCount, frameCount <= shortest { return false }
    let (end, overflow) = (position + skipCount).addingReportingOverflow(wantedCount ?? .max)
    return reader.beginSplitting(untilFrame: overflow || wantedCount == nil ? nil : end)
  }

  /// Keeps the threads busy, and passes to the reader what they have made, when it is due.
  mutating func readAhead(with workers: Workers) throws(AACFileError) {
    reading: while !workers.isFull {
      let ahead: CodedSoundReader.Ahead
      do throws(CodedSoundError) {
        ahead = try reader.readAhead()
      } catch {
        throw AACFileError(error, path: name)
      }
      switch ahead {
      case .need(let offset, let count):
        fractionAhead = input.fraction(before: offset)
        reader.supply(try input.bytes(at: offset, count: count))
      case .segment(let segment):
        segmentFractions.append(fractionAhead)
        workers.submit(segment)
      case .end: break reading
      }
    }
    if reader.awaitsSegment, let segment = workers.takeFirst() {
      fractionRead = segmentFractions.removeFirst()
      reader.take(segment)
    }
  }
}
