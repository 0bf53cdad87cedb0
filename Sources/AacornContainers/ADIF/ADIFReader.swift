package import AacornCodec
import AacornSignal

/// Reads an ADIF file: a header, then blocks that are stored without lengths.
///
/// The caller parses each block, and then calls `drop` with its length, or `stop` if it cannot be
/// parsed.
package struct ADIFReader: Sendable {
  /// A part of the file.
  package enum Part {
    case header(AudioSpecificConfig)
    /// The bytes from the start of a block on, which contain all of it unless the file is damaged.
    case block([UInt8], AudioSpecificConfig)
    /// Bytes without a valid header; no blocks follow.
    case invalidHeader
  }

  private var buffer = StreamBuffer()
  private var configuration: AudioSpecificConfig?
  private var isStopped = false

  package init() {}

  /// Whether no more parts will follow.
  package var isFinished: Bool { isStopped || buffer.isFinished && buffer.count == 0 }
  /// The number of unused bytes.
  package var count: Int { buffer.count }
  /// The position of the first unused byte in the file.
  package var offset: Int { buffer.offset }

  /// Appends the next bytes of the file.
  package mutating func append(_ bytes: [UInt8]) {
    if !isStopped { buffer.append(bytes.span) }
  }

  /// Marks the end of the file.
  package mutating func finish() { buffer.isFinished = true }

  /// Returns the next part, or nil if more bytes are needed or the file has ended.
  package mutating func next() -> Part? {
    let limit = FrameLimits.maxByteCountWithoutLength
    guard !isStopped, buffer.count > 0, buffer.isSettled(limit) else { return nil }
    let bytes = buffer.copy(0..<min(buffer.count, limit))
    if let configuration { return .block(bytes, configuration) }
    guard let header = ADIFHeader(parsing: bytes) else {
      isStopped = true
      return .invalidHeader
    }
    configuration = header.audioSpecificConfig
    buffer.drop(header.byteCount)
    return .header(header.audioSpecificConfig)
  }

  /// Consumes a block.
  package mutating func drop(_ byteCount: Int) { buffer.drop(byteCount) }

  /// Ends the blocks, because the start of the next one is unknown.
  package mutating func stop() { isStopped = true }
}
