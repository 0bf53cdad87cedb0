import AacornCodec
import AacornSignal

/// Stored samples that JavaScript takes in a form that AAC can carry.
final class ConversionSession: Session {
  private var conversion: SoundConversion
  private var integers: [Int16] = []
  private var samples: [Float] = []
  /// Whether there have been any samples.
  private var hasSamples = false
  private var isFinished = false

  override var asConversion: ConversionSession? { self }

  init(_ conversion: SoundConversion) {
    self.conversion = conversion
  }

  /// The sampling rate of the output.
  var sampleRate: Int { conversion.sampleRate }

  /// The number of channels of the output.
  var channelCount: Int { conversion.channelCount }

  /// Whether the output is 16-bit samples.
  var isInteger: Bool { conversion.isInteger }

  /// Whether all the samples announced by the header have been received.
  var isComplete: Bool { conversion.isComplete }

  /// Takes bytes from the input, split anywhere, and outputs samples; returns their number.
  func push(_ count: Int) -> Int32 {
    guard !isFinished else { return Failure.wrongMoment }
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    let isDone = take(count, as: UInt8.self) {
      conversion.push($0, integers: &integers, samples: &samples)
    }
    return isDone ? putSamples() : Failure.tooManySamples
  }

  /// Ends the input and outputs what is left; returns how many samples, or a failure if there have
  /// been none at all.
  func finish() -> Int32 {
    guard !isFinished else { return 0 }
    isFinished = true
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    conversion.finish(samples: &samples)
    let count = putSamples()
    return hasSamples ? count : Failure.noSamples
  }

  private func putSamples() -> Int32 {
    let count = isInteger ? put(integers) : put(samples)
    if count > 0 { hasSamples = true }
    return count
  }
}
