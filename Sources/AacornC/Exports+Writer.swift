// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAacorn

/// Creates the writer of an encoder.
@c @implementation
public func aacorn_writer_create(
  _ encoder: OpaquePointer?, _ settings: UnsafePointer<aacorn_writer_settings>?,
  _ error: UnsafeMutablePointer<aacorn_error>?
) -> OpaquePointer? {
  unsafe create(error) { () throws(CallError) in
    guard let encoder = unsafe object(encoder, as: EncoderHandle.self) else {
      throw .null("encoder")
    }
    return try unsafe WriterHandle.create(CallError.settings(settings), of: encoder)
  }
}

/// Frees a writer.
@c @implementation
public func aacorn_writer_destroy(_ writer: OpaquePointer?) {
  unsafe release(writer)
}

/// Writes all available units of its encoder.
@c @implementation
public func aacorn_writer_write(_ writer: OpaquePointer?) -> Int32 {
  unsafe object(writer, as: WriterHandle.self)?.write() ?? Status.argument
}

/// Lends the bytes written up to now.
@c @implementation
public func aacorn_writer_bytes(
  _ writer: OpaquePointer?, _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ byte_count: UnsafeMutablePointer<Int>?
) -> Int32 {
  unsafe object(writer, as: WriterHandle.self)?.lend(bytes, byte_count) ?? Status.argument
}

/// Returns the message of the last failure.
@c @implementation
public func aacorn_writer_error(_ writer: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe message(of: object(writer, as: WriterHandle.self))
}
