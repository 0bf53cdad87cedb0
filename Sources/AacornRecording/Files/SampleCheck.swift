import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Counts floating-point samples that cannot be sound: those that are not numbers, and those beyond
/// the limit of the encoder.
struct SampleCheck {
  /// The magnitude to which the encoder clips samples: 12 dB above full scale.
  ///
  /// Floating-point files of loud sources exceed full scale, but by less than that.
  private static let maxMagnitude: Float = 4

  /// The number of samples that are not numbers.
  private var nanCount = 0
  /// The number of infinite samples, and of those above the maximum.
  private var excessCount = 0
  private var frames: PCMFrameReader
  /// A reused buffer for the samples.
  private var samples: [Float] = []

  /// Creates a check of a file's samples; nil for integers, which are always valid.
  init?(_ info: PCMFileInfo) {
    if !info.format.sampleFormat.isFloatingPoint { return nil }
    frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
  }

  /// Counts the samples in bytes, split anywhere.
  mutating func count(_ bytes: Span<UInt8>) {
    samples.removeAll(keepingCapacity: true)
    frames.read(bytes, into: &samples)
    var invalidCount = 0
    // The comparison is false for NaN, too. The compiler can vectorize the loop.
    for sample in samples where !(sample.magnitude <= Self.maxMagnitude) { invalidCount &+= 1 }
    if invalidCount == 0 { return }
    let count = samples.count(where: \.isNaN)
    nanCount += count
    excessCount += invalidCount - count
  }

  /// Adds the counts of another part of the file.
  mutating func add(_ other: SampleCheck) {
    nanCount += other.nanCount
    excessCount += other.excessCount
  }

  /// Returns the warning about the counted samples of the named file, as a message; nil if there
  /// are none.
  func warning(_ name: String) -> String? {
    var clauses: [String] = []
    if nanCount > 0 {
      let are = nanCount == 1 ? "is not a number" : "are not numbers"
      clauses.append("\(QuantityText.count(nanCount, "sample")) \(are) and became silence")
    }
    if excessCount > 0 {
      let are = excessCount == 1 ? "is" : "are"
      clauses.append(
        "\(QuantityText.count(excessCount, "sample")) \(are) infinite or more than 12 dB above "
          + "full scale")
    }
    if clauses.isEmpty { return nil }
    return "In “\(displayed(name))”, \(clauses.joined(separator: ", and ")). Check the program "
      + "that created it, and the format of its samples: full scale is ±1, and the encoder "
      + "clips at ±4."
  }
}
