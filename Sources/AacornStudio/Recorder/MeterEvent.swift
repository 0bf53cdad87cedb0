import AacornContainers
import AacornRecording
import AacornStreaming

/// Encodes meter readings for pages.
enum MeterEvent {
  /// Returns a reading as JSON on one line.
  static func json(_ reading: SoundMonitor.Reading, _ status: RecordingStatus) -> String {
    let seconds = Double(status.sampleCount) / Double(max(1, status.sampleRate))
    func level(_ value: Float?) -> JSONValue { value.map { .decimal(Double($0), 1) } ?? .null }
    let loudness: [JSONValue.Member] = [
      .init("momentary", level(status.loudness.momentary)),
      .init("shortTerm", level(status.loudness.shortTerm)),
      .init("integrated", level(status.loudness.integrated)),
      .init("truePeak", level(status.loudness.truePeak)),
    ]
    return JSONValue.object([
      .init("seconds", .decimal(seconds, 3)), .init("bytes", .integer(status.byteCount)),
      .init("drift", status.driftPartsPerMillion.map { .decimal($0, 1) } ?? .null),
      .init("clipped", .integer(status.clippedSampleCount)),
      .init("gapCount", .integer(status.filledGapCount)),
      .init("peaks", .list(reading.peaks.map { .decimal(Double($0), 4) })),
      .init("rms", .list(reading.powers.map { .decimal(Double($0).squareRoot(), 4) })),
      .init("loudness", .object(loudness)),
      .init("columns", .text(Base64.encode(reading.columns))),
      .init("frames", .list(reading.frames.map { .list($0.numbers.map { .integer($0) }) })),
    ]).encoded
  }
}
