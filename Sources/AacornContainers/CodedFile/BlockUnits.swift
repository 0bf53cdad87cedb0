import AacornCodec
import AacornSignal
import AacornSoundFiles

/// Reads the units of an ADIF file, whose blocks are stored without lengths.
struct BlockUnits: Sendable {
  private var buffer = StreamBuffer()
  @Boxed private var blocks: FrameReader? = nil
  private var unitCount = 0
  private var isLost = false

  /// Whether no more units will follow.
  var isFinished: Bool { isLost || buffer.isFinished && buffer.count == 0 }

  /// Appends the next bytes of the file.
  mutating func append(_ bytes: [UInt8]) { buffer.append(bytes.span) }

  /// Marks the end of the file.
  mutating func finish() { buffer.isFinished = true }

  /// Reads the header or a block; returns false if more bytes are needed.
  mutating func read(
    into steps: inout [CodedFileReader.Step], base: UInt64
  ) throws(CodedFileError) -> Bool {
    guard buffer.isSettled(FrameLimits.maxByteCountWithoutLength), !isFinished else { return false }
    let bytes = buffer.copy(0..<min(buffer.count, FrameLimits.maxByteCountWithoutLength))
    let offset = base &+ UInt64(UInt(bitPattern: buffer.offset))
    guard blocks != nil else {
      guard let header = ADIFHeader(parsing: bytes) else { throw .notAAC(.other(.adif)) }
      let configuration = header.audioSpecificConfig
      blocks = FrameReader(configuration)
      steps.append(.configuration(configuration))
      buffer.drop(header.byteCount)
      return true
    }
    guard let count = readBlock(bytes) else {
      // The start of the next block is unknown. All bytes examined are reported as damage.
      isLost = true
      steps.append(
        .damage(
          StreamDamage(
            kind: .garbage, offset: Int(truncatingIfNeeded: offset), length: bytes.count)))
      return true
    }
    steps.append(
      .unit(CodedUnit(bytes: Array(bytes[..<count]), offset: offset, index: unitCount)))
    unitCount += 1
    buffer.drop(count)
    return true
  }

  private mutating func readBlock(_ bytes: [UInt8]) -> Int? {
    do throws(ParseError) {
      try blocks?.read(bytes)
    } catch {
      return nil
    }
    return blocks?.block.byteCount
  }
}
