import AacornCodec
import AacornContainers

/// Finds the damaged ones among units that are copied as they are.
///
/// They are read and not decoded, which is fast and finds what a decoder would replace.
struct UnitExamination {
  /// How many cannot be read.
  private(set) var damagedCount = 0
  /// The number of the first one.
  private(set) var firstDamaged: Int?
  private let channelCount: Int
  private var reader: FrameReader

  /// Units of this form.
  init(_ form: CodedForm) {
    channelCount = form.channelCount
    reader = FrameReader(form.stream)
  }

  /// Reads a unit, and counts it if that fails.
  mutating func look(at unit: CodedUnit) {
    if isReadable(unit.bytes) { return }
    damagedCount += 1
    if firstDamaged == nil { firstDamaged = unit.index }
  }

  private mutating func isReadable(_ unit: [UInt8]) -> Bool {
    do throws(ParseError) {
      try reader.read(unit)
    } catch {
      return false
    }
    return !reader.block.isSilent(where: channelCount)
  }
}
