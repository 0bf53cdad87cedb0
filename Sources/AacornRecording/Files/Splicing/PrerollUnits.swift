import AacornCodec
import AacornContainers

/// Determines the first unit to copy, so that the first audible unit is decoded correctly.
///
///     low complexity      one unit, because the halves of windows overlap
///     band replication    at least three units, the first of them with a header, because no bands
///                         are replicated before a header; if the preroll is audible, it begins
///                         with the unit before a unit with a header
///     prediction          all previous units
struct PrerollUnits {
  /// The number of units to search before the requested unit.
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

  /// Prepares the search for a format that can make the preroll inaudible (`isExact`), or for
  /// another format, which needs the shortest clean preroll.
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

  /// Returns the index of the first unit to copy and whether decoding begins cleanly there; the
  /// last of `units` is the requested one.
  private func start(in units: [CodedUnit]) -> (index: Int, isClean: Bool) {
    let wanted = units.count - 1
    if wanted <= 0 || form.isPredicted {
      return (0, units.first.map { canBegin($0) != false } ?? true)
    }
    guard form.hasBandReplication else { return (isExact ? wanted - 1 : wanted, true) }
    if !isExact { return audibleStart(in: units) }
    // The reader finds the extension payloads, which contain the header. A unit that cannot be
    // parsed counts as having no header.
    var reader = FrameReader(form.stream)
    for index in stride(from: max(0, wanted - Self.historyCount), through: 0, by: -1) {
      if Self.hasHeader(units[index].bytes, &reader) {
        return (index, canBegin(units[index]) != false)
      }
    }
    return (max(0, wanted - Self.defaultCount), false)
  }

  /// Returns the index of the first unit to copy in a stream of complete frames, near the requested
  /// unit.
  ///
  /// The copy begins one unit before the header that starts band replication. The decoder fades in
  /// the core in the first unit of a stream. Band replication from that unit could cause a click
  /// nearly 10 dB louder than the audio.
  private func audibleStart(in units: [CodedUnit]) -> (index: Int, isClean: Bool) {
    let wanted = units.count - 1
    var reader = FrameReader(form.stream)
    var nearest: Int?
    for index in stride(from: wanted, through: max(0, wanted - Self.defaultCount), by: -1)
    where Self.hasHeader(units[index].bytes, &reader) {
      let isClean = canBegin(units[index]) != false
      // The file itself begins here.
      if units[index].index == 0 { return (index, isClean) }
      if nearest == nil { nearest = index }
      if isClean, index > 0, !Self.hasHeader(units[index - 1].bytes, &reader) {
        return (index - 1, true)
      }
    }
    return (nearest ?? wanted, false)
  }

  /// Returns the units from the first required unit to unit `wanted`, or to the end of the file,
  /// and whether decoding begins cleanly with them.
  func beginning(
    of source: inout CodedUnitSource, upTo wanted: Int
  ) throws(AACFileError) -> (units: ArraySlice<CodedUnit>, isClean: Bool) {
    var units: [CodedUnit] = []
    try source.begin(at: max(0, wanted - windowCount))
    while source.nextIndex <= wanted, let unit = try source.next() { units.append(unit) }
    let start = start(in: units)
    return (units[start.index...], start.isClean)
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
      guard payload.hasReplicationHeader(in: unit) else { return false }
      count += 1
    }
    return count > 0
  }
}
