import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Writes coded frames to a file of the chosen format.
struct StreamWriter {
  private let file: OutputFile
  private var writer: CodedFileWriter
  /// A reused buffer for the file's bytes.
  private var bytes: [UInt8] = []

  /// Creates a writer to `file`; M4A in a pipe is fragmented.
  init(
    _ configuration: CodedFileWriter.Configuration, to file: OutputFile
  ) throws(AACFileError) {
    self.file = file
    var configuration = configuration
    configuration.isSeekable = file.isSeekable
    writer = try rethrow(
      as: { (error: ContainerError) in AACFileError(error, path: file.path) },
      CodedFileWriter(configuration))
  }

  /// Bytes of the frames, without headers and tables.
  var payloadByteCount: Int { Int(writer.payloadByteCount) }

  mutating func write(_ unit: AccessUnit) throws(AACFileError) {
    try write { (writer, bytes) throws(ContainerError) in
      try writer.append(unit, to: &bytes)
      return nil
    }
  }

  /// Completes the file's content.
  mutating func finish(_ trim: StreamTrim) throws(AACFileError) {
    try write { (writer, bytes) throws(ContainerError) in try writer.finish(trim, to: &bytes) }
  }

  /// Completes the content of a file with these audible samples.
  mutating func finish(parts: [Range<UInt64>]) throws(AACFileError) {
    try write { (writer, bytes) throws(ContainerError) in
      try writer.finish(parts: parts, to: &bytes)
    }
  }

  /// Writes the bytes that `step` appends, and then the changes that complete the file.
  private mutating func write(
    _ step: (inout CodedFileWriter, inout [UInt8]) throws(ContainerError) -> MP4Writer.Finish?
  ) throws(AACFileError) {
    bytes.removeAll(keepingCapacity: true)
    let result = try rethrow(
      as: { (error: ContainerError) in AACFileError(error, path: file.path) },
      step(&writer, &bytes))
    try file.write(bytes)
    guard var finish = result else { return }
    if finish.mediaShift > 0 {
      try file.move(
        Int(finish.media.lowerBound)..<Int(finish.media.upperBound), by: Int(finish.mediaShift))
    }
    while let write = finish.next() {
      try file.write(write.bytes, at: Int(write.offset))
    }
  }
}
