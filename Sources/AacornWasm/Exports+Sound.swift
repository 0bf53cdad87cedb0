import AacornCodec
import AacornContainers

// Samples of sound files: all that carry AAC, and WAV, AIFF and CAF. They are linked into a separate
// module, loaded only by pages that read such files.
//
//     handle = aacorn_sound_create(byteCount, options)
//     while ((step = aacorn_sound_step(handle)) > 0)
//       1   bytes at aacorn_sound_offset, at most aacorn_sound_wanted → input,
//           aacorn_sound_supply(handle, length)
//       2   rate, channels, loudspeakers and length are known now
//       3   aacorn_sound_samples(handle) samples a channel ← output
//       4   the next samples stand in for what is damaged or missing
//       5   bytes of the file were skipped
//
// The options are those of a decoder, and 4 to keep what the file says is to be cut.

/// Creates a sound file of `byteCount` bytes; returns a handle or a failure.
@c(aacorn_sound_create)
func createSound(_ byteCount: Double, _ number: Int32) -> Int32 {
  guard let count = wholeNumber(byteCount) else { return Failure.tooLong }
  var options = CodedSoundReader.Options()
  options.decoder = decoderOptions(number)
  options.isTrimmed = number & 4 == 0
  return Sessions.add(SoundSession(byteCount: count, options: options))
}

/// Continues; returns 0 at the end, the number of what comes next, or a failure.
@c(aacorn_sound_step)
func stepSound(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asSound?.step() ?? Failure.unknownHandle
}

/// The file offset of the wanted bytes.
@c(aacorn_sound_offset)
func soundOffset(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.asSound?.wantedOffset ?? 0)
}

/// How many bytes are wanted.
@c(aacorn_sound_wanted)
func soundWanted(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSound?.wantedCount ?? 0)
}

/// Takes bytes from the input; fewer than wanted means that the file ends there.
///
/// Returns 0 or a failure.
@c(aacorn_sound_supply)
func supplySound(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asSound?.supply(Int(byteCount)) ?? Failure.unknownHandle
}

/// Outputs the samples of the last step, one channel after the other; returns how many each has, or
/// a failure.
@c(aacorn_sound_samples)
func putSoundSamples(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asSound?.putSamples() ?? Failure.unknownHandle
}

/// Continues with the frame of this number; returns 1 if it did, 0 if it began anew with the first
/// one, or a failure.
@c(aacorn_sound_seek)
func seekSound(_ handle: Int32, _ frame: Double) -> Int32 {
  guard let session = Sessions[handle]?.asSound else { return Failure.unknownHandle }
  guard let frame = wholeNumber(frame) else { return Failure.tooLong }
  return session.seek(toFrame: frame)
}

/// What the file is, a number of ``SoundContainer``; 0 as long as that is not known.
@c(aacorn_sound_container)
func soundContainer(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asSound?.container.rawValue ?? 0
}

/// Samples per second, or 0 before they are known.
@c(aacorn_sound_rate)
func soundRate(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSound?.format?.sampleRate ?? 0)
}

/// Channels, or 0 before they are known.
@c(aacorn_sound_channels)
func soundChannels(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSound?.format?.channelCount ?? 0)
}

/// Outputs a loudspeaker's number for each channel, as a decoder does.
@c(aacorn_sound_layout)
func putSoundLayout(_ handle: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asSound else { return Failure.unknownHandle }
  return session.putLayout(session.format?.layout)
}

/// Samples per channel of the whole file, or −1 if it does not tell.
@c(aacorn_sound_frames)
func soundFrames(_ handle: Int32) -> Double {
  Sessions[handle]?.asSound?.frameCount ?? 0
}

/// Outputs the tags of an MP4 file without the cover, and without the loudness if `keepsLoudness` is
/// 0, for `aacorn_encoder_items`; returns the length, 0 for other files, or a failure.
@c(aacorn_sound_items)
func putSoundItems(_ handle: Int32, _ keepsLoudness: Int32) -> Int32 {
  Sessions[handle]?.asSound?.putItems(keepsLoudness: keepsLoudness != 0) ?? Failure.unknownHandle
}

/// The file offset of the cover of an MP4 file.
@c(aacorn_sound_cover_offset)
func soundCoverOffset(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.asSound?.cover().lowerBound ?? 0)
}

/// The size of the cover of an MP4 file, or 0 if there is none that can be kept.
@c(aacorn_sound_cover_length)
func soundCoverLength(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asSound?.cover().count ?? 0)
}
