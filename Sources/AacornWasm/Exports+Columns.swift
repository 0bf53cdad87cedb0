// Data for drawing waveforms and spectrograms.
//
//     handle = aacorn_columns_create(rate, channels)
//     samples → input, length = aacorn_columns_append(handle, sampleCount), columns ← output

/// Creates a generator of waveform and spectrogram columns; returns a handle or a failure.
@c(aacorn_columns_create)
func createColumns(_ sampleRate: Int32, _ channelCount: Int32) -> Int32 {
  guard (1000...768_000).contains(sampleRate) else { return Failure.sampleRate }
  guard (1...64).contains(channelCount) else { return Failure.channelCount }
  return Sessions.add(
    ColumnSession(sampleRate: Int(sampleRate), channelCount: Int(channelCount)))
}

/// Processes interleaved samples from the input and outputs the completed columns.
///
/// Returns their length in bytes, or a failure.
@c(aacorn_columns_append)
func appendToColumns(_ handle: Int32, _ sampleCount: Int32) -> Int32 {
  Sessions[handle]?.asColumns?.append(Int(sampleCount)) ?? Failure.unknownHandle
}
