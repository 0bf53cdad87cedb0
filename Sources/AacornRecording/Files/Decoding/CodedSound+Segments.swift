import AacornCodec
import AacornContainers
import AacornSystem

// Decoding on several threads. Reading and all stages after the decoder stay on one thread.
extension CodedSound {
  typealias Workers = SegmentWorkers<SegmentDecoder, DecodedSegment>

  /// Begins decoding in segments; returns false if the file is too short or its audio cannot be
  /// divided.
  mutating func beginSplitting() -> Bool {
    // Reading ahead in a pipe would delay the output.
    guard input.byteCount != nil, reader.unitFrameCount > 0 else { return false }
    let shortest = CodedAudioReader.segmentLength * reader.unitFrameCount
    if let frameCount, frameCount <= shortest { return false }
    let (end, overflow) = (position + skipCount).addingReportingOverflow(wantedCount ?? .max)
    return reader.beginSplitting(untilFrame: overflow || wantedCount == nil ? nil : end)
  }

  /// Submits segments to the threads, and passes their results to the reader in order.
  mutating func readAhead(with workers: Workers) throws(AACFileError) {
    reading: while !workers.isFull {
      let ahead = try rethrow(
        as: { (error: CodedAudioError) in AACFileError(error, path: name) }, reader.readAhead())
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
      reader.accept(segment)
    }
  }
}
