import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSystem

extension EncodeRequest {
  /// Creates the request for one input.
  init(
    _ source: SoundOrigin, to output: String, _ format: OutputFormat, of command: EncodeCommand,
    coverImage: [UInt8]
  ) {
    let format: CodedFileWriter.Format =
      switch format {
      case .m4a: .m4a
      case .aac: .adts(isMPEG2: command.isMPEG2, hasChecksum: command.hasChecksum)
      case .latm: .latm
      }
    self.init(source, to: output, format)
    rawFormat = command.raw.format
    options = command.options
    options.tags = command.tags
    options.tags.coverImage = coverImage
    options.keepsTags = !command.discardsTags
    options.replacesExisting = command.replacesExisting
    makesFolders = command.outputFolder != nil
  }
}

extension EncodeCommand.RawInput {
  /// The format of the samples; nil if the input has a header.
  fileprivate var format: PCMFormat? {
    formatName.flatMap(RawFormat.named).map { sampleFormat in
      PCMFormat(
        sampleFormat: sampleFormat, sampleRate: sampleRate ?? 44_100,
        channelCount: channelCount ?? 2)
    }
  }
}

/// The sample formats on the command line, named by type, bits and byte order.
enum RawFormat {
  private static let table: [(name: String, encoding: SampleFormat.Encoding)] = [
    ("s16le", .int16LittleEndian), ("s16be", .int16BigEndian), ("s24le", .int24LittleEndian),
    ("s24be", .int24BigEndian), ("s32le", .int32LittleEndian), ("s32be", .int32BigEndian),
    ("f32le", .float32LittleEndian), ("f32be", .float32BigEndian), ("f64le", .float64LittleEndian),
    ("f64be", .float64BigEndian), ("u8", .unsigned8), ("s8", .signed8), ("ulaw", .muLaw),
    ("alaw", .aLaw),
  ]

  static var names: [String] { table.map(\.name) }

  static func named(_ name: String) -> SampleFormat? {
    table.first { $0.name == name }.map { SampleFormat($0.encoding) }
  }
}
