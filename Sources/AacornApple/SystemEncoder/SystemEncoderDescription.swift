#if canImport(AudioToolbox) && !os(watchOS)
import AacornContainers
import AudioToolbox

/// An AAC encoder of the operating system.
///
///     for encoder in AACSystemEncoder.available() { print(encoder.profile, encoder.bitrates) }
public struct SystemEncoderDescription: Equatable, Sendable {
  /// The profile of the encoder.
  public let profile: SystemEncoderConfiguration.Profile
  /// Whether the encoder runs on dedicated hardware instead of the main processor.
  public let isHardware: Bool
  /// The bitrates that the system supports for the profile, in bits per second, over all sample
  /// rates and channel counts.
  ///
  /// A single bitrate is a range with equal bounds. A new encoder requests the list for its sample
  /// rate and channel count from the system, and uses the nearest bitrate.
  public let bitrates: [ClosedRange<Int>]
  /// The sample rates that the system supports for the profile, in hertz.
  public let sampleRates: [ClosedRange<Int>]
}

extension AACSystemEncoder {
  /// Returns the encoders of AAC that the system has, in the order of the profiles.
  public static func available() -> [SystemEncoderDescription] {
    SystemEncoderConfiguration.Profile.allCases.flatMap { profile in
      let bitrates = ranges(kAudioFormatProperty_AvailableEncodeBitRates, of: profile)
      let sampleRates = ranges(kAudioFormatProperty_AvailableEncodeSampleRates, of: profile)
      return list(kAudioFormatProperty_Encoders, of: profile, AudioClassDescription()).map {
        maker in
        SystemEncoderDescription(
          profile: profile,
          isHardware: maker.mManufacturer == FourCharacterCode("a", "p", "h", "w").rawValue,
          bitrates: bitrates, sampleRates: sampleRates)
      }
    }
  }

  private static func ranges(
    _ property: AudioFormatPropertyID, of profile: SystemEncoderConfiguration.Profile
  ) -> [ClosedRange<Int>] {
    list(property, of: profile, AudioValueRange()).compactMap { range in
      // Ignore values that cannot be rates.
      guard range.mMinimum >= 0, range.mMinimum <= range.mMaximum, range.mMaximum < 1e9 else {
        return nil
      }
      return Int(range.mMinimum)...Int(range.mMaximum)
    }
  }

  /// Returns a list property of a profile's format, or an empty array if the system does not have
  /// it.
  private static func list<Element: BitwiseCopyable>(
    _ property: AudioFormatPropertyID, of profile: SystemEncoderConfiguration.Profile,
    _ element: Element
  ) -> [Element] {
    var format = profile.formatID.rawValue
    let formatSize = UInt32(MemoryLayout<UInt32>.size)
    var size: UInt32 = 0
    guard unsafe AudioFormatGetPropertyInfo(property, formatSize, &format, &size) == 0 else {
      return []
    }
    var elements = Array(repeating: element, count: Int(size) / MemoryLayout<Element>.stride)
    if elements.isEmpty { return [] }
    let status = unsafe elements.withUnsafeMutableBytes { bytes in
      size = UInt32(bytes.count)
      return unsafe AudioFormatGetProperty(property, formatSize, &format, &size, bytes.baseAddress)
    }
    return status == 0 ? Array(elements.prefix(Int(size) / MemoryLayout<Element>.stride)) : []
  }
}
#endif
