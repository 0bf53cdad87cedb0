import AacornCodec
import AacornRecording
import AacornStreaming
import AacornSystem

extension LivePlan {
  /// Returns the index of the rendition for outputs of a kind.
  ///
  /// HLS outputs receive all renditions.
  func rendition(for kind: OutputStatus.Kind) -> Int { renditions[kind] ?? 0 }

  func timing(for kind: OutputStatus.Kind) -> StreamTiming {
    configuration.timing(of: rendition(for: kind))
  }

  /// Returns the renditions that options select for kinds of outputs.
  static func renditions(_ command: StreamCommand) throws(UsageError) -> [OutputStatus.Kind: Int] {
    let wanted: [(kind: OutputStatus.Kind, isWanted: Bool)] = [
      (.icecast, !command.icecasts.isEmpty), (.rtmp, !command.rtmps.isEmpty),
      (.save, !command.saves.isEmpty),
    ]
    var renditions: [OutputStatus.Kind: Int] = [:]
    for (kind, isWanted) in wanted {
      guard let bitrate = command.chosenBitrates[kind] else { continue }
      let option = "--\(kind.rawValue)"
      try reject(if: !isWanted, "\(option)-bitrate is for \(option).")
      try reject(
        if: command.renditions.isEmpty, "\(option)-bitrate selects one of --bitrates.",
        hint: "Add --bitrates, or use -b.")
      guard let index = command.renditions.firstIndex(where: { $0.bitrate == bitrate }) else {
        throw UsageError(
          "\(option)-bitrate is not one of --bitrates.",
          hint: "Choose from \(command.renditions.map(\.name).joined(separator: ", ")).")
      }
      renditions[kind] = index
    }
    if command.hls.isRequested { return renditions }
    // Reject renditions that no output uses.
    let taken = Set(wanted.filter { $0.isWanted }.map { renditions[$0.kind] ?? 0 })
    for (index, rendition) in command.renditions.enumerated() where !taken.contains(index) {
      throw UsageError(
        "No output gets the \(rendition.name) of --bitrates.",
        hint: "Omit it, or add --hls or --hls-serve.")
    }
    return renditions
  }

  /// Rejects a signaling that the format of an output does not support.
  static func checkSignaling(
    _ configuration: RecordingConfiguration, _ outputs: [Output],
    _ renditions: [OutputStatus.Kind: Int]
  ) throws(UsageError) {
    let codings = configuration.codings
    for output in outputs {
      guard let option = output.optionForADTS else { continue }
      var taken = codings
      if output.kind != .hls { taken = [codings[renditions[output.kind] ?? 0]] }
      try reject(
        if: taken.contains(where: \.isRefusedByADTS),
        "\(option) means ADTS, which can signal HE-AAC only implicitly.",
        hint: "Omit --signaling, or choose implicit.")
    }
  }
}

extension LivePlan.Output {
  /// The kind of the output, which selects its rendition.
  fileprivate var kind: OutputStatus.Kind {
    switch self {
    case .server(let server): server.kind
    case .hls: .hls
    case .save: .save
    }
  }

  /// The option that causes ADTS headers; nil if the output has none.
  fileprivate var optionForADTS: String? {
    switch self {
    case .server(.icecast): "--icecast"
    case .hls(let hls) where hls.configuration.media == .packedAudio: "--hls-format aac"
    case .save(let file) where file.format == .aac: "--save \(displayed(file.path))"
    case .server(.rtmp), .hls, .save: nil
    }
  }
}

extension RecordingConfiguration.Coding {
  /// Whether ADTS does not support the requested signaling.
  fileprivate var isRefusedByADTS: Bool {
    guard case .aac(_, _, _, let signaling?) = self else { return false }
    return OutputFormat.aac.rejectionReason(of: signaling) != nil
  }
}

/// A rendition of a stream in the syntax of `--bitrates`: `128k`, or with a profile `48k:he`.
struct StreamRendition: Sendable, Equatable {
  /// The bitrate in bits per second.
  var bitrate: Int
  /// The profile; nil for the profile of `--profile`.
  var profile: ProfileChoice?

  /// The bitrate as in options and file names, such as `128k`.
  var name: String { bitrate % 1000 == 0 ? "\(bitrate / 1000)k" : "\(bitrate)" }
}

extension OptionValue {
  static func renditions(
    _ value: String, _ option: String
  ) throws(UsageError) -> [StreamRendition] {
    var renditions: [StreamRendition] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let rendition = try rendition(part)
      if renditions.contains(where: { $0.bitrate == rendition.bitrate }) {
        throw UsageError("\(option) has \(rendition.name) twice.")
      }
      renditions.append(rendition)
    }
    try reject(if: renditions.count > 8, "\(option) has more than 8 values.")
    return renditions
  }

  private static func rendition(_ text: Substring) throws(UsageError) -> StreamRendition {
    let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let bitrate = try bitrate(String(words.first ?? ""))
    guard words.count > 1 else { return StreamRendition(bitrate: bitrate) }
    guard let profile = ProfileChoice(rawValue: String(words[1])) else {
      throw UsageError(
        "--bitrates does not understand the profile “\(displayed(String(words[1])))”.",
        hint: "Write it like 48k:he; the profiles are lc, he, he2 and auto.")
    }
    return StreamRendition(bitrate: bitrate, profile: profile)
  }
}

extension LivePlan.HLS {
  /// Rejects a window that does not fit into the server's memory.
  func checkMemory(_ configuration: RecordingConfiguration) throws(UsageError) {
    guard address != nil, self.configuration.kind == .live else { return }
    // The server keeps a segment that has left the playlist for the duration of the playlist plus
    // the segment's own duration (RFC 8216 6.2.2). In addition, a new segment is growing. Parts are
    // stored twice for a while.
    let count = max(3, self.configuration.windowSegmentCount) * 2 + 2
    let length = self.configuration.segmentDuration * count
    let seconds = length / .seconds(1)
    let parts = self.configuration.partDuration == nil ? 1.0 : 1.5
    let byteCount = Int(seconds * parts * Self.bytesPerSecond(configuration))
    let capacity = HLSMemoryStore().capacity
    if byteCount <= capacity { return }
    throw UsageError(
      "The segments of --hls-serve would take \(QuantityText.size(byteCount)) of memory, but "
        + "\(QuantityText.size(capacity)) is available.",
      hint: "Choose a lower --hls-window, or use --hls and a web server.")
  }

  /// Returns a warning with the time until the server's memory is full, for a playlist from which
  /// nothing is removed.
  func memoryWarning(_ configuration: RecordingConfiguration) -> String? {
    guard address != nil, self.configuration.kind != .live else { return nil }
    let seconds = Double(HLSMemoryStore().capacity) / Self.bytesPerSecond(configuration)
    if let duration = configuration.duration, duration < .seconds(seconds) {
      return nil
    }
    return "With --hls-type \(self.configuration.kind.rawValue) --hls-serve keeps all segments in "
      + "memory, which is enough for \(QuantityText.fixed(seconds / 3600, decimals: 1)) hours. Use "
      + "--hls and a web server for longer."
  }

  /// Returns an upper estimate of the bytes per second of all renditions.
  private static func bytesPerSecond(_ configuration: RecordingConfiguration) -> Double {
    let codings = configuration.codings
    let bits = codings.map { coding -> Int in
      guard case .aac(let rateControl, _, _, _) = coding else { return 0 }
      // The overhead around the frames takes up to 4 kb/s.
      return 4000 + rateControl.maxBitsPerSecond(channelCount: configuration.channelCount)
    }
    return Double(bits.reduce(0, +)) / 8
  }
}

extension AACEncoder.RateControl {
  /// Returns the approximate maximum of the average bitrate; for a quality setting, an upper
  /// estimate.
  fileprivate func maxBitsPerSecond(channelCount: Int) -> Int {
    if case .variable(let level) = self { return 32_000 * level * channelCount }
    return nominalBitrate
  }
}

// A bitrate that adapts to the network, as requested by `--adaptive`.
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
