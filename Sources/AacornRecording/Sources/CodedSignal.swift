import AacornCodec
import AacornContainers
import AacornDevices
import AacornSignal
import AacornSystem

/// The decoded audio of an AAC file; copies read it independently.
struct CodedSignal: Sendable {
  let format: SoundConformer.Format
  /// The number of frames, if the file specifies it.
  let frameCount: Int?

  /// The error that ended reading.
  private(set) var failure: DeviceError?
  private var found = CodedSound.Damage()

  private let file: SignalFile
  private var reader: CodedAudioReader
  private var conformer: SoundConformer
  /// Decoded samples; the ones from `first` on are unread.
  private var waiting: [Float] = []
  private var first = 0
  private var isEnded = false

  init(_ file: SignalFile) throws(DeviceError) {
    self.file = file
    var reader = CodedAudioReader(byteCount: UInt64(file.byteCount))
    format = try Self.firstFormat(&reader, file)
    conformer = try Self.conformer(format, file)
    frameCount = reader.frameCount
    self.reader = reader
  }

  /// The damage found up to now, as a clause about the file.
  var damage: String? {
    if let first = found.firstConcealed {
      let verb = found.concealedCount == 1 ? "is" : "are"
      return
        "is damaged: \(QuantityText.count(found.concealedCount, "frame")) \(verb) damaged or missing, "
        + "the first at \(QuantityText.duration(first)); the errors were concealed"
    }
    if found.isNone && reader.movie?.damage.isEmpty != false { return nil }
    return "is damaged or cut off; the readable part was used"
  }

  /// Appends the next frames and returns their number: fewer than requested only at the end.
  mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let wanted = frameCount * format.channelCount
    var taken = 0
    while taken < wanted {
      if first == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        first = 0
        if isEnded { break }
        do throws(DeviceError) {
          try decode()
        } catch {
          failure = error
          isEnded = true
        }
        continue
      }
      let count = min(wanted - taken, waiting.count - first)
      samples += waiting[first..<first + count]
      first += count
      taken += count
    }
    return taken / format.channelCount
  }

  /// Does a step of the reader.
  private mutating func decode() throws(DeviceError) {
    switch try Self.step(&reader, file) {
    case .need: break
    case .concealed(let position):
      found.record(concealedAt: Double(position) / Double(format.sampleRate))
    case .damage(let piece): found.record(piece)
    case .samples: conformer.process(reader.samples, into: &waiting)
    case .format(let rate, let count, let layout):
      do throws(AudioConversion.Failure) {
        try conformer.changeFormat(
          to: SoundConformer.Format(sampleRate: rate, channelCount: count, layout: layout),
          mixdown: reader.configuration?.programConfig?.matrixMixdown, into: &waiting)
      } catch {
        throw file.unreadable("its channels change and cannot be mixed")
      }
    case .end:
      isEnded = true
      conformer.finish(into: &waiting)
    }
  }

  private static func conformer(
    _ format: SoundConformer.Format, _ file: SignalFile
  ) throws(DeviceError) -> SoundConformer {
    do throws(AudioConversion.Failure) {
      return try SoundConformer(from: format, sampleRate: nil, channelCount: nil, mixdown: nil)
    } catch {
      throw file.unreadable("its channels cannot be mixed")
    }
  }

  private static func firstFormat(
    _ reader: inout CodedAudioReader, _ file: SignalFile
  ) throws(DeviceError) -> SoundConformer.Format {
    while true {
      switch try step(&reader, file) {
      case .format(let rate, let count, let layout):
        return SoundConformer.Format(sampleRate: rate, channelCount: count, layout: layout)
      case .end: throw file.unreadable("it contains no frames of AAC")
      case .need, .samples, .concealed, .damage: break
      }
    }
  }

  /// Does a step of the reader and supplies the bytes that it requests.
  private static func step(
    _ reader: inout CodedAudioReader, _ file: SignalFile
  ) throws(DeviceError) -> CodedAudioReader.Step {
    let step: CodedAudioReader.Step
    do throws(CodedAudioError) {
      step = try reader.step()
    } catch {
      throw file.unreadable("its AAC cannot be decoded")
    }
    if case .need(let offset, let count) = step {
      do throws(SystemError) {
        reader.supply(try file.bytes(at: Int(clamping: offset), count: count))
      } catch {
        throw file.unreadable(error.text)
      }
    }
    return step
  }
}
