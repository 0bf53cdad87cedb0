import AacornCodec
import AacornSignal

/// A conversion of stored samples to a format that AAC can carry, for JavaScript.
final class ConversionSession: Session {
  private(set) var conversion: AudioConversion
  private var integers: [Int16] = []
  private var samples: [Float] = []
  /// Whether any samples have been output.
  private var hasSamples = false
  private var isFinished = false

  override var asConversion: ConversionSession? { self }

  init(_ conversion: AudioConversion) {
    self.conversion = conversion
  }

  /// Converts bytes from the input, which may be split anywhere; returns the number of output
  /// samples.
  func push(_ count: Int) -> Int32 {
    guard !isFinished else { return Failure.wrongState }
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    let isDone = withInput(count, as: UInt8.self) {
      conversion.push($0, integers: &integers, samples: &samples)
    }
    return isDone ? putSamples() : Failure.tooManySamples
  }

  /// Ends the input and outputs the remaining samples.
  ///
  /// Returns their number, or a failure if the whole input had no samples.
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
    let count = conversion.isInteger ? put(integers) : put(samples)
    if count > 0 { hasSamples = true }
    return count
  }
}
