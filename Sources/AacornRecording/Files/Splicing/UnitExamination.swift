import AacornCodec
import AacornContainers

/// Detects damaged units that are copied unchanged.
///
/// The units are parsed and not decoded, which is fast and finds the units that a decoder would
/// conceal.
struct UnitExamination {
  private(set) var damagedCount = 0
  private(set) var firstDamaged: Int?
  private let channelCount: Int
  private var reader: FrameReader

  init(_ form: CodedForm) {
    channelCount = form.channelCount
    reader = FrameReader(form.stream)
  }

  /// Parses a unit, and counts it if that fails.
  mutating func recordDamage(at unit: CodedUnit) {
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
