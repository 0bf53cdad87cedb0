import AacornDevices
import AacornRecording
import AacornStreaming
import AacornWeb

/// The validated settings of a recording, before a device is opened or a server is contacted.
struct RecordingPlan: Sendable {
  /// An output in addition to the file.
  enum Output: Sendable {
    case server(LiveServer)
    /// Live streaming served by the studio itself.
    case hls(HLSConfiguration)
  }

  /// The name of the output that is not an address.
  static let hls = "hls"

  let wish: RecordingWish
  let configuration: RecordingConfiguration
  private(set) var outputs: [Output] = []
  /// Removes every password and key from the texts of servers.
  let redactor: Redactor

  /// Creates a plan for the requested settings; throws if they are invalid.
  init(_ wish: RecordingWish) throws(StudioRefusal) {
    self.wish = wish
    var configuration = RecordingConfiguration(
      sampleRate: wish.sampleRate, channelCount: wish.channelCount)
    configuration.gain = Gain.factor(decibels: wish.gain)
    configuration.effects = wish.effects.effects
    configuration.collectsStatistics = true
    do throws(RecordingError) {
      configuration.coding =
        wish.format.isPCM
        ? .int16
        : try configuration.aac(
          wish.rateControl, wish.effort, wish.profile.profile)
    } catch {
      throw StudioRefusal(error)
    }
    self.configuration = configuration
    var secrets: [Secret] = []
    for text in wish.outputs { outputs.append(try Self.output(text, &secrets)) }
    redactor = Redactor(secrets)
    if wish.format.isPCM && !outputs.isEmpty {
      throw .impossible(
        "\(wish.format.rawValue.uppercased()) contains samples, but outputs need AAC. Choose M4A "
          + "or AAC, or omit the outputs.")
    }
    if wish.outputs.count(where: { $0 == Self.hls }) > 1 {
      throw .impossible("HLS can be served only once.")
    }
  }

  /// Creates a plan for monitoring only, without outputs.
  init(listeningTo wish: RecordingWish) {
    self.wish = wish
    var configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: .int16)
    configuration.effects = wish.effects.effects
    self.configuration = configuration
    redactor = Redactor([])
  }

  /// Parses an output.
  ///
  /// Errors never repeat the address: in a wrong address any part may be the password.
  private static func output(
    _ text: String, _ secrets: inout [Secret]
  ) throws(StudioRefusal) -> Output {
    if text == hls { return .hls(hlsConfiguration) }
    let address = StreamAddress(text)
    secrets += address?.secrets ?? []
    var server: LiveServer?
    do throws(NetworkError) {
      if let address { server = try LiveServer(address) }
    } catch {
      throw .impossible(error.sentence)
    }
    if let server {
      secrets += server.secrets
      return .server(server)
    }
    throw .impossible(
      "An output is “\(hls)”, or an address that begins with "
        + "\(StreamScheme.list(StreamScheme.telling)).")
  }

  /// Uses short segments, for a listener who watches the page at the same time.
  private static var hlsConfiguration: HLSConfiguration {
    var configuration = HLSConfiguration()
    configuration.name = "live"
    configuration.segmentDuration = .seconds(2)
    return configuration
  }
}

extension RecordingWish {
  /// Chooses one of the systems and creates a source without opening it.
  func source(
    for configuration: RecordingConfiguration, among systems: [any CaptureSystem.Type]
  ) throws(CaptureError) -> any CaptureSource {
    let system = try system(among: systems)
    return try system.makeSource(
      CaptureRequest(
        device: device.isEmpty ? nil : device, isVoiceProcessed: isVoiceProcessed,
        from: system.backend, for: configuration))
  }

  private func system(
    among systems: [any CaptureSystem.Type]
  ) throws(CaptureError) -> any CaptureSystem.Type {
    // A built-in device can also be a file on this machine, but not for a request over a network:
    // `SyntheticSystem` opens no files.
    let isBuiltIn = backend == nil && SyntheticSystem.BuiltIn(rawValue: device) != nil
    if isBuiltIn || backend == .synthetic { return SyntheticSystem.self }
    var systems = systems
    if let backend {
      systems = systems.filter { $0.backend == backend }
      if systems.isEmpty { throw .backendUnavailable(backend) }
    }
    if device.isEmpty { return try CaptureSystems.preferredSystem(among: systems).system }
    return try CaptureSystems.system(offering: device, among: systems).system
  }
}
