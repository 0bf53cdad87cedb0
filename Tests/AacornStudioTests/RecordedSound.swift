import AacornCodec
import AacornInspection
import Testing

/// Returns the inspector's report about a file in memory; all frames must be readable.
func soundReport(_ bytes: [UInt8]) throws -> StreamReport {
  let report = FileInspection.report(byteCount: UInt64(bytes.count)) { (offset, count) in
    Array(bytes[min(Int(offset), bytes.count)...].prefix(count))
  }
  #expect(report.faults.errorCount == 0 && report.unreadableFrameCount == 0)
  return report
}

/// Returns the duration of an M4A file in seconds by its tables.
func movieSeconds(_ bytes: [UInt8]) throws -> Double {
  let report = try soundReport(bytes)
  return Double(try #require(report.trim).sampleCount) / Double(report.sampleRate)
}
