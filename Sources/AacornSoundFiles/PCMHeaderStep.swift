/// What a parser of headers wants next.
enum PCMHeaderStep {
  /// These bytes, at or after the end of the ones before.
  case read(at: UInt64, count: Int)
  /// These bytes, which lie behind the samples: only a file can be read there.
  case look(at: UInt64, count: Int)
  /// Nothing more.
  case ready(PCMFileInfo)
}
