import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import Foundation

/// Encodes a file without some of the coding tools; `aacorn encode` has no options for that.
enum EncodeFile {
  /// The coding tools by their names in `--without`.
  static let tools: [(name: String, tool: AACEncoder.Tools)] = [
    ("block-switching", .blockSwitching),
    ("noise-shaping", .noiseShaping),
    ("mid-side", .midSide),
    ("intensity", .intensity),
    ("noise-substitution", .noiseSubstitution),
    ("window-shape", .windowShape),
  ]

  /// Encodes a WAV, AIFF or CAF file to a stream with ADTS headers.
  static func run(
    _ input: String, to output: String, bitrate: Int, effort: String, without: [String]
  ) throws {
    let file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: input)))
    var header = PCMFileReader(canSeek: false)
    var step = try header.push(file.span)
    if step == .needMore { step = try header.finish() }
    guard case .ready(let info) = step else { throw Failure("\(input) has no sound in it") }
    var samples: [Float] = []
    var frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
    frames.read(file.span.extracting(droppingFirst: Int(info.dataOffset)), into: &samples)

    var configuration = AACEncoder.Configuration(
      sampleRate: info.format.sampleRate, channelCount: info.format.channelCount,
      rateControl: .constant(bitsPerSecond: bitrate))
    guard let effort = AACEncoder.Effort.allCases.first(where: { "\($0)" == effort }) else {
      throw Failure("efforts are fast, balanced and best, not \(effort)")
    }
    configuration.effort = effort
    for name in without {
      guard let tool = tools.first(where: { $0.name == name })?.tool else {
        throw Failure("no tool \(name); there are \(tools.map(\.name).joined(separator: ", "))")
      }
      configuration.tools.remove(tool)
    }

    var encoder = try AACEncoder(configuration)
    var stream = try ADTSWriter(configuration: encoder.audioSpecificConfig)
    var bytes: [UInt8] = []
    encoder.encode(interleaved: samples.span)
    _ = encoder.finish()
    while let unit = encoder.nextAccessUnit() { try stream.append(unit, to: &bytes) }
    try Data(bytes).write(to: URL(fileURLWithPath: output))
  }
}
