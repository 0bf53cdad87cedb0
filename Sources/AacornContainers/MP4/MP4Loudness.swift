import AacornCodec
import AacornSignal

/// The loudness metadata of a file (`ludt`, ISO/IEC 14496-12, 12.2.7).
///
///     ludt [ tlou [ peaks, measurements of the track ]  alou [ the same for the album ] ]
///
/// Levels have steps of 1/32 dB and loudness has steps of ¼ LU (ISO/IEC 23003-4). Metadata read
/// from a file is written again byte by byte, including unknown parts.
public struct MP4Loudness: Equatable, Sendable {
  /// The integrated loudness in LUFS.
  public internal(set) var integrated: Float?
  /// The loudness range in LU.
  public internal(set) var range: Float?
  /// The maximum momentary loudness (400 ms) in LUFS.
  public internal(set) var maximumMomentary: Float?
  /// The maximum short-term loudness (3 s) in LUFS.
  public internal(set) var maximumShortTerm: Float?
  /// The sample peak in dBFS.
  public internal(set) var samplePeak: Float?
  /// The true peak, including values between samples, in dBTP.
  public internal(set) var truePeak: Float?

  /// The content of the box from which the metadata was read, or nil.
  private var original: [UInt8]?

  /// The maximum length of the content in bytes.
  static let byteLimit = 1 << 16

  /// Creates the metadata of a whole track; nil omits a value.
  public init(
    integrated: Float?, range: Float? = nil, maximumMomentary: Float? = nil,
    maximumShortTerm: Float? = nil, samplePeak: Float? = nil, truePeak: Float? = nil
  ) {
    self.integrated = integrated
    self.range = range
    self.maximumMomentary = maximumMomentary
    self.maximumShortTerm = maximumShortTerm
    self.samplePeak = samplePeak
    self.truePeak = truePeak
  }

  // MARK: - Codes

  /// The kind of a measurement: values of `method_definition`.
  private enum Method {
    static let integrated: UInt8 = 1
    static let maximumMomentary: UInt8 = 4
    static let maximumShortTerm: UInt8 = 5
    static let range: UInt8 = 6
  }

  /// The rules of a measurement: values of `measurement_system`.
  private enum System {
    static let r128: UInt8 = 1
    static let bs1770: UInt8 = 2
  }

  /// `reliability` 3: the value is measured and accurate.
  private static let accurate: UInt8 = 3

  /// Converts to steps of 1/32 dB below 20 dB; 0 if unknown.
  private static func code(peak: Float?) -> UInt32 {
    guard let peak, peak.isFinite else { return 0 }
    let steps = (20 - peak) * 32 + 0.5
    return steps < 1 ? 1 : steps > 4095 ? 4095 : UInt32(steps)
  }

  private static func peak(code: UInt32) -> Float? { code == 0 ? nil : 20 - Float(code) / 32 }

  /// Converts to steps of ¼ LU above −57.75 LUFS.
  private static func code(loudness: Float) -> UInt8 { byte((loudness + 57.75) * 4) }

  private static func loudness(code: UInt32) -> Float { Float(code) / 4 - 57.75 }

  /// Converts to steps of ¼ LU up to 32 LU, of ½ LU up to 70 LU, and of 1 LU above.
  private static func code(range: Float) -> UInt8 {
    byte(range <= 32 ? range * 4 : range <= 70 ? (range + 32) * 2 : range + 134)
  }

  private static func range(code: UInt32) -> Float {
    let steps = Float(code)
    return code <= 128 ? steps / 4 : code <= 204 ? steps / 2 - 32 : steps - 134
  }

  /// Rounds and clamps a value to a byte.
  private static func byte(_ value: Float) -> UInt8 {
    let rounded = value + 0.5
    return rounded >= 255 ? 255 : rounded >= 0 ? UInt8(rounded) : 0
  }
}

// MARK: - The box

extension MP4Loudness {
  /// The content of `ludt`.
  var content: [UInt8] {
    if let original { return original }
    var writer = BoxWriter()
    writer.fullBox(.trackLoudness) { box in
      // `downmix_ID` and `drc_set_ID` 0: the values describe the audio as coded.
      box.put16(0)
      box.put(UInt64(Self.code(peak: samplePeak) << 12 | Self.code(peak: truePeak)), bits: 24)
      box.put8(truePeak == nil ? 0 : System.bs1770 << 4 | Self.accurate)
      let measurements = self.measurements
      box.put8(UInt8(measurements.count))
      for measurement in measurements {
        box.put8(measurement.method)
        box.put8(measurement.value)
        box.put8(measurement.system << 4 | Self.accurate)
      }
    }
    return writer.bytes
  }

  private var measurements: [(method: UInt8, value: UInt8, system: UInt8)] {
    var list: [(method: UInt8, value: UInt8, system: UInt8)] = []
    if let integrated {
      list.append((Method.integrated, Self.code(loudness: integrated), System.bs1770))
    }
    if let maximumMomentary {
      list.append((Method.maximumMomentary, Self.code(loudness: maximumMomentary), System.r128))
    }
    if let maximumShortTerm {
      list.append((Method.maximumShortTerm, Self.code(loudness: maximumShortTerm), System.r128))
    }
    if let range { list.append((Method.range, Self.code(range: range), System.r128)) }
    return list
  }

  /// Reads the content of `ludt`, up to the first error.
  init(content: [UInt8]) {
    self.init(integrated: nil)
    var list = BoxList(content, in: 0..<content.count, fileOffset: 0)
    // Playback does not need this metadata, so its damage is ignored.
    var ignored = DamageLog()
    while let box = list.next(&ignored) {
      if box.type == .trackLoudness { read(BitReader(content, range: box.content)) }
    }
    original = content
  }

  private mutating func read(_ start: BitReader) {
    var reader = start
    let hasSets = reader.read(8) > 0
    reader.skip(24)
    var count = 1
    if hasSets {
      reader.skip(2)
      count = reader.readInt(6)
    }
    for _ in 0..<count {
      // From version 1 of the box on, the number of an equalizer set precedes each entry.
      let equalizer = hasSets ? reader.read(8) & 63 : 0
      guard reader.remaining >= 56 else { return }
      let mix = reader.read(16) & 0x1FFF
      let (samplePeak, truePeak) = (reader.read(12), reader.read(12))
      reader.skip(8)
      let measurementCount = reader.readInt(8)
      // Entries for a downmix or for processed audio do not describe the coded audio.
      let isUnprocessed = mix == 0 && equalizer == 0
      if isUnprocessed {
        self.samplePeak = self.samplePeak ?? Self.peak(code: samplePeak)
        self.truePeak = self.truePeak ?? Self.peak(code: truePeak)
      }
      for _ in 0..<measurementCount {
        guard reader.remaining >= 24 else { return }
        let (method, value) = (UInt8(truncatingIfNeeded: reader.read(8)), reader.read(8))
        reader.skip(8)
        if isUnprocessed { store(method, value) }
      }
    }
  }

  /// Stores a measurement; if several have the same method, the first one is used.
  private mutating func store(_ method: UInt8, _ value: UInt32) {
    switch method {
    case Method.integrated: integrated = integrated ?? Self.loudness(code: value)
    case Method.maximumMomentary:
      maximumMomentary = maximumMomentary ?? Self.loudness(code: value)
    case Method.maximumShortTerm:
      maximumShortTerm = maximumShortTerm ?? Self.loudness(code: value)
    case Method.range: range = range ?? Self.range(code: value)
    default: break
    }
  }
}

// Loudness metadata in the formats of several players.
extension MP4Tags {
  /// The target loudness of ReplayGain, in LUFS.
  private static let replayGainTarget: Float = -18
  /// The target loudness of Apple's Sound Check, in LUFS.
  private static let soundCheckTarget: Float = -16

  /// Sets the loudness: in the MP4 loudness box, for ReplayGain, and for Apple's Sound Check
  /// (iTunNORM).
  ///
  /// Previous values in these formats are removed. For silence, whose loudness is nil, and for
  /// implausible values, nothing is added.
  public mutating func setLoudness(_ loudness: MP4Loudness) {
    removeLoudness()
    guard let integrated = Self.plausible(loudness.integrated) else { return }
    self.loudness = loudness
    let gain = Self.text(Double(Self.replayGainTarget - integrated), decimals: 2)
    add("replaygain_track_gain", gain + Array(" dB".utf8))
    let peak = Self.plausible(loudness.samplePeak ?? loudness.truePeak)
    if let peak {
      add("replaygain_track_peak", Self.text(Decibels.amplitude(Double(peak)), decimals: 6))
    }
    add("iTunNORM", Self.soundCheck(gain: Self.soundCheckTarget - integrated, peak: peak))
  }

  /// Removes all loudness metadata.
  package mutating func removeLoudness() {
    loudness = nil
    otherItems = otherItems.filter { Self.loudnessTag($0) == nil }
  }

  /// The names and texts of other entries that contain loudness.
  package var loudnessTexts: [(name: String, text: String)] {
    otherItems.compactMap(Self.loudnessTag).map { tag in
      (
        name: String(decoding: tag.name, as: UTF8.self),
        text: String(decoding: tag.texts.first ?? [], as: UTF8.self)
      )
    }
  }

  private mutating func add(_ name: StaticString, _ text: [UInt8]) {
    let name = name.withUTF8Buffer { unsafe Array($0) }
    addFreeForm(FreeFormTag(meaning: GaplessTag.meaning, name: name, texts: [text]))
  }

  /// Returns the tag of an item that contains loudness; some programs write the names in capitals.
  private static func loudnessTag(_ item: [UInt8]) -> FreeFormTag? {
    guard let tag = FreeFormTag(item: item) else { return nil }
    let name = tag.name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let hasLoudness =
      name.starts(with: "replaygain_".utf8) || name.starts(with: "r128_".utf8)
      || name.elementsEqual("itunnorm".utf8)
    return hasLoudness ? tag : nil
  }

  /// Returns ten hexadecimal numbers, each for the left and then for the right channel.
  ///
  /// They are the gain as a power in units of 1/1000 and of 1/2500, an unknown value, the 16-bit
  /// peak, and an unknown value.
  private static func soundCheck(gain: Float, peak: Float?) -> [UInt8] {
    // The factor is −log₂ 10 / 10, so that `power` is 10^(−gain / 10).
    let power = ElementaryFunctions.preciseExp2(Double(gain) * -0.332_192_809_488_736_2)
    let amplitude = peak.map { Decibels.amplitude(Double($0)) } ?? 0
    // The minimum is 1, because 0 would mean that the tag states no gain.
    let numbers = [
      bounded(1000 * power, in: 1...65_534), bounded(2500 * power, in: 1...65_534), 0,
      bounded(32_768 * amplitude, in: 0...32_768), 0,
    ]
    var text: [UInt8] = []
    for number in numbers {
      GaplessTag.append(number, digits: 8, to: &text)
      GaplessTag.append(number, digits: 8, to: &text)
    }
    return text
  }

  private static func bounded(_ value: Double, in range: ClosedRange<Double>) -> UInt64 {
    let rounded = value + 0.5
    // Not a number counts as too low.
    guard rounded > range.lowerBound else { return UInt64(range.lowerBound) }
    return UInt64(min(rounded, range.upperBound))
  }

  /// Returns a level if it is plausible for audio, else nil.
  private static func plausible(_ level: Float?) -> Float? {
    guard let level, level.magnitude < 200 else { return nil }
    return level
  }

  /// Formats a number below a million with a fixed number of decimals.
  private static func text(_ value: Double, decimals: Int) -> [UInt8] {
    var scale: UInt64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let magnitude = value.magnitude < 1e6 ? value.magnitude : 1e6
    var number = UInt64(magnitude * Double(scale) + 0.5)
    let isNegative = value < 0 && number > 0
    var digits: [UInt8] = []
    // At least one digit precedes the point.
    while number > 0 || digits.count <= decimals {
      if digits.count == decimals { digits.append(0x2E) }
      digits.append(0x30 + UInt8(number % 10))
      number /= 10
    }
    if isNegative { digits.append(0x2D) }
    return digits.reversed()
  }
}
