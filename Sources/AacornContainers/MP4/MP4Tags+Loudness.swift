import AacornSignal

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
    otherItems.removeAll { item in
      FreeFormTag(item: item).map(Self.containsLoudness) ?? false
    }
  }

  /// The names and texts of other entries that contain loudness.
  package var loudnessTexts: [(name: String, text: String)] {
    otherItems.compactMap { item in
      guard let tag = FreeFormTag(item: item), Self.containsLoudness(tag) else { return nil }
      return (
        name: String(decoding: tag.name, as: UTF8.self),
        text: String(decoding: tag.text, as: UTF8.self)
      )
    }
  }

  private mutating func add(_ name: StaticString, _ text: [UInt8]) {
    var writer = BoxWriter()
    let name = name.withUTF8Buffer { unsafe Array($0) }
    writer.putFreeForm(FreeFormTag(meaning: GaplessTag.meaning, name: name, text: text))
    otherItems.append(writer.bytes)
  }

  /// Returns whether a tag contains loudness; some programs write the names in capitals.
  private static func containsLoudness(_ tag: FreeFormTag) -> Bool {
    let name = tag.name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return name.starts(with: "replaygain_".utf8) || name.starts(with: "r128_".utf8)
      || name.elementsEqual("itunnorm".utf8)
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
      bounded(1000 * power, 1, 65_534), bounded(2500 * power, 1, 65_534), 0,
      bounded(32_768 * amplitude, 0, 32_768), 0,
    ]
    var text: [UInt8] = []
    for number in numbers {
      GaplessTag.append(number, digits: 8, to: &text)
      GaplessTag.append(number, digits: 8, to: &text)
    }
    return text
  }

  private static func bounded(_ value: Double, _ minimum: Double, _ maximum: Double) -> UInt64 {
    let rounded = value + 0.5
    return UInt64(rounded > minimum ? (rounded < maximum ? rounded : maximum) : minimum)
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
