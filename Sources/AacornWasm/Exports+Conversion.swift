import AacornCodec
import AacornSignal
import AacornSoundFiles

// Conversion of a source's samples to a format that AAC can carry, for an encoder in another
// module.
//
//     handle = aacorn_conversion_create(source, rate, channels)
//     bytes from aacorn_source_position on → input
//     count = aacorn_conversion_push(handle, length), samples ← output
//     … until aacorn_conversion_complete(handle), or the end of the file
//     count = aacorn_conversion_finish(handle), samples ← output

/// Creates a conversion for a source with a complete header.
///
/// Pass the bytes of the source to the conversion; the source itself is no longer needed.
///
/// - Parameters:
///   - handle: The source.
///   - sampleRate: The output sample rate, or 0 for a suitable one.
///   - channelCount: The output channel count, or 0 for the channel count of the source.
/// - Returns: A handle or a failure.
@c(aacorn_conversion_create)
func createConversion(_ handle: Int32, _ sampleRate: Int32, _ channelCount: Int32) -> Int32 {
  guard let source = Sessions[handle]?.asSource else { return Failure.unknownHandle }
  guard let info = source.info else { return Failure.wrongState }
  guard source.frameCount > 0 else { return Failure.noSamples }
  guard sampleRate >= 0 else { return Failure.sampleRate }
  guard channelCount >= 0 else { return Failure.channelCount }
  do throws(AudioConversion.Failure) {
    let conversion = try AudioConversion(
      from: info.format, byteCount: info.dataByteCount,
      sampleRate: sampleRate == 0 ? nil : Int(sampleRate),
      channelCount: channelCount == 0 ? nil : Int(channelCount))
    return Sessions.add(ConversionSession(conversion))
  } catch {
    return Failure.of(error)
  }
}

/// Returns the sampling rate of the output.
@c(aacorn_conversion_rate)
func conversionRate(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asConversion?.sampleRate ?? 0)
}

/// Returns the number of channels of the output.
@c(aacorn_conversion_channels)
func conversionChannels(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asConversion?.channelCount ?? 0)
}

/// Returns 1 if the output has 16-bit samples, 0 if it has samples in −1…1, or a failure.
@c(aacorn_conversion_integer)
func isConversionInteger(_ handle: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asConversion else { return Failure.unknownHandle }
  return session.isInteger ? 1 : 0
}

/// Converts bytes of the source's samples from the input to interleaved output samples.
///
/// Returns the number of output samples over all channels, or a failure.
@c(aacorn_conversion_push)
func pushToConversion(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asConversion?.push(Int(byteCount)) ?? Failure.unknownHandle
}

/// Returns 1 if the conversion needs no more bytes, 0 if it does, or a failure.
@c(aacorn_conversion_complete)
func isConversionComplete(_ handle: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asConversion else { return Failure.unknownHandle }
  return session.isComplete ? 1 : 0
}

/// Ends the input and outputs the remaining samples.
///
/// Returns their number, or a failure, for example if the whole input had no samples.
@c(aacorn_conversion_finish)
func finishConversion(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asConversion?.finish() ?? Failure.unknownHandle
}
