import AacornCodec
import AacornContainers
import AacornInspection
import AacornSoundFiles

/// An inspection of a file, with bytes fetched by JavaScript.
///
/// It proceeds in steps: each requests bytes of the file, outputs rows, or reports the end.
final class InspectorSession: Session {
  enum Step: Int32 {
    case finished = 0
    case wantsBytes = 1
    case hasRows = 2
  }

  private let byteCount: UInt64
  // Only one of these is set, depending on the first bytes. They are separate properties, so that
  // access in place makes no copy.
  private var stream: StreamInspector?
  private var movie: MovieInspector?
  /// The number of bytes read from a stream.
  private var position: UInt64 = 0
  private var rows: [UInt8] = []
  private var isAtEnd = false
  private var isFinished = false

  private static let pieceLength: UInt64 = 1 << 18
  /// The maximum number of rows per step.
  private static let rowLimit = 2048

  override var asInspector: InspectorSession? { self }

  init(byteCount: UInt64) {
    self.byteCount = byteCount
  }

  /// Continues until JavaScript must act.
  func step() -> Step {
    rows.removeAll(keepingCapacity: true)
    if isFinished { return .finished }
    if movie != nil { return stepMovie() }
    if stream != nil { return stepStream() }
    request(Self.pieceLength)
    if wantedCount > 0 { return .wantsBytes }
    stream = StreamInspector(measuresLevels: true)
    return stepStream()
  }

  private func stepStream() -> Step {
    while rows.count < Self.rowLimit * RowBytes.length, let row = stream?.next() {
      RowBytes.append(row, to: &rows)
    }
    if !rows.isEmpty {
      _ = put(rows)
      return .hasRows
    }
    request(Self.pieceLength)
    if wantedCount > 0 { return .wantsBytes }
    if !isAtEnd {
      isAtEnd = true
      stream?.finish()
      return stepStream()
    }
    isFinished = true
    return .finished
  }

  private func stepMovie() -> Step {
    while rows.count < Self.rowLimit * RowBytes.length {
      switch movie?.step() ?? .finished {
      case .row(let row):
        RowBytes.append(row, to: &rows)
        continue
      case .need(let offset, let count):
        wantedOffset = offset
        wantedCount = count
        if rows.isEmpty { return .wantsBytes }
      case .finished:
        if rows.isEmpty {
          isFinished = true
          return .finished
        }
      }
      break
    }
    _ = put(rows)
    return .hasRows
  }

  private func request(_ count: UInt64) {
    wantedOffset = position
    wantedCount = Int(min(count, byteCount - min(byteCount, position)))
  }

  var rowCount: Int32 { Int32(rows.count / RowBytes.length) }

  /// Supplies the requested bytes; fewer mean that the file ends there.
  func supply(_ count: Int) -> Int32 {
    guard count <= wantedCount, wantedCount > 0, !isFinished, let bytes = bytes(count) else {
      return Failure.wrongState
    }
    wantedCount = 0
    if movie != nil {
      movie?.supply(bytes)
      return 0
    }
    if stream == nil {
      if StreamInspector.needsSeeking(Array(bytes.prefix(16))) {
        movie = MovieInspector(byteCount: byteCount, measuresLevels: true)
        return 0
      }
      // Positions in a stream have 32 bits.
      guard byteCount <= UInt64(Int32.max) else { return Failure.tooLong }
      stream = StreamInspector(measuresLevels: true)
    }
    stream?.append(bytes)
    // The file may be shorter than specified.
    position = bytes.isEmpty ? byteCount : position + UInt64(bytes.count)
    return 0
  }

  /// Outputs the report as JSON; fails before the end of the inspection.
  func putReport() -> Int32 {
    guard isFinished, let report = movie?.report ?? stream?.report else {
      return Failure.wrongState
    }
    return put(report.object(sound: .null).bytes)
  }

  func putLevels(_ count: Int) -> Int32 {
    guard count > 0, count <= 1 << 16 else { return Failure.tooManySamples }
    guard let levels = movie?.levels(count) ?? stream?.levels(count) else {
      return Failure.wrongState
    }
    return put(levels)
  }
}

/// A row of the frame table as bytes, little-endian.
///
///      0  number, offset and position of the first sample, each a Float64
///     24  bytes; used bits or −1; bits in the reservoir or −1; sampling rate, each an Int32
///     40  profile's object type, channels, window sequences of two channels or 255, each a byte
///     44  0, 0; faults as an UInt16
enum RowBytes {
  static let length = 48

  static func append(_ row: FrameRow, to bytes: inout [UInt8]) {
    bytes.append(little: Double(row.number).bitPattern)
    bytes.append(little: Double(row.offset).bitPattern)
    bytes.append(little: Double(row.samplePosition).bitPattern)
    bytes.append(little: Int32(clamping: row.byteCount))
    bytes.append(little: Int32(clamping: row.usedBits ?? -1))
    bytes.append(little: Int32(clamping: row.reservoirBits ?? -1))
    bytes.append(little: Int32(clamping: row.sampleRate))
    bytes.append(row.profile.rawValue)
    bytes.append(UInt8(clamping: row.channelCount))
    bytes.append(row.firstWindow?.rawValue ?? 255)
    bytes.append(row.secondWindow?.rawValue ?? 255)
    bytes.append(little: UInt16(0))
    bytes.append(little: UInt16(clamping: row.faultCount))
  }
}
