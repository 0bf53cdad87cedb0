import AacornInspection

/// A generator of waveform and spectrogram columns for JavaScript.
final class ColumnSession: Session {
  private var columns: SoundColumns
  private var bytes: [UInt8] = []

  override var asColumns: ColumnSession? { self }

  init(sampleRate: Int, channelCount: Int) {
    columns = SoundColumns(sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Processes interleaved samples from the input and outputs the completed columns; returns their
  /// length in bytes.
  func append(_ count: Int) -> Int32 {
    let isDone = withInput(count, as: Float.self) { columns.append($0) }
    guard isDone else { return Failure.tooManySamples }
    bytes.removeAll(keepingCapacity: true)
    while columns.next(into: &bytes) {}
    return put(bytes)
  }
}
