/// The next request of a header parser.
enum PCMHeaderStep {
  /// Bytes at or after the end of the previous ones.
  case read(at: UInt64, count: Int)
  /// Bytes after the samples: only a seekable file can be read there.
  case readTrailing(at: UInt64, count: Int)
  /// No more bytes; the header is complete.
  case ready(PCMFileInfo)
}
