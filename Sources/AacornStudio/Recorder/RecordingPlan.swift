import AacornCodec
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornWeb

/// What is to be recorded and where to, settled before a device is opened or a server is called.
struct RecordingPlan: Sendable {
  /// An output beside the file.
  enum Output: Sendable {
    case icecast(IcecastConfiguration)
    case rtmp(RTMPConfiguration)
    /// Served by the studio itself.
    case hls(HLSConfiguration)
  }

  /// The output that is not an address.
  static let hls = "hls"

  let wish: RecordingWish
  let configuration: RecordingConfiguration
  private(set) var outputs: [Output] = []
  /// Takes every password and key out of what others say.
  let redactor: Redactor

  /// Settles a wish, or says why it cannot be.
  init(_ wish: RecordingWish) throws(StudioRefusal) {
    self.wish = wish
    var configuration = RecordingConfiguration(
      sampleRate: wish.sampleRate, channelCount: wish.channelCount)
    configuration.gain = Gain.factor(decibels: wish.gain)
    do throws(RecordingError) {
      configuration.coding =
        wish.format.isPCM
        ? .int16
        : try configuration.aac(
          wish.rateControl, wish.effort, usualBitrate: RecordingWish.usualBitrate)
    } catch {
      throw StudioRefusal(error)
    }
    self.configuration = configuration
    var secrets: [Secret] = []
    for text in wish.outputs { outputs.append(try Self.output(text, &secrets)) }
    redactor = Redactor(secrets)
    if wish.format.isPCM && !outputs.isEmpty {
      throw .impossible(
        "\(wish.format.rawValue.uppercased()) holds samples, and listeners take AAC. "
          + "Choose M4A or AAC, or leave out the outputs.")
    }
    if wish.outputs.count(where: { $0 == Self.hls }) > 1 {
      throw .impossible("HLS can be served once only.")
    }
  }

  /// Listening alone: sound that goes nowhere.
  init(listeningTo wish: RecordingWish) {
    self.wish = wish
    configuration = RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16)
    redactor = Redactor([])
  }

  /// Bits a second that were asked for; 0 where they vary.
  var bitrate: Int {
    guard case .aac(let rateControl, _) = configuration.coding else { return 0 }
    return switch rateControl {
    case .constant(let rate), .average(let rate): rate
    case .variable: 0
    }
  }

  /// Errors never repeat the address: where it is wrong, nobody knows which part is the password.
  private static func output(
    _ text: String, _ secrets: inout [Secret]
  ) throws(StudioRefusal) -> Output {
    if text == hls { return .hls(hlsConfiguration) }
    let address = StreamAddress(text)
    secrets += address?.secrets ?? []
    do throws(NetworkError) {
      switch address?.scheme {
      case "icecast", "icecasts":
        let configuration = try IcecastConfiguration(address: text, password: nil)
        secrets.append(Secret(configuration.password))
        return .icecast(configuration)
      case "rtmp", "rtmps":
        let configuration = try RTMPConfiguration(address: text, streamKey: nil)
        // Services put more behind the key, which they may leave out when they repeat it.
        let key = configuration.streamKey
        secrets += [Secret(key), Secret(String(key.prefix { $0 != "?" }))]
        if let password = configuration.password { secrets.append(Secret(password)) }
        return .rtmp(configuration)
      default: break
      }
    } catch {
      throw .impossible(error.sentence)
    }
    throw .impossible(
      "An output is “hls”, or an address that begins with icecast://, icecasts://, rtmp:// or "
        + "rtmps://.")
  }

  /// Short segments, for a listener who looks at the page at the same time.
  private static var hlsConfiguration: HLSConfiguration {
    var configuration = HLSConfiguration()
    configuration.name = "live"
    configuration.segmentMilliseconds = 2000
    return configuration
  }
}

extension RecordingWish {
  /// Chooses a system of these and makes a source; nothing is opened yet.
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
    // A file of this machine can be a built-in device, too, but not for who asks over a network:
    // the system of built-in sounds opens none.
    let isBuiltIn = backend == nil && SyntheticSystem.BuiltIn(rawValue: device) != nil
    if isBuiltIn || backend == .synthetic { return SyntheticSystem.self }
    var systems = systems
    if let backend {
      systems = systems.filter { $0.backend == backend }
      if systems.isEmpty { throw .backendUnavailable(backend) }
    }
    if device.isEmpty { return try Capture.preferredSystem(among: systems).system }
    return try Capture.system(offering: device, among: systems).system
  }
}
