import AacornContainers

/// Inspects a stream or MP4 file with random access to its bytes.
public enum FileInspection {
  private static let pieceLength = 1 << 16

  /// Inspects a file with the inspector for its format and returns the report.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the file.
  ///   - decodesSound: Whether to decode the file as well, for ``StreamReport/sound``.
  ///   - read: Returns bytes of the file, given offset and count. Fewer bytes mean that the file
  ///     ends there.
  /// - Returns: The complete report.
  /// - Throws: Any error thrown by `read`.
  public static func report<Failure: Error>(
    byteCount: UInt64, decodesSound: Bool = false,
    read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> StreamReport {
    var report = try structure(byteCount: byteCount, read: read)
    if decodesSound { report.add(try sound(byteCount: byteCount, read: read)) }
    return report
  }

  /// Returns the findings that require decoding a file.
  package static func sound<Failure: Error>(
    byteCount: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> AudioReportResult {
    var inspector = AudioInspector(byteCount: byteCount)
    while true {
      let step: AudioInspector.Step
      do throws(CodedAudioError) {
        step = try inspector.step()
      } catch {
        return .impossible(error)
      }
      switch step {
      case .need(let offset, let count): inspector.supply(try read(offset, count))
      case .finished: return .measured(inspector.report)
      }
    }
  }

  private static func structure<Failure: Error>(
    byteCount: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> StreamReport {
    let head = try read(0, Int(min(byteCount, 12)))
    if StreamInspector.needsSeeking(head) {
      return try movieReport(byteCount: byteCount, read: read)
    }
    var inspector = StreamInspector()
    var position: UInt64 = 0
    while position < byteCount {
      let bytes = try read(position, Int(min(UInt64(pieceLength), byteCount - position)))
      if bytes.isEmpty { break }
      position += UInt64(bytes.count)
      inspector.append(bytes)
      while inspector.next() != nil {}
    }
    inspector.finish()
    while inspector.next() != nil {}
    return inspector.report
  }

  private static func movieReport<Failure: Error>(
    byteCount: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> StreamReport {
    var inspector = MovieInspector(byteCount: byteCount)
    while true {
      switch inspector.step() {
      case .need(let offset, let count): inspector.supply(try read(offset, count))
      case .row: break
      case .finished: return inspector.report
      }
    }
  }
}
