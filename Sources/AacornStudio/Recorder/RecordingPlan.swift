import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming

/// The validated settings of a recording, before a device is opened or a server is contacted.
struct RecordingPlan: Sendable {
  /// An output in addition to the file.
  enum Output: Sendable {
    case server(LiveServer)
    /// Live streaming served by the studio itself.
    case hls(HLSConfiguration)
  }

  /// The name of the HLS output in requests; all other outputs are addresses.
  static let hls = "hls"

  let request: RecordingRequest
  let configuration: RecordingConfiguration
  private(set) var outputs: [Output] = []
  /// The filter that removes every password and key from the texts of servers.
  let redactor: Redactor

  /// Creates a plan for the requested settings; throws if they are invalid.
  init(_ request: RecordingRequest) throws(StudioError) {
    self.request = request
    var configuration = RecordingConfiguration(
      sampleRate: request.sampleRate, channelCount: request.channelCount)
    configuration.gain = Gain.factor(decibels: request.gain)
    configuration.effects = request.effects.effects
    configuration.collectsStatistics = true
    do throws(RecordingError) {
      configuration.coding =
        request.format.isPCM
        ? .int16
        : try configuration.aac(
          request.rateControl, effort: request.effort, profile: request.profile.profile)
    } catch {
      throw StudioError(error)
    }
    self.configuration = configuration
    var secrets: [Secret] = []
    for text in request.outputs { outputs.append(try Self.output(text, &secrets)) }
    redactor = Redactor(secrets)
    if request.format.isPCM && !outputs.isEmpty {
      throw .impossible(
        "\(request.format.rawValue.uppercased()) contains samples, but outputs need AAC. Choose M4A "
          + "or AAC, or omit the outputs.")
    }
    if request.outputs.count(where: { $0 == Self.hls }) > 1 {
      throw .impossible("HLS can be served only once.")
    }
  }

  /// Creates a plan for monitoring only, without outputs.
  init(listeningTo request: RecordingRequest) {
    self.request = request
    var configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: .int16)
    configuration.effects = request.effects.effects
    self.configuration = configuration
    redactor = Redactor([])
  }

  /// Parses an output.
  ///
  /// Errors never repeat the address: in a wrong address any part may be the password.
  private static func output(
    _ text: String, _ secrets: inout [Secret]
  ) throws(StudioError) -> Output {
    if text == hls { return .hls(hlsConfiguration) }
    let address = ServerURL(text)
    secrets += address?.secrets ?? []
    var server: LiveServer?
    do throws(NetworkError) {
      if let address { server = try LiveServer(address) }
    } catch {
      throw .impossible(error.message)
    }
    if let server {
      secrets += server.secrets
      return .server(server)
    }
    throw .impossible(
      "An output is “\(hls)”, or an address that begins with "
        + "\(ServerURL.Scheme.list(ServerURL.Scheme.allCases.filter { $0.kind != nil })).")
  }

  /// The configuration of the studio's own HLS output.
  ///
  /// Its segments are short, for a listener who watches the page at the same time.
  private static var hlsConfiguration: HLSConfiguration {
    var configuration = HLSConfiguration()
    configuration.name = "live"
    configuration.segmentDuration = .seconds(2)
    return configuration
  }
}

extension RecordingRequest {
  /// Chooses one of the systems and creates a source without opening it.
  func source(
    for configuration: RecordingConfiguration, among systems: [any DeviceSystem.Type]
  ) throws(DeviceError) -> any CaptureSource {
    let system = try system(among: systems)
    return try system.makeSource(
      CaptureRequest(
        device: device.isEmpty ? nil : device, isVoiceProcessed: isVoiceProcessed,
        from: system.backend, for: configuration))
  }

  private func system(
    among systems: [any DeviceSystem.Type]
  ) throws(DeviceError) -> any DeviceSystem.Type {
    // For a local program, a built-in device can be a file on this machine. A request over a
    // network must not open files, and `SyntheticSystem` opens none.
    let isBuiltIn = backend == nil && SyntheticSystem.BuiltIn(rawValue: device) != nil
    if isBuiltIn || backend == .synthetic { return SyntheticSystem.self }
    var systems = systems
    if let backend {
      systems = systems.filter { $0.backend == backend }
      if systems.isEmpty { throw .backendUnavailable(backend) }
    }
    if device.isEmpty {
      return try DeviceSystems.preferredDevices(for: .capture, among: systems).system
    }
    return try DeviceSystems.system(offering: device, among: systems).system
  }
}
