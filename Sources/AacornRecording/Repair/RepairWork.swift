import AacornCodec
import AacornContainers
package import AacornInspection
package import AacornSignal
package import AacornSoundFiles
import AacornSystem

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
    let head = try read(0, FileKind.prefixCount)
    return switch FileKind(prefix: head.span) {
    case .wav, .aiff, .caf: true
    case .other, .unknown: false
    }
  }

  /// Returns the possible repair; the result of a plan has been inspected and has no errors.
  package func outcome(_ hints: RepairHints = RepairHints()) throws(Failure) -> RepairOutcome {
    try FileRepair.outcome(byteCount: UInt64(max(0, byteCount)), hints: hints, read: bytes)
  }

  /// Returns the repair that the file's tables suggest, without checking the result.
  package func estimate() throws(Failure) -> RepairOutcome {
    try FileRepair.estimate(byteCount: UInt64(max(0, byteCount)), read: bytes)
  }

  private func bytes(_ offset: UInt64, _ count: Int) throws(Failure) -> [UInt8] {
    try read(Int(clamping: offset), count)
  }

  /// Writes a new file to `output`; returns false if the damaged file has become shorter.
  ///
  /// The caller completes the output. `failure` converts an error of the output.
  package func write(
    _ file: RepairedFile, to output: OutputFile, failure: (AACFileError) -> Failure
  ) throws(Failure) -> Bool {
    func write(_ bytes: [UInt8], at offset: UInt64? = nil) throws(Failure) {
      try rethrow(
        as: failure,
        output.write(bytes, at: offset.map { Int(clamping: $0) } ?? output.byteCount))
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

extension RepairWork {
  /// Writes the frames of a repaired stream to `output` in another format; returns false if the
  /// damaged file has changed.
  ///
  /// The caller completes the output. `failure` converts an error of the output.
  package func write(
    _ plan: RepairPlan, as format: OutputFormat, to output: OutputFile,
    failure: (AACFileError) -> Failure
  ) throws(Failure) -> Bool {
    let view = RepairedView(plan.newFile, read: bytes)
    var reader = CodedFileReader(byteCount: view.byteCount)
    var writer: StreamWriter?
    var unit = AccessUnit()
    var trim = StreamTrim(priming: 0, remainder: 0, sampleCount: 0)
    while true {
      guard let step = try? reader.step() else { return false }
      switch step {
      case .need(let offset, let count): reader.supply(try view.bytes(at: offset, count: count))
      case .configuration(let found):
        if writer != nil { throw failure(.formatChange(in: output.path)) }
        let stream = plan.completed(found)
        var configuration = CodedFileWriter.Configuration(format.writerFormat, stream: stream)
        configuration.expectedUnitCount = CodedFileWriter.expectedUnitCount(plan.frameCount)
        unit.sampleCount = configuration.timing.samplesPerUnit
        writer = try rethrow(as: failure, StreamWriter(configuration, to: output))
      case .unit(let found):
        unit.bytes = found.bytes
        try rethrow(as: failure, writer?.write(unit))
        trim.sampleCount += unit.sampleCount
      case .damage: return false
      case .end:
        try rethrow(as: failure, writer?.finish(trim))
        return writer != nil
      }
    }
  }
}

extension AACFileError {
  fileprivate static func formatChange(in output: String) -> AACFileError {
    AACFileError(
      .unsupported,
      "The rate or the channels change in the middle, which “\(displayed(output))” cannot store.",
      suggestion: .text("Choose a name with .aac or .latm."))
  }
}

extension RepairPlan {
  /// Returns a configuration of the stream, completed by extensions that only the frames signal.
  fileprivate func completed(_ found: AudioSpecificConfig) -> AudioSpecificConfig {
    var stream = found
    stream.extensionSampleRate = stream.extensionSampleRate ?? self.stream?.extensionSampleRate
    if stream.extensionSampleRate != found.extensionSampleRate {
      stream.signaling = .backwardCompatible
    }
    if self.stream?.hasParametricStereo == true { stream.hasParametricStereo = true }
    return stream
  }

  /// The format of the repaired stream, if there is a writer for it.
  package var format: OutputFormat? {
    switch container {
    case .adts: .aac
    case .loas: .latm
    case .movie: .m4a
    case .adif, .transportStream, .unknown: nil
    }
  }

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

  /// Returns the name for the result of a plan.
  ///
  /// Frames of a transport stream get the suffix of ADTS or LATM: `talk-repaired.aac`.
  package static func of(_ path: String, _ plan: RepairPlan?) -> String {
    guard let plan, plan.isFromTransportStream, let suffixes = plan.format?.suffixes,
      !suffixes.contains(FileName.suffix(path).lowercased())
    else { return of(path) }
    return of(FileName.replacingSuffix(path, with: suffixes[0]))
  }
}

extension RepairError {
  /// The human-readable reason why a file cannot be repaired.
  package var description: String {
    switch self {
    case .remainingFaults(let count, let first):
      "the repaired file would still have "
        + QuantityText.count(Int(clamping: count), "error")
        + (first.map { ", such as: " + String(decoding: $0.message, as: UTF8.self) } ?? "")
    case .noFrames: "no AAC frame can be recognized in it"
    case .contradictoryTables: "its tables specify more audio than the file contains"
    case .unsupportedStream: "its frames are of a kind that is not supported"
    case .missingDescription:
      "it is fragmented, and its initialization segment is missing"
    case .noStream(let error): Self.text(for: error)
    }
  }

  private static func text(for error: CodedFileError) -> String {
    var text: [UInt8] = []
    error.append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

extension RepairLog.Reason {
  /// The human-readable reason why a part is skipped.
  package var description: String {
    switch self {
    case .garbage: "not a frame"
    case .tornFrame: "a frame that is cut off"
    case .unreadableFrame: "a frame that cannot be read completely, or contains no audio"
    case .wrongChecksum: "a frame that does not match its checksum"
    case .tornTag: "a tag that is cut off"
    }
  }

  /// The machine-readable reason why a part is skipped.
  package var keyword: String {
    switch self {
    case .garbage: "garbage"
    case .tornFrame: "torn-frame"
    case .unreadableFrame: "unreadable-frame"
    case .wrongChecksum: "wrong-checksum"
    case .tornTag: "torn-tag"
    }
  }
}

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
