#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio
import AacornSystem
import AudioToolbox
// Only Foundation provides notifications; on these systems it is always loaded.
import Foundation

/// A phone's audio, which all apps share by the rules of the system's audio session.
struct CoreAudioSession: CoreAudioCaptureHardware {
  let request: CaptureRequest
  let choice: CoreAudioSessionOptions
  let use: CoreAudioSessionUse

  init(_ request: CaptureRequest, choice: CoreAudioSessionOptions) {
    self.request = request
    self.choice = choice
    use = CoreAudioSessionUse(deactivates: choice.deactivates)
  }

  var isPermitted: Bool? { CoreAudioPermission.isGranted }

  var maxInterruptionDuration: Duration? { choice.maxInterruptionDuration }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    CoreAudioPermission.request(answer)
  }

  func activate() throws(DeviceError) -> [String] {
    if choice.control == .manual { return [] }
    let session = AVAudioSession.sharedInstance()
    let setup = CoreAudioSessionSetup(
      choice, isVoiceProcessed: request.isVoiceProcessed,
      hasHighQualityBluetooth: CoreAudioSessionSetup.hasHighQualityBluetooth)
    var diagnostics = choice.modeDiagnostic.map { [$0] } ?? []
    try use.prepare { _ in setup }
    // The rate and the block length are only preferences: the actual values are read when a unit is
    // opened.
    if let rate = choice.hardwareRate(for: request) {
      Self.trying("set the rate of", &diagnostics) { try use.prefer(sampleRate: Double(rate)) }
    }
    let blockDuration = choice.blockDuration ?? request.blockDuration
    Self.trying("set the block length of", &diagnostics) {
      try use.prefer(blockDuration: blockDuration / .seconds(1))
    }
    Self.trying("avoid interruptions by alerts in", &diagnostics) {
      try use.prefer(avoidsAlerts: !choice.isInterruptedByAlerts)
    }
    if choice.allowsHaptics {
      Self.trying("allow haptics in", &diagnostics) { try use.prefer(allowsHaptics: true) }
    }
    try use.begin()
    try chooseInput(of: session, &diagnostics)
    #if !os(tvOS)
    if let microphone = choice.microphone {
      adjust(microphone, of: session, &diagnostics)
    }
    #endif
    if let gain = choice.inputGain {
      if session.isInputGainSettable {
        Self.trying("set the gain of", &diagnostics) {
          try use.prefer(inputGain: gain.isFinite ? min(max(0, gain), 1) : 1)
        }
      } else {
        diagnostics.append("The input has no gain that can be set.")
      }
    }
    return diagnostics
  }

  private func chooseInput(
    of session: AVAudioSession, _ diagnostics: inout [String]
  ) throws(DeviceError) {
    let ports = session.availableInputs ?? []
    let decision = CoreAudioInputPort.decision(
      pinnedID: pinnedID, kind: choice.input,
      among: ports.map {
        CoreAudioInputPort(id: $0.uid, kind: CoreAudioSessionOptions.Input($0.portType))
      },
      presentID: session.currentRoute.inputs.first?.uid)
    switch decision {
    case .keep: break
    case .take(let id):
      guard let port = ports.first(where: { $0.uid == id }) else { return }
      try Self.calling("choose") { try use.prefer(port) }
      // The system may change the input slowly; if it does not change it, `route` reports that.
      for _ in 0..<25 where session.currentRoute.inputs.first?.uid != id {
        System.sleep(milliseconds: 20)
      }
    case .fail: throw .unknownDevice(id: pinnedID ?? "", backend: .coreAudio)
    case .useDefault:
      if let kind = choice.input {
        diagnostics.append("There is no \(kind.title), so the system chooses the input.")
      }
    }
  }

  func deactivate() {
    use.end()
  }

  func route() throws(DeviceError) -> CoreAudioRoute {
    let session = AVAudioSession.sharedInstance()
    guard session.isInputAvailable, let port = session.currentRoute.inputs.first else {
      throw .noDevice(for: .capture, backend: .coreAudio)
    }
    if let pinnedID, port.uid != pinnedID {
      throw .unknownDevice(id: pinnedID, backend: .coreAudio)
    }
    var device = Device(port, isDefault: true)
    device.channelCount = session.inputNumberOfChannels
    device.sampleRate = Int(session.sampleRate.rounded())
    return CoreAudioRoute(device: device, latency: Int64(session.inputLatency * 1e9))
  }

  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(DeviceError) -> any CoreAudioStream {
    try CoreAudioUnit(
      request, order, choice.voiceProcessing.resolved(beside: choice.otherAudio), makeFeed)
  }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    CoreAudioSessionObservation(post)
  }

  /// The id of the system's choice of input, used while no input is visible.
  static let anyInput = "default"

  /// The id of the only input to use; nil leaves the choice to the system.
  var pinnedID: String? { request.device.pinnedID.flatMap { $0 == Self.anyInput ? nil : $0 } }

  /// Returns the inputs visible in the session's category, the input in use first.
  static func inputs() -> [Device] {
    let session = AVAudioSession.sharedInstance()
    let present = session.currentRoute.inputs.first?.uid
    let ports = session.availableInputs ?? session.currentRoute.inputs
    if ports.isEmpty && session.isInputAvailable {
      return [
        Device(backend: .coreAudio, id: anyInput, name: "Microphone", isDefault: true)
      ]
    }
    return ports.filter { $0.uid == present }.map { Device($0, isDefault: true) }
      + ports.filter { $0.uid != present }.map { Device($0, isDefault: false) }
  }

  /// Calls the session; throws a `DeviceError` on failure.
  static func calling(
    _ operation: String, _ call: () throws -> Void
  ) throws(DeviceError) {
    do {
      try call()
    } catch {
      throw CoreAudioStatus(Int32(truncatingIfNeeded: error._code))
        .error(operation, "the audio session")
    }
  }

  /// Calls the session; appends a diagnostic on failure.
  static func trying(
    _ operation: String, _ diagnostics: inout [String], _ call: () throws -> Void
  ) {
    do throws(DeviceError) {
      try calling(operation, call)
    } catch {
      diagnostics.append(error.message)
    }
  }
}

/// Observes the audio session from creation until `end`.
///
/// `Sendable` is unchecked because the type of the tokens is not sendable. The tokens are only
/// passed back to the notification center, under a lock or in `deinit`, which is allowed on any
/// thread.
final class CoreAudioSessionObservation: CoreAudioObservation, @unchecked Sendable {
  private var tokens: [any NSObjectProtocol] = []

  /// The name of `UIApplication.didBecomeActiveNotification`, written out to avoid importing UIKit.
  private static var appActive: Notification.Name {
    Notification.Name("UIApplicationDidBecomeActiveNotification")
  }

  /// Passes events to `post`, which is called on any thread.
  init(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) {
    observe(AVAudioSession.interruptionNotification) { notification in
      #if os(tvOS)
      let reason: UInt? = nil
      #else
      let reason = Self.number(AVAudioSessionInterruptionReasonKey, notification)
      #endif
      let event = CoreAudioEvent(
        interruptionType: Self.number(AVAudioSessionInterruptionTypeKey, notification),
        reason: reason,
        options: Self.number(AVAudioSessionInterruptionOptionKey, notification))
      if let event { post(event) }
    }
    observe(AVAudioSession.routeChangeNotification) { notification in
      let reason = Self.number(AVAudioSessionRouteChangeReasonKey, notification)
        .flatMap { CoreAudioRouteReason(rawValue: $0) }
      post(.routeChanged(reason ?? .unknown))
    }
    observe(AVAudioSession.mediaServicesWereLostNotification) { _ in post(.servicesLost) }
    observe(AVAudioSession.mediaServicesWereResetNotification) { _ in post(.servicesReset) }
    observe(Self.appActive) { _ in post(.appActive) }
  }

  deinit {
    end()
  }

  func end() {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
    tokens.removeAll()
  }

  private func observe(
    _ name: Notification.Name, _ action: @escaping @Sendable (Notification) -> Void
  ) {
    tokens.append(
      NotificationCenter.default.addObserver(
        forName: name, object: nil, queue: nil, using: action))
  }

  private static func number(_ key: String, _ notification: Notification) -> UInt? {
    notification.userInfo?[key] as? UInt
  }
}
#endif
