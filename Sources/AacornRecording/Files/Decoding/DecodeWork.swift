import AacornCodec
import AacornContainers
import AacornSignal
package import AacornSoundFiles
package import AacornSystem

/// Decodes one input completely, in memory that does not grow with its length.
package struct DecodeWork {
  private let interruption: Interruption
  private let kind: PCMFileWriter.Kind
  private var sound: CodedSound
  private let file: OutputFile
  private var writer: PCMFileWriter
  /// A reused buffer for the file's bytes.
  private var bytes: [UInt8] = []

  package init(_ request: DecodeRequest, interruption: Interruption) throws(AACFileError) {
    self.interruption = interruption
    kind = request.kind
    let input = try InputFile(request.input, interruption: interruption)
    let name = request.input == "-" ? "standard input" : request.input
    if input.size == 0 { throw .empty(name) }
    sound = try CodedSound(input, name: name, options: request.options, for: .decoding)
    if request.makesFolders { try OutputFile.makeFolders(for: request.output) }
    file = try OutputFile(
      request.output, replacing: request.options.replacesExisting, interruption: interruption)
    var configuration = PCMFileWriter.Configuration(
      request.kind, encoding: request.options.encoding, sampleRate: sound.output.sampleRate,
      channelCount: sound.output.channelCount, layout: sound.output.layout)
    configuration.isDithered = request.options.isDithered
    // The frame count may be an estimate. The header of a file is corrected at the end. The header
    // of a pipe cannot be corrected, so it states no count.
    if file.isSeekable { configuration.frameCount = sound.frameCount.map { UInt64($0) } }
    writer = PCMFileWriter(configuration)
  }

  /// Does the work; `progress` is called with the seconds done and the total seconds.
  package mutating func run(
    progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> AACFile.DecodingSummary {
    try file.write(writer.header())
    while try sound.next() {
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
      let samples = sound.samples
      let frameCount = samples.count / sound.output.channelCount
      if !writer.hasRoom(for: frameCount) {
        throw AACFileError(
          .unsupported, "“\(displayed(file.path))” would be longer than an AIFF file can be.",
          suggestion: .chooseLongFormat)
      }
      bytes.removeAll(keepingCapacity: true)
      writer.append(samples.span, to: &bytes)
      try file.write(bytes)
      // Flush a pipe after every step, because its reader may play the audio live.
      if !file.isSeekable { try file.flush() }
      progress(sound.secondsDone, sound.totalSeconds)
    }
    if sound.isAllConcealed { throw .withoutDecodableFrames(sound.name) }
    if writer.frameCount == 0 { throw emptyError() }
    bytes.removeAll(keepingCapacity: true)
    let patches = writer.finish(to: &bytes)
    try file.write(bytes)
    if file.isSeekable {
      for patch in patches { try file.write(patch.bytes, at: Int(patch.offset)) }
    }
    try file.commit()
    return summary()
  }

  /// Returns the error for a part without samples.
  private func emptyError() -> AACFileError {
    if sound.isPartEmpty { return .emptyPart(of: sound.name) }
    guard let start = sound.startSeconds else { return .withoutSamples(sound.name) }
    return .startAfterEnd(of: sound.name, endingAt: sound.endSeconds, from: start)
  }

  private func summary() -> AACFile.DecodingSummary {
    var summary = AACFile.DecodingSummary()
    summary.sampleRate = writer.configuration.sampleRate
    summary.channelCount = writer.configuration.channelCount
    summary.sampleCount = Int(clamping: writer.frameCount)
    summary.byteCount = file.byteCount
    summary.clippedSampleCount = writer.clippedCount
    summary.concealedFrameCount = sound.damage.concealedCount
    summary.firstConcealed = sound.damage.firstConcealed.map { .seconds($0) }
    summary.damagedPieceCount = sound.damage.pieceCount
    summary.isDamaged = sound.isDamaged
    summary.warnings = warnings(isIncomplete: sound.hasDamagedTables || sound.damage.hasGaps)
    return summary
  }

  private func warnings(isIncomplete: Bool) -> [String] {
    let name = "“\(displayed(sound.name))”"
    let damage = sound.damage
    var warnings: [String] = []
    if let warning = sound.concealmentWarning { warnings.append(warning) }
    if let offset = damage.firstOffset {
      warnings.append(
        "\(name) has \(QuantityText.count(damage.pieceCount, "part")) without frames, the first at "
          + "byte \(offset); skipped.")
    }
    if isIncomplete {
      warnings.append("\(name) is damaged or cut off; the readable part was decoded.")
    }
    if let warning = sound.editWarning { warnings.append(warning) }
    if let change = sound.change {
      warnings.append(
        "\(name) changes to \(QuantityText.frequency(change.format.sampleRate)) and "
          + QuantityText.count(change.format.channelCount, "channel")
          + " at \(QuantityText.duration(change.seconds)); the audio was converted.")
    }
    if let warning = sound.burstWarning { warnings.append(warning) }
    if writer.clippedCount > 0 {
      warnings.append(
        "\(QuantityText.count(writer.clippedCount, "sample")) of \(name) exceeded full scale and "
          + "\(writer.clippedCount == 1 ? "was" : "were") clipped; 32-bit "
          + "floating-point samples would keep them.")
    }
    return warnings
  }
}

/// The input, the output and the options of decoding a file to samples.
package struct DecodeRequest: Sendable {
  /// The path of the input; `-` for standard input.
  package let input: String
  /// The path of the output; `-` for standard output.
  package let output: String
  package let kind: PCMFileWriter.Kind
  /// The part of the input, and the form of the output.
  package var options = AACFile.DecodingOptions()
  /// Whether the output's folder is created if it is missing.
  package var makesFolders = false

  /// Creates a request for the complete audio, unchanged.
  package init(_ input: String, to output: String, _ kind: PCMFileWriter.Kind) {
    self.input = input
    self.output = output
    self.kind = kind
  }
}
