import AacornCodec
import AacornContainers
import AacornDevices
import AacornSignal
import AacornSystem

/// The sound of a file with AAC, read at places of the file, so that a copy continues on its own.
struct CodedSignal: Sendable {
  /// What the samples are.
  let format: SoundConformer.Format
  /// How many frames there are, as far as the file tells it.
  let frameCount: Int?

  private let path: String
  private var reader: CodedSoundReader
  private var conformer: SoundConformer
  /// Decoded samples, of which those from `first` on have not been taken.
  private var waiting: [Float] = []
  private var first = 0
  private var isEnded = false

  /// Opens the sound of a file of this many bytes.
  init(path: String, descriptor: Int32, byteCount: Int) throws(CaptureError) {
    self.path = path
    var reader = CodedSoundReader(byteCount: UInt64(byteCount))
    format = try Self.firstFormat(&reader, path, descriptor)
    do throws(SoundConversion.Failure) {
      conformer = try SoundConformer(
        from: format, sampleRate: nil, channelCount: nil, mixdown: nil)
    } catch {
      throw .unreadableFile(path: path, reason: "its channels cannot be mixed")
    }
    frameCount = reader.frameCount
    self.reader = reader
  }

  /// Appends the next frames and returns how many: fewer than asked only at the end.
  mutating func read(
    into samples: inout [Float], frameCount: Int, descriptor: Int32
  ) throws(CaptureError) -> Int {
    let wanted = frameCount * format.channelCount
    var taken = 0
    while taken < wanted {
      if first == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        first = 0
        if isEnded { break }
        try decode(descriptor)
        continue
      }
      let count = min(wanted - taken, waiting.count - first)
      samples += waiting[first..<first + count]
      first += count
      taken += count
    }
    return taken / format.channelCount
  }

  /// Takes a step of the reader.
  private mutating func decode(_ descriptor: Int32) throws(CaptureError) {
    switch try Self.step(&reader, path, descriptor) {
    case .need, .concealed, .damage: break
    case .samples: conformer.process(reader.samples, into: &waiting)
    case .format(let rate, let count, let layout):
      do throws(SoundConversion.Failure) {
        try conformer.follow(
          SoundConformer.Format(sampleRate: rate, channelCount: count, layout: layout),
          mixdown: reader.configuration?.programConfig?.matrixMixdown, into: &waiting)
      } catch {
        throw .unreadableFile(path: path, reason: "its channels change and cannot be mixed")
      }
    case .end:
      isEnded = true
      conformer.finish(into: &waiting)
    }
  }

  private static func firstFormat(
    _ reader: inout CodedSoundReader, _ path: String, _ descriptor: Int32
  ) throws(CaptureError) -> SoundConformer.Format {
    while true {
      switch try step(&reader, path, descriptor) {
      case .format(let rate, let count, let layout):
        return SoundConformer.Format(sampleRate: rate, channelCount: count, layout: layout)
      case .end:
        throw .unreadableFile(path: path, reason: "it contains no frames of AAC")
      case .need, .samples, .concealed, .damage: break
      }
    }
  }

  /// A step of the reader; bytes that it needs are supplied.
  private static func step(
    _ reader: inout CodedSoundReader, _ path: String, _ descriptor: Int32
  ) throws(CaptureError) -> CodedSoundReader.Step {
    let step: CodedSoundReader.Step
    do throws(CodedSoundError) {
      step = try reader.step()
    } catch {
      throw .unreadableFile(path: path, reason: "its AAC cannot be decoded")
    }
    if case .need(let offset, let count) = step {
      reader.supply(try bytes(at: Int(clamping: offset), count: count, path, descriptor))
    }
    return step
  }

  private static func bytes(
    at offset: Int, count: Int, _ path: String, _ descriptor: Int32
  ) throws(CaptureError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while bytes.count < count {
        var piece = [UInt8](repeating: 0, count: count - bytes.count)
        let read = try System.read(descriptor, into: &piece, at: offset + bytes.count)
        if read == 0 { break }
        bytes += piece[..<read]
      }
    } catch {
      throw .unreadableFile(path: path, reason: error.text)
    }
    return bytes
  }
}
