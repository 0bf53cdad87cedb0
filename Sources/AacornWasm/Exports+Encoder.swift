import AacornCodec
import AacornContainers

// Encoders, with an optional file for their units.
//
//     handle = aacorn_encoder_create(rate, channels, mode, value, effort, profile)
//     aacorn_encoder_file(handle, container, frameCount, 0)   to write a file
//     samples → input, aacorn_encoder_encode_int16(handle, sampleCount)
//     while ((length = aacorn_encoder_next(handle)) > 0) bytes ← output
//     aacorn_encoder_finish(handle), then the remaining units or bytes
//     aacorn_close(handle)

/// Returns the file format for a number from JavaScript.
private func format(_ container: Int32) -> CodedFileWriter.Format? {
  switch container {
  case 0: .m4a
  case 1: .adts()
  default: nil
  }
}

private func rateControl(_ mode: Int32, _ value: Int32) -> AACEncoder.RateControl {
  switch mode {
  case 0: .constant(bitsPerSecond: Int(value))
  case 1: .average(bitsPerSecond: Int(value))
  default: .variable(level: Int(value))
  }
}

private func effort(_ number: Int32) -> AACEncoder.Effort? {
  let all = AACEncoder.Effort.allCases
  return all.indices.contains(Int(number)) ? all[Int(number)] : nil
}

/// Returns the profile for a number; the recommended profile depends on the other settings.
private func profile(
  _ number: Int32, bitrate: Int, sampleRate: Int, channelCount: Int
) -> AACEncoder.Profile? {
  switch number {
  case 0: .lowComplexity
  case 1: .highEfficiency
  case 2: .highEfficiencyV2
  case 3:
    AACEncoder.Profile.recommended(
      bitrate: bitrate, sampleRate: sampleRate, channelCount: channelCount)
  default: nil
  }
}

/// Creates an encoder.
///
/// - Parameters:
///   - sampleRate: The sample rate in hertz.
///   - channelCount: The number of channels, in the order of a WAV file.
///   - mode: 0 for constant bitrate, 1 for average, 2 for variable, 3 for the default.
///   - value: Bits per second, or the level 1…5 for variable bitrate.
///   - effortNumber: 0 fast, 1 balanced, 2 best.
///   - profileNumber: 0 AAC-LC, 1 HE-AAC, 2 HE-AAC v2, 3 the recommended profile for the bitrate.
/// - Returns: A handle or a failure.
@c(aacorn_encoder_create)
func createEncoder(
  sampleRate: Int32, channelCount: Int32, mode: Int32, value: Int32, effortNumber: Int32,
  profileNumber: Int32
) -> Int32 {
  let (sampleRate, channelCount) = (Int(sampleRate), Int(channelCount))
  guard (0...3).contains(mode) else { return Failure.mode }
  guard let effort = effort(effortNumber) else { return Failure.effort }
  let wanted: AACEncoder.RateControl? = mode == 3 ? nil : rateControl(mode, value)
  guard
    let profile = profile(
      profileNumber, bitrate: wanted?.nominalBitrate ?? 0, sampleRate: sampleRate,
      channelCount: channelCount)
  else { return Failure.profile }
  let control =
    wanted
    ?? AACEncoder.defaultRate(
      sampleRate: sampleRate, channelCount: channelCount, profile: profile)
  let configuration = AACEncoder.Configuration(
    sampleRate: sampleRate, channelCount: channelCount, rateControl: control, effort: effort,
    profile: profile)
  do throws(EncoderError) {
    return Sessions.add(try EncoderSession(configuration))
  } catch {
    return Failure.of(error)
  }
}

/// Returns the default bitrate for a profile, numbered as in `createEncoder`, or a failure.
@c(aacorn_encoder_default_bitrate)
func defaultBitrate(sampleRate: Int32, channelCount: Int32, profileNumber: Int32) -> Int32 {
  let (sampleRate, channelCount) = (Int(sampleRate), Int(channelCount))
  guard
    let profile = profile(
      profileNumber, bitrate: 0, sampleRate: sampleRate, channelCount: channelCount)
  else {
    return Failure.profile
  }
  let rate = AACEncoder.defaultRate(
    sampleRate: sampleRate, channelCount: channelCount, profile: profile)
  return Int32(clamping: rate.nominalBitrate)
}

/// Starts a file for the following units.
///
/// - Parameters:
///   - handle: The encoder.
///   - container: 0 for M4A, 1 for ADTS.
///   - frameCount: The number of samples per channel to expect, or a negative number if unknown.
///   - sampleRate: The sample rate to which `frameCount` refers: the rate of the source if it
///     differs from the encoder's rate, or 0 for the encoder's rate.
/// - Returns: 0 or a failure.
@c(aacorn_encoder_file)
func beginFile(
  _ handle: Int32, container: Int32, frameCount: Double, sampleRate: Int32
) -> Int32 {
  guard let session = Sessions[handle]?.asEncoder else { return Failure.unknownHandle }
  guard let format = format(container) else { return Failure.container }
  guard session.isNew else { return Failure.wrongState }
  guard sampleRate >= 0 else { return Failure.sampleRate }
  session.beginFile(
    format, frameCount: wholeNumber(frameCount).map { Int64($0) },
    at: sampleRate == 0 ? nil : Int(sampleRate))
  return 0
}

/// Sets a tag of the file to the text in the input, UTF-8; returns 0 or a failure.
///
/// The kinds are 0 title, 1 artist, 2 album, 3 date, 4 comment.
@c(aacorn_encoder_tag)
func setTag(_ handle: Int32, kind: Int32, byteCount: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asEncoder else { return Failure.unknownHandle }
  guard let text = session.bytes(Int(byteCount)) else { return Failure.tooManySamples }
  return session.setTag(kind, text)
}

/// Adds tags from the input, in the format of `aacorn_tags_items`, where no tag is set; returns 0
/// or a failure.
@c(aacorn_encoder_items)
func addItems(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  guard let session = Sessions[handle]?.asEncoder else { return Failure.unknownHandle }
  guard let items = session.bytes(Int(byteCount)) else { return Failure.tooManySamples }
  return session.addItems(items)
}

/// Encodes interleaved 16-bit samples from the start of the input; returns 0 or a failure.
@c(aacorn_encoder_encode_int16)
func encodeInt16(_ handle: Int32, _ sampleCount: Int32) -> Int32 {
  Sessions[handle]?.asEncoder?.encodeIntegers(Int(sampleCount)) ?? Failure.unknownHandle
}

/// Encodes interleaved samples in −1…1 from the start of the input; returns 0 or a failure.
@c(aacorn_encoder_encode_float)
func encodeFloat(_ handle: Int32, _ sampleCount: Int32) -> Int32 {
  Sessions[handle]?.asEncoder?.encodeFloats(Int(sampleCount)) ?? Failure.unknownHandle
}

/// Encodes samples in −1…1, one channel after the other; returns 0 or a failure.
@c(aacorn_encoder_encode_planar)
func encodePlanar(_ handle: Int32, _ sampleCount: Int32) -> Int32 {
  Sessions[handle]?.asEncoder?.encodePlanar(Int(sampleCount)) ?? Failure.unknownHandle
}

/// Outputs the next access unit, or the next piece of the file.
///
/// Returns its length, 0 if more samples are needed, or a failure.
@c(aacorn_encoder_next)
func nextAccessUnit(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asEncoder?.next() ?? Failure.unknownHandle
}

/// Returns the file offset of the last output piece.
@c(aacorn_encoder_offset)
func pieceOffset(_ handle: Int32) -> Double {
  Sessions[handle]?.asEncoder?.offset ?? 0
}

/// Outputs the AudioSpecificConfig; returns its length or a failure.
@c(aacorn_encoder_config)
func putConfiguration(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asEncoder?.putConfiguration() ?? Failure.unknownHandle
}

/// Ends the input; returns 0 or a failure.
///
/// Fetch the remaining output afterwards.
@c(aacorn_encoder_finish)
func finishEncoder(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asEncoder?.finish() ?? Failure.unknownHandle
}

/// Returns the samples per channel to drop at the start; 0 before the end of the input.
@c(aacorn_encoder_priming)
func priming(_ handle: Int32) -> Int32 {
  Int32(truncatingIfNeeded: Sessions[handle]?.asEncoder?.trim?.priming ?? 0)
}

/// Returns the samples per channel to drop at the end; 0 before the end of the input.
@c(aacorn_encoder_remainder)
func remainder(_ handle: Int32) -> Int32 {
  Int32(truncatingIfNeeded: Sessions[handle]?.asEncoder?.trim?.remainder ?? 0)
}
