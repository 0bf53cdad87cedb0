import AacornSignal
import AacornSoundFiles

// Headers of WAV, AIFF and CAF files.
//
//     handle = aacorn_source_create(byteCount)
//     while ((status = aacorn_source_push(handle, length)) === 0) bytes at aacorn_source_position → input

/// Creates a source of `byteCount` bytes; returns a handle or a failure.
@c(aacorn_source_create)
func createSource(_ byteCount: Double) -> Int32 {
  guard let count = wholeNumber(byteCount) else { return Failure.tooLong }
  return Sessions.add(SourceSession(byteCount: count))
}

/// Takes bytes of the file from the input, none at its end; returns 1 once the header is complete,
/// 0 if it needs more, or a failure.
@c(aacorn_source_push)
func pushSource(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asSource?.push(Int(byteCount)) ?? Failure.unknownHandle
}

/// Where to read the file next; once the header is complete, where the samples begin.
@c(aacorn_source_position)
func sourcePosition(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.asSource?.position ?? 0)
}

/// Samples per second, or 0 before the header is complete.
@c(aacorn_source_rate)
func sourceRate(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSource?.info?.format.sampleRate ?? 0)
}

/// Channels, or 0 before the header is complete.
@c(aacorn_source_channels)
func sourceChannels(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSource?.info?.format.channelCount ?? 0)
}

/// Samples per channel, or 0 before the header is complete.
@c(aacorn_source_frames)
func sourceFrames(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.asSource?.frameCount ?? 0)
}

/// What the file is, a number of ``SoundContainer``; 0 as long as that is not known.
@c(aacorn_source_container)
func sourceContainer(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asSource?.container.rawValue ?? 0
}

/// Outputs a loudspeaker's number for each channel, a byte each, that of its bit in the channel mask
/// of WAV; returns how many, 0 if they are not known, or a failure.
@c(aacorn_source_layout)
func putSourceLayout(_ handle: Int32) -> Int32 {
  guard let source = Sessions[handle]?.asSource else { return Failure.unknownHandle }
  return source.putLayout(source.info?.format.layout)
}
