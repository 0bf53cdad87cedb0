import AacornCodec
import AacornRecording
import AacornStreaming
import AacornSystem

/// A bitrate that adapts to the network, as requested by `--adaptive`.
extension LivePlan {
  /// The initial bitrate and the range of adaptation.
  struct Adaptation: Sendable, Equatable {
    /// The initial bitrate in bits per second.
    var bitrate: Int
    /// The range of bitrates in bits per second.
    var bounds: ClosedRange<Int>
  }

  /// Rejects options that conflict with `--adaptive`.
  static func checkAdaptiveOptions(_ command: StreamCommand) throws(UsageError) {
    guard command.isAdaptive else {
      if command.adaptiveRange == nil { return }
      throw UsageError("--adaptive-range is for --adaptive.", hint: "Add --adaptive.")
    }
    try reject(
      if: command.hls.isRequested, "HLS announces a fixed bitrate for each rendition.",
      hint: "Omit --adaptive, or --hls and --hls-serve.")
    try reject(
      if: !command.renditions.isEmpty,
      "--bitrates sets fixed bitrates, which --adaptive cannot change.",
      hint: "Use -b or --abr with --adaptive.")
  }

  /// Returns the requested adaptation, or nil for a fixed bitrate.
  static func adaptation(
    _ command: StreamCommand, _ configuration: RecordingConfiguration
  ) throws(UsageError) -> Adaptation? {
    guard command.isAdaptive else { return nil }
    guard case .aac(let rateControl, _, let profile, _) = configuration.coding,
      let limits = configuration.adaptableBitrates()
    else {
      throw UsageError(
        "--vbr has no bitrate that --adaptive can change.",
        hint: "Use -b or --abr with --adaptive.")
    }
    let bitrate = rateControl.nominalBitrate
    guard let range = command.adaptiveRange else {
      return Adaptation(
        bitrate: bitrate, bounds: max(limits.lowerBound, bitrate / 4)...bitrate)
    }
    try reject(
      if: range.lowerBound < limits.lowerBound || range.upperBound > limits.upperBound,
      "--adaptive-range exceeds the range of \(profile.name) that starts at \(bitrate) bits per "
        + "second.", hint: "Choose from \(limits.lowerBound) to \(limits.upperBound).")
    try reject(
      if: !range.contains(bitrate),
      "The stream starts at \(bitrate) bits per second, which --adaptive-range does not contain.",
      hint: "Choose a range that does, or another bitrate with -b.")
    return Adaptation(bitrate: bitrate, bounds: range)
  }
}

extension OptionValue {
  /// Parses two bitrates such as `48k..128k`.
  static func bitrateRange(
    _ value: String, _ option: String
  ) throws(UsageError) -> ClosedRange<Int> {
    guard let dots = value.firstRange(of: "..") else {
      throw UsageError.misunderstood(
        value, option, hint: "Write it like 48k..128k.")
    }
    let lowest = try bitrate(String(value[..<dots.lowerBound]))
    let highest = try bitrate(String(value[dots.upperBound...]))
    try reject(
      if: lowest > highest, "\(option) has its end below its start.",
      hint: "Write the lower bitrate first: 48k..128k.")
    return lowest...highest
  }
}
