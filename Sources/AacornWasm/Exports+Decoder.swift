import AacornCodec

// Decoders of single units. They are linked into a separate module, loaded only by pages that
// decode.
//
//     handle = aacorn_decoder_create()
//     AudioSpecificConfig → input, aacorn_decoder_configure(handle, byteCount, options)
//     unit → input, status = aacorn_decoder_decode(handle, byteCount)
//     count = aacorn_decoder_samples(handle), samples ← output
//
// The options are the sum of 1, to even out loud and soft passages as the stream says, and 2, to
// make two channels of one with band replication from the start.

/// Creates a decoder; returns a handle.
@c(aacorn_decoder_create)
func createDecoder() -> Int32 { Sessions.add(DecoderSession()) }

/// The options for a number from JavaScript.
func decoderOptions(_ number: Int32) -> AACDecoder.Options {
  var options = AACDecoder.Options()
  options.appliesDynamicRange = number & 1 != 0
  options.expectsParametricStereo = number & 2 != 0
  return options
}

/// Takes an AudioSpecificConfig from the input, once; returns 0 or a failure.
@c(aacorn_decoder_configure)
func configureDecoder(_ handle: Int32, _ byteCount: Int32, _ options: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.configure(Int(byteCount), decoderOptions(options))
    ?? Failure.unknownHandle
}

/// Prepares for AAC-LC of this rate and these channels, 1 to 6 or 8; returns 0 or a failure.
@c(aacorn_decoder_configure_plain)
func configurePlainDecoder(
  _ handle: Int32, _ sampleRate: Int32, _ channelCount: Int32, _ options: Int32
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
/// Returns a failure, or the sum of 1 if the unit is damaged and was replaced, and 2 if rate,
/// channels or loudspeakers are known now or others than before.
@c(aacorn_decoder_decode)
func decodeUnit(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.decode(Int(byteCount)) ?? Failure.unknownHandle
}

/// Replaces a unit that is missing; returns what decoding one does.
@c(aacorn_decoder_conceal)
func concealUnit(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.conceal() ?? Failure.unknownHandle
}

/// Forgets all units before, as after a jump to the unit with this index; returns 0 or a failure.
@c(aacorn_decoder_reset)
func resetDecoder(_ handle: Int32, _ unitIndex: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.reset(atUnit: Int(max(0, unitIndex))) ?? Failure.unknownHandle
}

/// Outputs the last unit's samples, one channel after the other; returns how many each has, or a
/// failure.
@c(aacorn_decoder_samples)
func putDecodedSamples(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asDecoder?.putSamples() ?? Failure.unknownHandle
}

/// Samples per second, 0 before the first unit.
@c(aacorn_decoder_rate)
func decoderRate(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asDecoder?.format?.sampleRate ?? 0)
}

/// Channels, 0 before the first unit.
@c(aacorn_decoder_channels)
func decoderChannels(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asDecoder?.format?.channelCount ?? 0)
}

/// Outputs a loudspeaker's number for each channel, a byte each, that of its bit in the channel mask
/// of WAV; returns how many, 0 if they are not known, or a failure.
@c(aacorn_decoder_layout)
func putDecoderLayout(_ handle: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asDecoder else { return Failure.unknownHandle }
  return session.putLayout(session.format?.layout)
}
