// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAacorn

/// Creates the writer of an encoder.
@c @implementation
public func aacorn_writer_create(
  _ encoder: OpaquePointer?, _ settings: UnsafePointer<aacorn_writer_settings>?,
  _ error: UnsafeMutablePointer<aacorn_error>?
) -> OpaquePointer? {
  unsafe CallError.clear(error)
  do throws(CallError) {
    guard let encoder = unsafe object(encoder, as: EncoderHandle.self) else {
      throw CallError.null("encoder")
    }
    guard let settings = unsafe settings else { throw CallError.null("settings") }
    try unsafe CallError.check(
      settings: UnsafeRawPointer(settings), known: MemoryLayout<aacorn_writer_settings>.stride)
    let writer = try unsafe WriterHandle.create(settings.pointee, of: encoder)
    return unsafe pointer(keeping: writer)
  } catch let failure {
    unsafe failure.fill(error)
    return nil
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
  guard let writer = unsafe object(writer, as: WriterHandle.self) else { return Status.argument }
  return writer.write()
}

/// Lends the bytes written up to now.
@c @implementation
public func aacorn_writer_bytes(
  _ writer: OpaquePointer?, _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ byte_count: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard let writer = unsafe object(writer, as: WriterHandle.self) else { return Status.argument }
  guard let bytes = unsafe bytes else { return writer.fail(.null("bytes")) }
  guard let byteCount = unsafe byte_count else { return writer.fail(.null("byte_count")) }
  return unsafe writer.lend(bytes, byteCount)
}

/// Returns the message of the last failure.
@c @implementation
public func aacorn_writer_error(_ writer: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe message(of: object(writer, as: WriterHandle.self))
}
