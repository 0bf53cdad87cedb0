public import AacornCodec
import AacornSignal

/// Reads an ADIF file: a header, then blocks that are stored without lengths.
struct ADIFReader: Sendable {
  private var buffer = StreamBuffer()
  /// The parser that finds the ends of the blocks; nil before the header.
  @Boxed private var parser: FrameReader? = nil
  private var isStopped = false

  /// Whether no more events will follow.
  var isFinished: Bool { isStopped || buffer.isFinished && buffer.count == 0 }

  /// Appends the next bytes of the file.
  mutating func append(_ bytes: [UInt8]) {
    if !isStopped { buffer.append(bytes.span) }
  }

  /// Marks the end of the file.
  mutating func finish() { buffer.isFinished = true }

  /// Returns the next event, or nil if more bytes are needed or the file has ended.
  ///
  /// After damage, the start of the next block is unknown.
  mutating func next() -> FrameSource.Event? {
    let limit = FrameLimits.maxByteCountWithoutLength
    guard !isStopped, buffer.count > 0, buffer.isSettled(limit) else { return nil }
    let (position, count) = (buffer.offset, buffer.count)
    let bytes = buffer.copy(0..<min(count, limit))
    guard let configuration = parser?.configuration else {
      guard let header = ADIFHeader(parsing: bytes) else {
        isStopped = true
        return FrameSource.Event(at: position, length: count, .damage(.invalidHeader))
      }
      parser = FrameReader(header.audioSpecificConfig)
      buffer.drop(header.byteCount)
      return FrameSource.Event(
        at: position, length: header.byteCount, .header(header.audioSpecificConfig))
    }
    guard let length = parser?.length(ofBlockIn: bytes, range: 0..<bytes.count) else {
      isStopped = true
      return FrameSource.Event(
        at: position, length: count, .unreadableBlock(bytes, configuration))
    }
    buffer.drop(length)
    return FrameSource.Event(
      at: position, length: length, .block(Array(bytes[..<length]), configuration))
  }
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
