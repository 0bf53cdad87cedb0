import AacornCodec
package import AacornInspection
import AacornSignal

/// Determines the repair of a damaged file, and creates a valid file from it.
///
/// The caller provides the bytes, and defines the errors.
package struct RepairWork<Failure: Error> {
  /// The length of the damaged file.
  package let byteCount: Int
  let read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]

  private static var blockSize: Int { 65_536 }

  /// Prepares the repair of a file; `read` returns bytes of it, fewer only at its end.
  package init(
    byteCount: Int, read: @escaping (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) {
    self.byteCount = byteCount
    self.read = read
  }

  /// Returns whether the file contains samples rather than AAC.
  package func holdsSamples() throws(Failure) -> Bool {
    let head = try read(0, 4)
    return ["RIFF", "RIFX", "RF64", "BW64", "caff", "FORM"].contains { head == Array($0.utf8) }
  }

  /// Returns the possible repair; the result of a plan has been inspected and has no errors.
  package func outcome(_ hints: RepairHints = RepairHints()) throws(Failure) -> RepairOutcome {
    let read = read
    return try FileRepair.outcome(
      byteCount: UInt64(max(0, byteCount)), hints: hints,
      read: { (offset, count) throws(Failure) in try read(Int(clamping: offset), count) })
  }

  /// Returns the repair that the file's tables suggest, without checking the result.
  package func estimate() throws(Failure) -> RepairOutcome {
    let read = read
    return try FileRepair.estimate(
      byteCount: UInt64(max(0, byteCount)),
      read: { (offset, count) throws(Failure) in try read(Int(clamping: offset), count) })
  }

  /// Writes a new file to `output`; returns false if the damaged file has become shorter.
  ///
  /// The caller completes the output. `failure` converts an error of the output.
  package func write(
    _ file: RepairedFile, to output: OutputFile, failure: (AACFileError) -> Failure
  ) throws(Failure) -> Bool {
    func write(_ bytes: [UInt8], at offset: UInt64? = nil) throws(Failure) {
      do throws(AACFileError) {
        try output.write(bytes, at: offset.map { Int(clamping: $0) } ?? output.byteCount)
      } catch {
        throw failure(error)
      }
    }
    for step in file {
      switch step {
      case .bytes(let bytes): try write(bytes)
      case .patch(let patch): try write(patch.bytes, at: patch.offset)
      case .copy(let range):
        var offset = Int(clamping: range.lowerBound)
        let end = Int(clamping: range.upperBound)
        while offset < end {
          let bytes = try read(offset, min(Self.blockSize, end - offset))
          if bytes.isEmpty { return false }
          try write(bytes)
          offset += bytes.count
        }
      }
    }
    return true
  }
}

extension RepairPlan {
  /// The sampling rate of the recovered audio, in hertz; 0 if unknown.
  package var sampleRate: Int { stream?.outputSampleRate ?? 0 }

  /// Recovered samples per channel.
  package var sampleCount: Int {
    if let trim { return trim.sampleCount }
    return stream.map { frameCount * StreamTiming($0).samplesPerUnit } ?? 0
  }

  /// Seconds of recovered audio.
  package var duration: Double {
    sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0
  }
}

/// The names of new files with repaired audio.
package enum RepairedName {
  /// Returns `talk-repaired.m4a` for `talk.m4a`, including the folders.
  package static func of(_ path: String) -> String { FileName.adding("-repaired", to: path) }
}
