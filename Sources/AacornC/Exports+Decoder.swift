// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AacornCodec
import AacornContainers
public import CAacorn

/// The maximum number of bytes in one call.
///
/// A greater number must be an error of the caller.
private let maxPushByteCount = 1 << 40

/// Creates a decoder of files and streams.
@c @implementation
public func aacorn_decoder_create(
  _ settings: UnsafePointer<aacorn_decoder_settings>?,
  _ error: UnsafeMutablePointer<aacorn_error>?
) -> OpaquePointer? {
  unsafe create(error) { () throws(CallError) in
    StreamDecoderHandle(try unsafe options(settings))
  }
}

/// Creates a decoder of single access units without headers.
@c @implementation
public func aacorn_decoder_create_raw(
  _ settings: UnsafePointer<aacorn_decoder_settings>?, _ config: UnsafePointer<UInt8>?,
  _ config_size: Int, _ error: UnsafeMutablePointer<aacorn_error>?
) -> OpaquePointer? {
  unsafe create(error) { () throws(CallError) in
    let options = try unsafe options(settings)
    if options.track != nil || !options.isTrimmed {
      throw CallError(
        Status.combination, "Bare units have neither tracks nor trims: leave both unset.")
    }
    guard let config = unsafe config else { throw .null("config") }
    // The decoder reads only the start of a configuration, so a longer one is invalid.
    guard (1...1024).contains(config_size) else { throw .withoutConfiguration }
    let bytes = unsafe Array(UnsafeBufferPointer(start: config, count: config_size))
    return try UnitDecoderHandle.create(bytes, options.decoder)
  }
}

/// Frees a decoder.
@c @implementation
public func aacorn_decoder_destroy(_ decoder: OpaquePointer?) {
  unsafe release(decoder)
}

/// Appends the next bytes, or a unit.
@c @implementation
public func aacorn_decoder_push(
  _ decoder: OpaquePointer?, _ bytes: UnsafePointer<UInt8>?, _ byte_count: Int
) -> Int32 {
  guard let decoder = unsafe object(decoder, as: DecoderHandle.self) else { return Status.argument }
  guard (0...maxPushByteCount).contains(byte_count) else {
    return decoder.fail(
      Status.size, "A decoder accepts at most \(maxPushByteCount) bytes per call.")
  }
  guard let start = unsafe bytes else {
    return byte_count == 0 ? decoder.push([]) : decoder.fail(.null("bytes"))
  }
  return decoder.push(unsafe Array(UnsafeBufferPointer(start: start, count: byte_count)))
}

/// Conceals a missing unit.
@c @implementation
public func aacorn_decoder_conceal(_ decoder: OpaquePointer?) -> Int32 {
  unsafe object(decoder, as: DecoderHandle.self)?.conceal() ?? Status.argument
}

/// Ends the input.
@c @implementation
public func aacorn_decoder_finish(_ decoder: OpaquePointer?) -> Int32 {
  unsafe object(decoder, as: DecoderHandle.self)?.finish() ?? Status.argument
}

/// Lends the next samples to the caller.
@c @implementation
public func aacorn_decoder_pull(
  _ decoder: OpaquePointer?, _ sound: UnsafeMutablePointer<aacorn_sound>?
) -> Int32 {
  guard let decoder = unsafe object(decoder, as: DecoderHandle.self) else { return Status.argument }
  guard let sound = unsafe sound else { return decoder.fail(.null("sound")) }
  return unsafe decoder.pull(sound)
}

/// Returns the message of the last failure.
@c @implementation
public func aacorn_decoder_error(_ decoder: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe message(of: object(decoder, as: DecoderHandle.self))
}

/// Returns the options for these settings, or the defaults for null.
private func options(
  _ settings: UnsafePointer<aacorn_decoder_settings>?
) throws(CallError) -> CodedAudioReader.Options {
  var options = CodedAudioReader.Options()
  if unsafe settings == nil { return options }
  let wanted = try unsafe CallError.settings(settings)
  let flags = Int(wanted.flags)
  let known =
    AACORN_DECODER_DYNAMIC_RANGE | AACORN_DECODER_UNTRIMMED | AACORN_DECODER_EXPECT_STEREO
  if flags & ~known != 0 {
    throw CallError(Status.argument, "The decoder flags \(flags) contain an unknown flag.")
  }
  if wanted.track < 0 {
    throw CallError(Status.argument, "The track \(wanted.track) is invalid: tracks count from 1.")
  }
  options.decoder.appliesDynamicRange = flags & AACORN_DECODER_DYNAMIC_RANGE != 0
  options.decoder.expectsParametricStereo = flags & AACORN_DECODER_EXPECT_STEREO != 0
  options.isTrimmed = flags & AACORN_DECODER_UNTRIMMED == 0
  options.track = wanted.track == 0 ? nil : Int(wanted.track)
  return options
}
