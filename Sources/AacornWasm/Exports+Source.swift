import AacornSignal
import AacornSoundFiles

// Headers of WAV, AIFF and CAF files.
//
//     handle = aacorn_source_create(byteCount)
//     while ((status = aacorn_source_push(handle, length)) === 0) bytes at aacorn_source_position → input

/// Creates a reader of a file of `byteCount` bytes; returns a handle or a failure.
@c(aacorn_source_create)
func createSource(_ byteCount: Double) -> Int32 {
  guard let count = wholeNumber(byteCount) else { return Failure.tooLong }
  return Sessions.add(SourceSession(byteCount: count))
}

/// Parses bytes of the file from the input; at the end of the file, `byteCount` is 0.
///
/// Returns 1 once the header is complete, 0 if more bytes are needed, or a failure.
@c(aacorn_source_push)
func pushSource(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asSource?.push(Int(byteCount)) ?? Failure.unknownHandle
}

/// Returns the next file offset to read or, once the header is complete, the offset of the samples.
@c(aacorn_source_position)
func sourcePosition(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.asSource?.position ?? 0)
}

/// Returns the sample rate in hertz, or 0 before the header is complete.
@c(aacorn_source_rate)
func sourceRate(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSource?.info?.format.sampleRate ?? 0)
}

/// Returns the number of channels, or 0 before the header is complete.
@c(aacorn_source_channels)
func sourceChannels(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSource?.info?.format.channelCount ?? 0)
}

/// Returns the number of samples per channel, or 0 before the header is complete.
@c(aacorn_source_frames)
func sourceFrames(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.asSource?.frameCount ?? 0)
}

/// Returns the container of the file, a number of ``SoundContainer``; 0 while it is unknown.
@c(aacorn_source_container)
func sourceContainer(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asSource?.container.rawValue ?? 0
}

/// Outputs one byte per channel: the number of its speaker's bit in the channel mask of WAV.
///
/// Returns the number of channels, 0 if the layout is unknown, or a failure.
@c(aacorn_source_layout)
func putSourceLayout(_ handle: Int32) -> Int32 {
  guard let source = Sessions[handle]?.asSource else { return Failure.unknownHandle }
  return source.putLayout(source.info?.format.layout)
}
