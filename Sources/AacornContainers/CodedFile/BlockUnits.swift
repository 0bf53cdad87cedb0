import AacornCodec
import AacornSignal
import AacornSoundFiles

/// Reads the units of an ADIF file.
struct BlockUnits: Sendable {
  private var file = ADIFReader()
  @Boxed private var parser: FrameReader? = nil
  private var unitCount = 0

  /// Whether no more units will follow.
  var isFinished: Bool { file.isFinished }

  mutating func append(_ bytes: [UInt8]) { file.append(bytes) }

  mutating func finish() { file.finish() }

  /// Reads the header or a block; returns false if more bytes are needed.
  mutating func read(
    into steps: inout [CodedFileReader.Step], base: UInt64
  ) throws(CodedFileError) -> Bool {
    let offset = base &+ UInt64(UInt(bitPattern: file.offset))
    switch file.next() {
    case nil: return false
    case .invalidHeader: throw .notAAC(.other(.adif))
    case .header(let configuration):
      parser = FrameReader(configuration)
      steps.append(.configuration(configuration))
    case .block(let bytes, _):
      guard let count = parser?.length(ofBlockIn: bytes) else {
        // The start of the next block is unknown. All bytes examined are reported as damage.
        file.stop()
        steps.append(
          .damage(
            StreamDamage(
              kind: .garbage, offset: Int(truncatingIfNeeded: offset), length: bytes.count)))
        return true
      }
      steps.append(
        .unit(CodedUnit(bytes: Array(bytes[..<count]), offset: offset, index: unitCount)))
      unitCount += 1
      file.drop(count)
    }
    return true
  }
}
