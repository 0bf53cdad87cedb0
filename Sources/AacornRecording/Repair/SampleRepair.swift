package import AacornInspection
package import AacornSignal
package import AacornSoundFiles

/// The repair of a WAV or CAF file whose header does not state its true length.
package struct SampleRepair {
  package let format: PCMFormat
  package let frameCount: Int
  /// The incomplete frame at the end, which is removed, if there is one.
  package let loss: RepairLog.Loss?
  /// The repair of the file itself.
  package let inPlace: InPlaceRepair
  package let newFile: RepairedFile

  /// A possible repair of a file.
  package enum Outcome {
    /// The header is correct.
    case intact
    case repairable(SampleRepair)
    /// The reason, as a clause about the file.
    case irreparable(String)
  }

  fileprivate init(_ info: PCMFileInfo, _ sizes: PCMSizes, byteCount: Int) {
    format = info.format
    frameCount = Int(clamping: sizes.frameCount)
    let rest = UInt64(max(0, byteCount)) - sizes.end
    loss = rest > 0 ? RepairLog.Loss(reason: .tornFrame, offset: sizes.end, length: rest) : nil
    inPlace = InPlaceRepair(truncation: rest > 0 ? sizes.end : nil, writes: sizes.writes)
    newFile = RepairedFile(parts: [0..<sizes.end], writes: sizes.writes)
  }
}

extension RepairWork {
  /// The maximum number of bytes before the samples, which must contain their description.
  private static var headerLimit: Int { 1 << 24 }

  /// Returns the location and the format of a file's samples; nil if its header cannot be read.
  package func sampleInfo() throws(Failure) -> PCMFileInfo? {
    var reader = PCMFileReader()
    var offset = 0
    var readCount = 0
    while readCount < Self.headerLimit {
      let bytes = try read(offset, 4096)
      offset += bytes.count
      readCount += max(bytes.count, 64)
      do throws(PCMFileError) {
        switch bytes.isEmpty ? try reader.finish() : try reader.push(bytes.span) {
        case .needMore: continue
        case .seek(let target): offset = Int(clamping: target)
        case .ready(let info): return info
        }
      } catch {
        return nil
      }
    }
    return nil
  }

  /// Returns the possible repair of a file that contains samples.
  package func sampleOutcome() throws(Failure) -> SampleRepair.Outcome {
    guard let info = try sampleInfo() else {
      return .irreparable("its header is damaged, or its sample format is not supported")
    }
    let head = try read(0, 32)
    if head.starts(with: Array("FORM".utf8)) {
      return .irreparable(
        "AIFF files cannot be repaired, but “aacorn encode” can read their audio"
      )
    }
    guard let sizes = PCMSizes(info, head: head, byteCount: UInt64(max(0, byteCount))) else {
      return .irreparable("its length does not fit in its header")
    }
    if sizes.frameCount == 0 { return .irreparable("it contains no samples") }
    return sizes.writes.isEmpty
      ? .intact : .repairable(SampleRepair(info, sizes, byteCount: byteCount))
  }
}
