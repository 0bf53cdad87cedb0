import AacornCodec
import AacornContainers
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
func createConversion(_ handle: Int32, sampleRate: Int32, channelCount: Int32) -> Int32 {
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
  Int32(clamping: Sessions[handle]?.asConversion?.conversion.sampleRate ?? 0)
}

/// Returns the number of channels of the output.
@c(aacorn_conversion_channels)
func conversionChannels(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asConversion?.conversion.channelCount ?? 0)
}

/// Returns 1 if the output has 16-bit samples, 0 if it has samples in −1…1, or a failure.
@c(aacorn_conversion_integer)
func isConversionInteger(_ handle: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asConversion else { return Failure.unknownHandle }
  return session.conversion.isInteger ? 1 : 0
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
  return session.conversion.isComplete ? 1 : 0
}

/// Ends the input and outputs the remaining samples.
///
/// Returns their number, or a failure, for example if the whole input had no samples.
@c(aacorn_conversion_finish)
func finishConversion(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asConversion?.finish() ?? Failure.unknownHandle
}

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

// Tags of audio files other than MP4.
//
//     handle = aacorn_tags_create(byteCount)
//     while ((status = aacorn_tags_step(handle)) === 1)
//       bytes at aacorn_tags_offset, at most aacorn_tags_wanted → input,
//       aacorn_tags_supply(handle, length)
//     aacorn_tags_items(handle, 1) bytes ← output, for aacorn_encoder_items

/// Creates a tag reader for a file of `byteCount` bytes; returns a handle or a failure.
@c(aacorn_tags_create)
func createTags(_ byteCount: Double) -> Int32 {
  guard let count = wholeNumber(byteCount) else { return Failure.tooLong }
  return Sessions.add(TagSession(byteCount: count))
}

/// Continues; returns 1 if it requests bytes, 0 at the end, or a failure.
@c(aacorn_tags_step)
func stepTags(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asTags?.step() ?? Failure.unknownHandle
}

/// Returns the file offset of the requested bytes.
@c(aacorn_tags_offset)
func tagsOffset(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.wantedOffset ?? 0)
}

/// Returns the number of requested bytes.
@c(aacorn_tags_wanted)
func tagsWanted(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.wantedCount ?? 0)
}

/// Supplies bytes from the input; returns 0 or a failure.
@c(aacorn_tags_supply)
func supplyTags(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asTags?.supply(Int(byteCount)) ?? Failure.unknownHandle
}

/// Outputs the tags, without the loudness if `keepsLoudness` is 0; returns the length or a failure.
@c(aacorn_tags_items)
func putTags(_ handle: Int32, _ keepsLoudness: Int32) -> Int32 {
  Sessions[handle]?.asTags?.putItems(keepsLoudness: keepsLoudness != 0) ?? Failure.unknownHandle
}
