import AacornCodec
import AacornContainers
import AacornInspection
import Testing

/// Returns the inspector's report about a stream of frames.
func streamReport(_ bytes: [UInt8]) -> StreamReport {
  var inspector = StreamInspector()
  inspector.append(bytes)
  inspector.finish()
  while inspector.next() != nil {}
  return inspector.report
}

/// Returns the duration of an M4A file in seconds by its tables.
///
/// All frames must be readable.
func movieSeconds(_ bytes: [UInt8]) throws -> Double {
  var inspector = MovieInspector(byteCount: UInt64(bytes.count))
  loop: while true {
    switch inspector.step() {
    case .need(let offset, let count):
      let start = min(bytes.count, Int(offset))
      inspector.supply(Array(bytes[start..<min(bytes.count, start + count)]))
    case .row: break
    case .finished: break loop
    }
  }
  let report = inspector.report
  #expect(report.faults.errorCount == 0 && report.unreadableFrameCount == 0)
  let trim = try #require(report.trim)
  return Double(trim.sampleCount) / Double(report.sampleRate)
}
