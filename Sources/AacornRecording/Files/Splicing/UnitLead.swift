import AacornCodec
import AacornContainers

/// Which unit a part must begin with, so that the first one that is heard is decoded as it was.
///
///     low complexity      one unit, because the halves of windows overlap
///     band replication    three, and back to one with a header, without which nothing is replicated
///     prediction          all of them
struct UnitLead {
  /// How many units before the wanted one are to be looked at.
  let windowCount: Int

  private let form: CodedForm
  private let isExact: Bool

  /// Units that band replication needs before it sounds as it did: one for the core's overlap, two
  /// for its own history.
  private static let historyCount = 3
  /// How far back a header is searched for: most encoders repeat it every second or more often.
  private static let searchCount = 128
  /// Units that are taken where no header is found.
  private static let usualCount = 10

  /// A lead for a format that can leave it out again (`isExact`), or one that cannot: then it is as
  /// short as possible.
  init(_ form: CodedForm, isExact: Bool) {
    self.form = form
    self.isExact = isExact
    if form.isPredicted {
      windowCount = Self.usualCount
    } else if form.hasBandReplication {
      windowCount = Self.searchCount
    } else {
      windowCount = isExact ? 1 : 0
    }
  }

  /// Whether a part can begin with this unit at all.
  func reaches(_ unit: Int) -> Bool { !form.isPredicted || unit <= windowCount }

  /// The first unit to take, of those that end with the wanted one, and whether a header that it
  /// needs was not found.
  private func start(in units: [CodedUnit]) -> (index: Int, lacksHeader: Bool) {
    let wanted = units.count - 1
    if wanted <= 0 || form.isPredicted { return (0, false) }
    guard form.hasBandReplication else { return (isExact ? wanted - 1 : wanted, false) }
    let latest = max(0, wanted - (isExact ? Self.historyCount : 0))
    // Reading tells where the extensions are; a unit that cannot be read has no header.
    var reader = FrameReader(form.stream)
    for index in stride(from: latest, through: 0, by: -1) {
      // A stream has to begin near where it was asked to, even if something is missing there.
      if !isExact, wanted - index > Self.usualCount { break }
      if Self.hasHeader(units[index].bytes, &reader) { return (index, false) }
    }
    return (isExact ? max(0, wanted - Self.usualCount) : wanted, true)
  }

  /// Returns the units from the first required unit to unit `wanted`, or to the end of the file, and whether a
  /// header that they need was not found.
  func beginning(
    of source: inout CodedUnitSource, upTo wanted: Int
  ) throws(AACFileError) -> (units: ArraySlice<CodedUnit>, lacksHeader: Bool) {
    var units: [CodedUnit] = []
    try source.begin(at: max(0, wanted - windowCount))
    while source.nextIndex <= wanted, let unit = try source.next() { units.append(unit) }
    let start = start(in: units)
    return (units[start.index...], start.lacksHeader)
  }

  /// Whether a decoder can begin with the band replication of a unit, whatever it decoded before; nil
  /// if the unit has none.
  func canBegin(_ unit: CodedUnit) -> Bool? {
    guard form.hasBandReplication else { return nil }
    var reader = FrameReader(form.stream)
    do throws(ParseError) {
      try reader.read(unit.bytes)
    } catch {
      return nil
    }
    return SBRProbe.canBegin(reader.block, in: unit.bytes, range: 0..<unit.bytes.count, form.stream)
  }

  /// Whether all band replication in a unit comes with its header (ISO/IEC 14496-3, table 4.62).
  private static func hasHeader(_ unit: [UInt8], _ reader: inout FrameReader) -> Bool {
    do throws(ParseError) {
      try reader.read(unit)
    } catch {
      return false
    }
    var count = 0
    for payload in reader.block.extensions where payload.kind.isSpectralBandReplication {
      // The flag follows the kind, or ten bits of checksum behind it.
      let checksum = payload.kind == .checkedSpectralBandReplication ? 10 : 0
      let bit = payload.bits.lowerBound + 4 + checksum
      guard bit < payload.bits.upperBound, bit / 8 < unit.count,
        unit[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
      else { return false }
      count += 1
    }
    return count > 0
  }
}
