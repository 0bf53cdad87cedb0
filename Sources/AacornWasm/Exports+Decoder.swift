import AacornCodec

// Decoders of single units. This is a separate module, which only pages that decode load.
//
//     handle = aacorn_decoder_create()
//     AudioSpecificConfig → input, aacorn_decoder_configure(handle, byteCount, options)
//     unit → input, status = aacorn_decoder_decode(handle, byteCount)
//     count = aacorn_decoder_samples(handle), samples ← output
//
// The options are the sum of 1, to apply the dynamic range control of the stream, and 2, to output
// a mono stream with band replication as two channels from the start.

/// Creates a decoder; returns a handle.
@c(aacorn_decoder_create)
func createDecoder() -> Int32 { Sessions.add(DecoderSession()) }

/// Returns the options for a number from JavaScript.
func decoderOptions(_ number: Int32) -> AACDecoder.Options {
  var options = AACDecoder.Options()
  options.appliesDynamicRange = number & 1 != 0
  options.expectsParametricStereo = number & 2 != 0
  return options
}

/// Configures the decoder once with an AudioSpecificConfig from the input; returns 0 or a failure.
@c(aacorn_decoder_configure)
func configureDecoder(_ handle: Int32, byteCount: Int32, options: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.configure(Int(byteCount), decoderOptions(options))
    ?? Failure.unknownHandle
}

/// Configures the decoder for AAC-LC with 1 to 6 or 8 channels; returns 0 or a failure.
@c(aacorn_decoder_configure_plain)
func configurePlainDecoder(
  _ handle: Int32, sampleRate: Int32, channelCount: Int32, options: Int32
) -> Int32 {
  guard let session = Sessions[handle]?.asDecoder else { return Failure.unknownHandle }
  guard let channels = ChannelConfiguration(channelCount: Int(channelCount)) else {
    return Failure.channelCount
  }
  let configuration = AudioSpecificConfig(
    objectType: .lowComplexity, sampleRate: Int(sampleRate),
    channelConfiguration: channels.rawValue)
  return session.configure(configuration, decoderOptions(options))
}

/// Decodes a unit from the input.
///
/// Returns a failure, or the sum of 1 if the unit is damaged and was concealed, and 2 if the rate,
/// channels or layout are new or have changed.
@c(aacorn_decoder_decode)
func decodeUnit(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.decode(Int(byteCount)) ?? Failure.unknownHandle
}

/// Conceals a missing unit; returns the same results as `decodeUnit`.
@c(aacorn_decoder_conceal)
func concealUnit(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.conceal() ?? Failure.unknownHandle
}

/// Resets the decoder, for example after a seek to the unit with this index; returns 0 or a
/// failure.
@c(aacorn_decoder_reset)
func resetDecoder(_ handle: Int32, _ unitIndex: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.reset(atUnit: Int(max(0, unitIndex))) ?? Failure.unknownHandle
}

/// Outputs the last unit's samples, one channel after the other; returns the number per channel or
/// a failure.
@c(aacorn_decoder_samples)
func putDecodedSamples(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.putSamples() ?? Failure.unknownHandle
}

/// Returns the sample rate in hertz, or 0 before the first unit.
@c(aacorn_decoder_rate)
func decoderRate(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asDecoder?.format?.sampleRate ?? 0)
}

/// Returns the number of channels, or 0 before the first unit.
@c(aacorn_decoder_channels)
func decoderChannels(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asDecoder?.format?.channelCount ?? 0)
}

/// Outputs one byte per channel: the number of its speaker's bit in the channel mask of WAV.
///
/// Returns the number of channels, 0 if the layout is unknown, or a failure.
@c(aacorn_decoder_layout)
func putDecoderLayout(_ handle: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asDecoder else { return Failure.unknownHandle }
  return session.putLayout(session.format?.layout)
}
