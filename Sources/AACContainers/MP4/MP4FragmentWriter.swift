/// Collects frames and writes them as movie fragments of about a second (14496-12, 8.8).
///
/// A fragment is written whole, its tables before its sound. A few frames are always held back,
/// because only the last fragment can say that its last frames are not to be played to their end.
struct MP4FragmentWriter: Sendable {
  private let parameters: TrackParameters
  private var sizes: [Int] = []
  private var payload: [UInt8] = []
  private var sequenceNumber: UInt32 = 0
  /// Frames already written.
  private var writtenUnitCount = 0
  /// Bytes of the file so far.
  private(set) var byteCount: UInt64 = 0

  /// Frames held back: more than an encoder's last look ahead fills.
  private static let heldBack = 3

  /// A writer with nothing in it.
  init(_ parameters: TrackParameters) {
    self.parameters = parameters
  }

  /// All frames so far.
  var unitCount: Int { writtenUnitCount + sizes.count }

  /// Tells how long the boxes before the first fragment are.
  mutating func start(after byteCount: Int) {
    self.byteCount = UInt64(byteCount)
  }

  /// Adds a frame, and a fragment to `bytes` when one is complete.
  mutating func append(_ unit: [UInt8], to bytes: inout [UInt8]) {
    sizes.append(unit.count)
    payload.append(contentsOf: unit)
    if sizes.count >= parameters.unitsPerChunk + Self.heldBack {
      putFragment(unitCount: parameters.unitsPerChunk, durations: nil, to: &bytes)
    }
  }

  /// Writes what is left; the last `remainder` samples are not to be played.
  mutating func finish(remainder: UInt64, to bytes: inout [UInt8]) {
    if sizes.isEmpty { return }
    var rest = remainder
    var durations = [UInt64](repeating: parameters.samplesPerUnit, count: sizes.count)
    for index in durations.indices.reversed() where rest > 0 {
      let cut = min(rest, durations[index])
      durations[index] -= cut
      rest -= cut
    }
    putFragment(
      unitCount: sizes.count, durations: remainder > 0 ? durations : nil, to: &bytes)
  }

  private mutating func putFragment(unitCount: Int, durations: [UInt64]?, to bytes: inout [UInt8]) {
    sequenceNumber &+= 1
    let payloadCount = sizes[..<unitCount].reduce(0, +)
    // The box says how far behind its own start the sound begins, so its length is measured first.
    var box = BoxWriter()
    putMovieFragment(unitCount: unitCount, durations: durations, dataOffset: 0, to: &box)
    let dataOffset = UInt32(box.byteCount + 8)
    box = BoxWriter()
    putMovieFragment(unitCount: unitCount, durations: durations, dataOffset: dataOffset, to: &box)
    box.put32(UInt32(8 + payloadCount))
    box.put(.mediaData)
    bytes += box.bytes
    bytes += payload[..<payloadCount]
    byteCount += UInt64(box.byteCount + payloadCount)
    payload.removeFirst(payloadCount)
    sizes.removeFirst(unitCount)
    writtenUnitCount += unitCount
  }

  private func putMovieFragment(
    unitCount: Int, durations: [UInt64]?, dataOffset: UInt32, to box: inout BoxWriter
  ) {
    box.box(.movieFragment) { box in
      box.fullBox(.movieFragmentHeader) { $0.put32(sequenceNumber) }
      box.box(.trackFragment) { box in
        // Flag 0x20000: offsets count from the start of this moof.
        box.fullBox(.trackFragmentHeader, flags: 0x02_0000) { $0.put32(1) }
        box.fullBox(.trackFragmentDecodeTime, version: 1) { box in
          box.put64(UInt64(writtenUnitCount) &* parameters.samplesPerUnit)
        }
        // Flags: a data offset (1), sizes (0x200), and durations (0x100) where they differ.
        box.fullBox(.trackRun, flags: durations == nil ? 0x201 : 0x301) { box in
          box.put32(UInt32(unitCount))
          box.put32(dataOffset)
          for index in 0..<unitCount {
            if let durations { box.put32(UInt32(truncatingIfNeeded: durations[index])) }
            box.put32(UInt32(sizes[index]))
          }
        }
        Movie.putRollAssignment(unitCount: unitCount, to: &box)
      }
    }
  }
}
