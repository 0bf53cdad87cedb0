// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AacornCodec
public import CAacorn

/// Creates an encoder.
@c @implementation
public func aacorn_encoder_create(
  _ settings: UnsafePointer<aacorn_encoder_settings>?,
  _ error: UnsafeMutablePointer<aacorn_error>?
) -> OpaquePointer? {
  unsafe create(error) { () throws(CallError) in
    try EncoderHandle.create(AACEncoder.Configuration(unsafe CallError.settings(settings)))
  }
}

/// Frees an encoder.
@c @implementation
public func aacorn_encoder_destroy(_ encoder: OpaquePointer?) {
  unsafe release(encoder)
}

/// Appends frames of samples in −1…1.
@c @implementation
public func aacorn_encoder_push_float(
  _ encoder: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ frame_count: Int
) -> Int32 {
  unsafe object(encoder, as: EncoderHandle.self)?.push(samples, frame_count) ?? Status.argument
}

/// Appends frames of 16-bit samples.
@c @implementation
public func aacorn_encoder_push_int16(
  _ encoder: OpaquePointer?, _ samples: UnsafePointer<Int16>?, _ frame_count: Int
) -> Int32 {
  unsafe object(encoder, as: EncoderHandle.self)?.push(samples, frame_count) ?? Status.argument
}

/// Changes the bitrate from the next unit on.
@c @implementation
public func aacorn_encoder_set_bitrate(
  _ encoder: OpaquePointer?, _ bits_per_second: Int32
) -> Int32 {
  unsafe object(encoder, as: EncoderHandle.self)?.setBitrate(Int(bits_per_second))
    ?? Status.argument
}

/// Ends the input.
@c @implementation
public func aacorn_encoder_finish(_ encoder: OpaquePointer?) -> Int32 {
  unsafe object(encoder, as: EncoderHandle.self)?.finish() ?? Status.argument
}

/// Lends the next unit to the caller.
@c @implementation
public func aacorn_encoder_pull(
  _ encoder: OpaquePointer?, _ unit: UnsafeMutablePointer<aacorn_unit>?
) -> Int32 {
  unsafe object(encoder, as: EncoderHandle.self)?.pull(unit) ?? Status.argument
}

/// Copies the AudioSpecificConfig, and returns its length.
@c @implementation
public func aacorn_encoder_config(
  _ encoder: OpaquePointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ capacity: Int
) -> Int {
  guard let encoder = unsafe object(encoder, as: EncoderHandle.self) else { return 0 }
  let config = encoder.audioSpecificConfig.bytes
  guard let target = unsafe bytes, capacity >= config.count else { return config.count }
  for index in config.indices { unsafe target[index] = config[index] }
  return config.count
}

/// Stores the properties of an encoder.
@c @implementation
public func aacorn_encoder_describe(
  _ encoder: OpaquePointer?, _ facts: UnsafeMutablePointer<aacorn_encoder_facts>?
) -> Int32 {
  unsafe object(encoder, as: EncoderHandle.self)?.describe(facts) ?? Status.argument
}

/// Returns the message of the last failure.
@c @implementation
public func aacorn_encoder_error(_ encoder: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe message(of: object(encoder, as: EncoderHandle.self))
}
