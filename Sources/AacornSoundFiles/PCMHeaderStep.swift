/// What a header parser wants next.
enum PCMHeaderStep {
  /// These bytes, at or after the end of the previous ones.
  case read(at: UInt64, count: Int)
  /// These bytes, which lie after the samples: only a seekable file can be read there.
  case look(at: UInt64, count: Int)
  /// Nothing more.
  case ready(PCMFileInfo)
}
