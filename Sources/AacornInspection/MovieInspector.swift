import AacornCodec
public import AacornContainers
import AacornSignal

/// Inspects an MP4, M4A or QuickTime file, fragmented or not, and asks for the bytes it needs.
///
///     var inspector = MovieInspector(byteCount: file.size)
///     loop: while true {
///       switch inspector.step() {
///       case .need(let offset, let count): inspector.supply(file.read(count, at: offset))
///       case .row(let row): …
///       case .finished: break loop
///       }
///     }
///     // now inspector.report
public struct MovieInspector: Sendable {
  /// What comes next.
  public enum Step: Equatable, Sendable {
    /// These bytes are wanted; pass them to `supply`, or fewer if the file ends there.
    case need(offset: UInt64, count: Int)
    /// A frame.
    case row(FrameRow)
    /// All frames have been read.
    case finished
  }

  /// The file's tables; complete before the first row.
  public private(set) var reader: MP4Reader
  @Boxed private var analyzer: FrameAnalyzer
  private let byteCount: UInt64
  private var container = StreamReport.Container.unknown
  private var isMPEG2 = false
  private var areTablesRead = false
  private var sampleIndex = 0
  /// A piece of the file that holds the next frames.
  private var piece: [UInt8] = []
  private var pieceOffset: UInt64 = 0

  /// How many bytes are requested at once.
  private static let pieceLength = 1 << 16

  /// An inspector of a file of this many bytes; `measuresLevels` makes it measure loudness.
  public init(byteCount: UInt64, measuresLevels: Bool = false) {
    analyzer = FrameAnalyzer(measuresLevels: measuresLevels)
    self.byteCount = byteCount
    reader = MP4Reader(byteCount: byteCount)
  }

  /// The findings so far; complete once `step` has returned `finished`.
  public var report: StreamReport {
    var report = analyzer.currentReport
    report.container = container
    report.byteCount = Int64(clamping: byteCount)
    // Band replication that only the frames tell is not in the clock of the tables.
    let isHidden = report.hasSpectralBandReplication && !report.isExtensionSignaled
    let samplesPerTick = isHidden ? reader.samplesPerDoubledTick : reader.samplesPerTick
    report.trim = reader.trimming(samplesPerTick: samplesPerTick)
    report.trimRate = Int(clamping: UInt64(reader.track?.timescale ?? 0) * samplesPerTick)
    report.startText = reader.started.map { Array($0.utf8) }
    report.gapEntries = reader.gapEntries
    return report
  }

  /// The loudness over time, as in ``SoundEnvelope/levels(_:)``.
  public func levels(_ count: Int) -> [UInt8] { analyzer.levels(count) }

  /// Advances by one step; requests the same bytes until they are supplied.
  public mutating func step() -> Step {
    if !areTablesRead {
      if case .need(let offset, let count) = reader.step() {
        return .need(offset: offset, count: count)
      }
      takeTables()
    }
    guard let track = reader.track else { return .finished }
    while sampleIndex < reader.completeSampleCount,
      let sample = reader.sample(at: sampleIndex)
    {
      let size = Int64(sample.byteCount)
      var unit = FrameAnalyzer.Unit(
        configuration: track.stream, bytes: piece, range: 0..<0,
        offset: Int64(clamping: sample.offset), length: size)
      unit.isMPEG2 = isMPEG2
      if size > Int64(Self.pieceLength) {
        sampleIndex += 1
        analyzer.addMissingBlocks(1, unit)
        continue
      }
      guard let start = place(of: sample) else {
        let count = min(UInt64(Self.pieceLength), byteCount - min(sample.offset, byteCount))
        return .need(offset: sample.offset, count: Int(count))
      }
      unit.range = start..<start + Int(size)
      sampleIndex += 1
      let used = analyzer.read(unit)
      return .row(analyzer.takeRow(unit, byteCount: used))
    }
    return .finished
  }

  /// Takes the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) {
    if !areTablesRead { return reader.supply(bytes) }
    guard let sample = reader.sample(at: sampleIndex) else { return }
    piece = bytes
    pieceOffset = sample.offset
    // Fewer bytes than the frame needs will never become enough.
    if UInt64(bytes.count) < UInt64(sample.byteCount) {
      piece = []
      let length = Int64(sample.byteCount)
      analyzer.add(
        .movie(.sampleOutsideFile), offset: Int64(clamping: sample.offset), length: length)
      sampleIndex = reader.completeSampleCount
    }
  }

  /// Where in `piece` a frame begins, if all of it is there.
  private func place(of sample: MP4Sample) -> Int? {
    guard sample.offset >= pieceOffset else { return nil }
    let start = sample.offset - pieceOffset
    guard start + UInt64(sample.byteCount) <= UInt64(piece.count) else { return nil }
    return Int(start)
  }

  private mutating func takeTables() {
    areTablesRead = true
    // The brand "qt  " of QuickTime; the oldest files have none at all.
    let isQuickTime = reader.brand == nil || reader.brand?.rawValue == 0x7174_2020
    container = .movie(isQuickTime: isQuickTime, isFragmented: reader.fragmentCount > 0)
    if let track = reader.track {
      isMPEG2 = (0x66...0x68).contains(track.objectTypeIndication)
    }
    let refusal = reader.pieceRefusal ?? reader.refusal
    if let refusal { analyzer.add(.noStream(refusal), offset: 0, length: 0) }
    for damage in reader.damage {
      // They would say the same once more.
      if refusal != nil, damage.isOfMissingTrack { continue }
      analyzer.add(
        .movie(damage.kind), offset: Int64(clamping: damage.offset),
        length: Int64(clamping: damage.length))
    }
    let shared = Int64(clamping: reader.sharedByteCount)
    if shared > 0 { analyzer.add(.sharedBytes(count: shared), offset: 0, length: 0) }
    if refusal == nil, reader.track == nil || reader.completeSampleCount == 0 {
      analyzer.add(.noFrames, offset: 0, length: Int64(clamping: byteCount))
    }
  }
}

extension MP4Damage {
  /// Whether it is that there is no track, or none that can be read.
  fileprivate var isOfMissingTrack: Bool {
    switch kind {
    case .noAudioTrack, .invalidConfiguration, .missingMovie, .fragmentBeforeMovie: true
    default: false
    }
  }
}
