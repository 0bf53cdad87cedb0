/// Collects frames and writes them as movie fragments (14496-12, 8.8).
///
/// Each fragment is written as a whole, with its tables before its audio.
struct MP4FragmentWriter: Sendable {
  /// The audio of a written fragment.
  struct Chunk: Equatable, Sendable {
    var offset: UInt64
    var unitCount: Int
  }

  private let parameters: TrackParameters
  private let unitsPerFragment: Int
  /// The number of frames that are always held back for the last fragment.
  private let heldBack: Int
  private var sizes: [Int] = []
  private var payload: [UInt8] = []
  /// The number of the last fragment.
  private(set) var sequenceNumber: UInt32
  /// The decoding time of the first frame, in samples.
  private let startTime: UInt64
  private var writtenUnitCount = 0
  private(set) var byteCount: UInt64 = 0

  init(
    _ parameters: TrackParameters, unitsPerFragment: Int, heldBack: Int = 0,
    startTime: UInt64 = 0, sequenceNumber: UInt32 = 0
  ) {
    self.parameters = parameters
    self.startTime = startTime
    self.sequenceNumber = sequenceNumber
    self.unitsPerFragment = unitsPerFragment
    self.heldBack = heldBack
  }

  var unitCount: Int { writtenUnitCount + sizes.count }

  /// Counts bytes written outside fragments, such as the bytes before the first fragment.
  mutating func countBytes(_ byteCount: Int) {
    self.byteCount += UInt64(byteCount)
  }

  /// Adds a frame, and appends a fragment to `bytes` when one is complete.
  @discardableResult
  mutating func append(_ unit: [UInt8], to bytes: inout [UInt8]) -> Chunk? {
    sizes.append(unit.count)
    payload.append(contentsOf: unit)
    guard sizes.count >= unitsPerFragment + heldBack else { return nil }
    return putFragment(unitCount: unitsPerFragment, durations: nil, to: &bytes)
  }

  /// Writes the remaining frames; the last `remainder` samples are not played.
  @discardableResult
  mutating func finish(remainder: UInt64 = 0, to bytes: inout [UInt8]) -> Chunk? {
    if sizes.isEmpty { return nil }
    var durations: [UInt64]?
    if remainder > 0 {
      // Round down: a tick that contains a played sample is played completely.
      var rest = remainder / parameters.samplesPerTick
      var shortened = [UInt64](repeating: parameters.ticksPerUnit, count: sizes.count)
      for index in shortened.indices.reversed() where rest > 0 {
        let cut = min(rest, shortened[index])
        shortened[index] -= cut
        rest -= cut
      }
      durations = shortened
    }
    return putFragment(unitCount: sizes.count, durations: durations, to: &bytes)
  }

  private mutating func putFragment(
    unitCount: Int, durations: [UInt64]?, to bytes: inout [UInt8]
  ) -> Chunk {
    sequenceNumber &+= 1
    let payloadCount = sizes[..<unitCount].reduce(0, +)
    // The box contains the distance from its start to the audio, so its length is measured first.
    var box = BoxWriter()
    putMovieFragment(unitCount: unitCount, durations: durations, dataOffset: 0, to: &box)
    let dataOffset = Int32(box.byteCount + 8)
    box = BoxWriter()
    putMovieFragment(unitCount: unitCount, durations: durations, dataOffset: dataOffset, to: &box)
    box.putHeader(.mediaData, byteCount: UInt64(8 + payloadCount))
    bytes += box.bytes
    bytes += payload[..<payloadCount]
    let chunk = Chunk(offset: byteCount + UInt64(box.byteCount), unitCount: unitCount)
    byteCount += UInt64(box.byteCount + payloadCount)
    payload.removeFirst(payloadCount)
    sizes.removeFirst(unitCount)
    writtenUnitCount += unitCount
    return chunk
  }

  private func putMovieFragment(
    unitCount: Int, durations: [UInt64]?, dataOffset: Int32, to box: inout BoxWriter
  ) {
    box.box(.movieFragment) { box in
      box.fullBox(.movieFragmentHeader) { $0.put32(sequenceNumber) }
      box.box(.trackFragment) { box in
        // Flag 0x20000: offsets are relative to the start of this moof.
        box.fullBox(.trackFragmentHeader, flags: 0x02_0000) { $0.put32(1) }
        box.fullBox(.trackFragmentDecodeTime, version: 1) { box in
          let time = startTime &+ UInt64(writtenUnitCount) &* parameters.samplesPerUnit
          box.put(time / parameters.samplesPerTick, bits: 64)
        }
        // A data offset, sizes, and durations where they differ.
        var run = TrackRun(
          flags: durations == nil ? 0x201 : 0x301, unitCount: UInt32(unitCount),
          dataOffset: dataOffset)
        box.fullBox(.trackRun, flags: run.flags) { box in
          run.transfer(&box)
          for index in 0..<unitCount {
            var duration = durations.map { UInt32(truncatingIfNeeded: $0[index]) } ?? 0
            var size = UInt32(sizes[index])
            run.transfer(&box, duration: &duration, size: &size)
          }
        }
        Movie.putRollAssignment(unitCount: unitCount, to: &box)
      }
    }
  }
}
