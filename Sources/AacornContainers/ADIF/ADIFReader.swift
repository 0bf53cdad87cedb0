public import AacornCodec
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

/// The header at the start of an ADIF file (ISO/IEC 14496-3, 1.A.2.1).
///
/// The raw_data_blocks follow without lengths, so only decoding them in order finds their
/// positions.
public struct ADIFHeader: Equatable, Sendable {
  /// The 72-bit copyright number, if present.
  public let copyrightID: [UInt8]?
  /// Whether the stream claims to be an original rather than a copy.
  public let isOriginal: Bool
  /// Whether the home bit is set.
  public let isHome: Bool
  /// Whether the bitrate is variable.
  public let isVariableRate: Bool
  /// The bitrate in bits per second: the maximum if the bitrate is variable (0 if unknown), else
  /// the constant bitrate.
  public let bitrate: Int
  /// The layouts of the programs, at least one.
  public let programs: [ProgramConfig]
  /// The bits in the decoder's buffer for each program, at a constant bitrate.
  public let bufferFullness: [Int]
  /// The length of the header in bytes, which is the offset of the first raw_data_block.
  public let byteCount: Int

  /// Returns whether `bytes` begin like an ADIF file.
  public static func isPresent(in bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x41, 0x44, 0x49, 0x46])
  }

  /// Reads the header at the start of `bytes`; returns nil if it is missing or incomplete.
  public init?(parsing bytes: [UInt8]) {
    guard Self.isPresent(in: bytes) else { return nil }
    var reader = BitReader(bytes)
    reader.skip(32)
    let hasCopyrightID = reader.readFlag()
    copyrightID =
      hasCopyrightID ? (0..<9).map { _ in UInt8(truncatingIfNeeded: reader.read(8)) } : nil
    isOriginal = reader.readFlag()
    isHome = reader.readFlag()
    isVariableRate = reader.readFlag()
    bitrate = reader.readInt(23)
    let programCount = reader.readInt(4) + 1
    var programs: [ProgramConfig] = []
    var bufferFullness: [Int] = []
    for _ in 0..<programCount {
      if !isVariableRate { bufferFullness.append(reader.readInt(20)) }
      guard let program = ProgramConfig(reading: &reader, origin: 0) else { return nil }
      programs.append(program)
    }
    self.programs = programs
    self.bufferFullness = bufferFullness
    // A program config element ends on a byte boundary of the header.
    byteCount = reader.position / 8
  }

  /// The configuration of the first program.
  public var audioSpecificConfig: AudioSpecificConfig {
    let program = programs[0]
    var configuration = AudioSpecificConfig(
      objectType: AudioObjectType(rawValue: UInt8(truncatingIfNeeded: program.profile + 1)),
      sampleRate: program.samplingFrequency.hertz, channelConfiguration: 0)
    configuration.programConfig = program
    return configuration
  }
}
