import AacornCodec
import AacornContainers
import AacornSignal

/// Checks that decoding in separate segments gives the same samples and the same steps.
func fuzzSegments(_ bytes: [UInt8], length: Int) {
  let whole = SoundEvents(bytes, segmentLength: nil)
  let parts = SoundEvents(bytes, segmentLength: length)
  require(whole.hasFailed == parts.hasFailed, "only one way of decoding fails")
  // Reading ahead may fail before all earlier steps are reported.
  if whole.hasFailed { return }
  require(whole.steps == parts.steps, "segments of \(length) units give different steps")
  require(whole.samples == parts.samples, "segments of \(length) units give different samples")
}

/// All steps of reading a file, and the bits of all samples.
private struct SoundEvents {
  var steps: [CodedAudioReader.Step] = []
  var samples: [UInt32] = []
  var hasFailed = false

  init(_ bytes: [UInt8], segmentLength: Int?) {
    var reader = CodedAudioReader(byteCount: UInt64(bytes.count))
    do throws(CodedAudioError) {
      try read(&reader, bytes, segmentLength)
    } catch {
      hasFailed = true
    }
  }

  private mutating func read(
    _ reader: inout CodedAudioReader, _ bytes: [UInt8], _ segmentLength: Int?
  ) throws(CodedAudioError) {
    var segments: [DecodedSegment] = []
    var isSplit = false
    while true {
      reading: while isSplit && segments.count < 3 {
        switch try reader.readAhead() {
        case .need(let offset, let count):
          reader.supply(Self.piece(of: bytes, at: offset, count: count))
        case .segment(var segment): segments.append(segment.decode())
        case .end: break reading
        }
      }
      if reader.awaitsSegment {
        require(!segments.isEmpty, "an unknown segment is awaited")
        reader.accept(segments.removeFirst())
      }
      guard let step = try reader.advance() else { continue }
      switch step {
      case .need(let offset, let count):
        reader.supply(Self.piece(of: bytes, at: offset, count: count))
        continue
      case .samples: samples += reader.samples.map(\.bitPattern)
      case .format:
        if let segmentLength, !isSplit {
          isSplit = reader.beginSplitting(untilFrame: nil, segmentLength: segmentLength)
        }
      case .concealed, .damage: break
      case .end:
        require(segments.isEmpty, "a segment remains")
        return
      }
      steps.append(step)
    }
  }

  private static func piece(of bytes: [UInt8], at offset: UInt64, count: Int) -> [UInt8] {
    let start = Int(min(offset, UInt64(bytes.count)))
    return Array(bytes[start..<min(start + count, bytes.count)])
  }
}
