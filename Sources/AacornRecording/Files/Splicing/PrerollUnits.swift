import AacornCodec
import AacornContainers

/// Determines the first unit to copy, so that the first audible unit is decoded correctly.
///
///     low complexity      one unit, because the halves of windows overlap
///     band replication    three, and back to a header, without which no bands are replicated
///     prediction          all of them
struct PrerollUnits {
  /// The number of units before the wanted one to search.
  let windowCount: Int

  private let form: CodedForm
  private let isExact: Bool

  /// Units that band replication needs for a correct state: one for the core's overlap, two for its
  /// own history.
  private static let historyCount = 3
  /// The distance to search for a header: most encoders repeat it every second or more often.
  private static let searchCount = 128
  /// Units to copy if no header is found.
  private static let defaultCount = 10

  /// Creates a lead for a format that can hide it (`isExact`), or for another format with the
  /// shortest lead.
  init(_ form: CodedForm, isExact: Bool) {
    self.form = form
    self.isExact = isExact
    if form.isPredicted {
      windowCount = Self.defaultCount
    } else if form.hasBandReplication {
      windowCount = Self.searchCount
    } else {
      windowCount = isExact ? 1 : 0
    }
  }

  /// Returns whether a part can begin with this unit at all.
  func reaches(_ unit: Int) -> Bool { !form.isPredicted || unit <= windowCount }

  /// Returns the index of the first unit to copy and whether a required header was not found; the
  /// last of `units` is the wanted one.
  private func start(in units: [CodedUnit]) -> (index: Int, isHeaderMissing: Bool) {
    let wanted = units.count - 1
    if wanted <= 0 || form.isPredicted { return (0, false) }
    guard form.hasBandReplication else { return (isExact ? wanted - 1 : wanted, false) }
    let latest = max(0, wanted - (isExact ? Self.historyCount : 0))
    // Parsing finds the extensions; an unreadable unit has no header.
    var reader = FrameReader(form.stream)
    for index in stride(from: latest, through: 0, by: -1) {
      // A stream must begin near the requested start, even if a header is missing there.
      if !isExact, wanted - index > Self.defaultCount { break }
      if Self.hasHeader(units[index].bytes, &reader) { return (index, false) }
    }
    return (isExact ? max(0, wanted - Self.defaultCount) : wanted, true)
  }

  /// Returns the units from the first required unit to unit `wanted`, or to the end of the file,
  /// and whether a required header was not found.
  func beginning(
    of source: inout CodedUnitSource, upTo wanted: Int
  ) throws(AACFileError) -> (units: ArraySlice<CodedUnit>, isHeaderMissing: Bool) {
    var units: [CodedUnit] = []
    try source.begin(at: max(0, wanted - windowCount))
    while source.nextIndex <= wanted, let unit = try source.next() { units.append(unit) }
    let start = start(in: units)
    return (units[start.index...], start.isHeaderMissing)
  }

  /// Returns whether a decoder can begin with the band replication of a unit, independent of
  /// previous units; nil if the unit has none.
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

  /// Returns whether all band replication in a unit has a header (ISO/IEC 14496-3, table 4.62).
  private static func hasHeader(_ unit: [UInt8], _ reader: inout FrameReader) -> Bool {
    do throws(ParseError) {
      try reader.read(unit)
    } catch {
      return false
    }
    var count = 0
    for payload in reader.block.extensions where payload.kind.isSpectralBandReplication {
      // The flag follows the kind, or ten bits of checksum after it.
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
