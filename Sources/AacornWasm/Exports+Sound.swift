import AacornCodec
import AacornContainers

// Decoding of audio files: all files with AAC, and WAV, AIFF and CAF. This is a separate module,
// which only pages that read such files load.
//
//     handle = aacorn_sound_create(byteCount, options)
//     while ((step = aacorn_sound_step(handle)) > 0)
//       1   bytes at aacorn_sound_offset, at most aacorn_sound_wanted → input,
//           aacorn_sound_supply(handle, length)
//       2   rate, channels, layout and length are known
//       3   aacorn_sound_samples(handle) samples per channel ← output
//       4   the next samples conceal a damaged or missing unit
//       5   bytes of the file were skipped
//
// The options are the sum of the decoder's options, and 4 to skip the trim specified by the file.

/// Creates a reader of an audio file of `byteCount` bytes; returns a handle or a failure.
@c(aacorn_sound_create)
func createSound(_ byteCount: Double, _ number: Int32) -> Int32 {
  guard let count = wholeNumber(byteCount) else { return Failure.tooLong }
  var options = CodedAudioReader.Options()
  options.decoder = decoderOptions(number)
  options.isTrimmed = number & 4 == 0
  return Sessions.add(SoundSession(byteCount: count, options: options))
}

/// Continues; returns 0 at the end, the number of the next event, or a failure.
@c(aacorn_sound_step)
func stepSound(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asSound?.step() ?? Failure.unknownHandle
}

/// Returns the file offset of the requested bytes.
@c(aacorn_sound_offset)
func soundOffset(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.wantedOffset ?? 0)
}

/// Returns the number of requested bytes.
@c(aacorn_sound_wanted)
func soundWanted(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.wantedCount ?? 0)
}

/// Supplies bytes from the input; fewer than requested means that the file ends there.
///
/// Returns 0 or a failure.
@c(aacorn_sound_supply)
func supplySound(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asSound?.supply(Int(byteCount)) ?? Failure.unknownHandle
}

/// Outputs the samples of the last step, one channel after the other; returns the number per
/// channel or a failure.
@c(aacorn_sound_samples)
func putSoundSamples(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asSound?.putSamples() ?? Failure.unknownHandle
}

/// Seeks to a frame; returns 1, or 0 if it restarted from the first frame instead, or a failure.
@c(aacorn_sound_seek)
func seekSound(_ handle: Int32, _ frame: Double) -> Int32 {
  guard let session = Sessions[handle]?.asSound else { return Failure.unknownHandle }
  guard let frame = wholeNumber(frame) else { return Failure.tooLong }
  return session.seek(toFrame: frame)
}

/// Returns the container of the file, a number of ``SoundContainer``; 0 while it is unknown.
@c(aacorn_sound_container)
func soundContainer(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asSound?.container.rawValue ?? 0
}

/// Returns the sample rate in hertz, or 0 while it is unknown.
@c(aacorn_sound_rate)
func soundRate(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSound?.format?.sampleRate ?? 0)
}

/// Returns the number of channels, or 0 while it is unknown.
@c(aacorn_sound_channels)
func soundChannels(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSound?.format?.channelCount ?? 0)
}

/// Outputs the channel layout, in the same form as `putDecoderLayout`.
@c(aacorn_sound_layout)
func putSoundLayout(_ handle: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asSound else { return Failure.unknownHandle }
  return session.putLayout(session.format?.layout)
}

/// Returns the number of samples per channel in the file, or −1 if the file does not specify it.
@c(aacorn_sound_frames)
func soundFrames(_ handle: Int32) -> Double {
  Sessions[handle]?.asSound?.frameCount ?? 0
}

/// Outputs the tags of an MP4 file without the cover, for `aacorn_encoder_items`.
///
/// Omits the loudness if `keepsLoudness` is 0. Returns the length, 0 for other files, or a failure.
@c(aacorn_sound_items)
func putSoundItems(_ handle: Int32, _ keepsLoudness: Int32) -> Int32 {
  Sessions[handle]?.asSound?.putItems(keepsLoudness: keepsLoudness != 0) ?? Failure.unknownHandle
}

/// Returns the file offset of the cover of an MP4 file.
@c(aacorn_sound_cover_offset)
func soundCoverOffset(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.asSound?.cover().lowerBound ?? 0)
}

/// Returns the size of the cover of an MP4 file, or 0 without a suitable cover.
@c(aacorn_sound_cover_length)
func soundCoverLength(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSound?.cover().count ?? 0)
}
