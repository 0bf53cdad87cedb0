#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio
import AudioToolbox
// Only Foundation provides notifications; on these systems it is always loaded.
import Foundation
import AacornSystem

/// A phone's audio, which all apps share by the rules of the system's audio session.
struct CoreAudioSession: CoreAudioHardware {
  let choice: CoreAudioSessionChoice
  private let use = CoreAudioSessionUse()

  init(choice: CoreAudioSessionChoice) {
    self.choice = choice
  }

  var isPermitted: Bool? { CoreAudioPermission.isGranted }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    CoreAudioPermission.request(answer)
  }

  func activate(_ request: CaptureRequest) throws(CaptureError) -> [String] {
    let session = AVAudioSession.sharedInstance()
    var remarks: [String] = []
    try Self.calling("prepare") {
      try session.setCategory(
        choice.playsSound || request.isVoiceProcessed ? .playAndRecord : .record,
        mode: mode(for: request), options: options(for: request))
    }
    // These are preferences: the actual values are read back when a unit is opened.
    if let rate = request.sampleRate {
      Self.trying("set the rate of", &remarks) { try session.setPreferredSampleRate(Double(rate)) }
    }
    Self.trying("set the block length of", &remarks) {
      try session.setPreferredIOBufferDuration(request.blockDuration / .seconds(1))
    }
    try use.begin()
    if case .pinned(let id) = request.device, id != Self.anyInput,
      session.currentRoute.inputs.first?.uid != id
    {
      guard let port = session.availableInputs?.first(where: { $0.uid == id }) else {
        throw .unknownDevice(id: id, backend: .coreAudio)
      }
      try Self.calling("choose") { try session.setPreferredInput(port) }
      // The system may be slow to follow; if it does not follow, `route` reports that.
      for _ in 0..<25 where session.currentRoute.inputs.first?.uid != id {
        System.sleep(milliseconds: 20)
      }
    }
    return remarks
  }

  func deactivate() {
    use.end()
  }

  func route(for request: CaptureRequest) throws(CaptureError) -> CoreAudioRoute<CaptureDevice> {
    let session = AVAudioSession.sharedInstance()
    guard session.isInputAvailable, let port = session.currentRoute.inputs.first else {
      throw .noDevice(backend: .coreAudio)
    }
    if case .pinned(let id) = request.device, id != Self.anyInput, port.uid != id {
      throw .unknownDevice(id: id, backend: .coreAudio)
    }
    var device = CoreAudioDescription(port, isDefault: true).captureDevice
    device.channelCount = session.inputNumberOfChannels
    device.sampleRate = Int(session.sampleRate.rounded())
    return CoreAudioRoute(device: device, latency: Int64(session.inputLatency * 1e9))
  }

  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(CaptureError) -> any CoreAudioStream {
    try CoreAudioUnit(order, makeFeed)
  }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    CoreAudioSessionObservation(post)
  }

  /// Stands for the system's choice of input while none is visible.
  private static let anyInput = "default"

  /// The inputs visible in the session's category, the one in use first.
  static func inputs() -> [CaptureDevice] {
    let session = AVAudioSession.sharedInstance()
    let present = session.currentRoute.inputs.first?.uid
    let ports = session.availableInputs ?? session.currentRoute.inputs
    if ports.isEmpty && session.isInputAvailable {
      return [
        CaptureDevice(backend: .coreAudio, id: anyInput, name: "Microphone", isDefault: true)
      ]
    }
    let descriptions =
      ports.filter { $0.uid == present }.map { CoreAudioDescription($0, isDefault: true) }
      + ports.filter { $0.uid != present }.map { CoreAudioDescription($0, isDefault: false) }
    return descriptions.map(\.captureDevice)
  }

  /// The mode for calls admits Bluetooth headsets by itself, so it is used only if they are wanted;
  /// the unit removes echo and noise in any mode.
  private func mode(for request: CaptureRequest) -> AVAudioSession.Mode {
    request.isVoiceProcessed && choice.allowsBluetooth ? .voiceChat : .default
  }

  private func options(for request: CaptureRequest) -> AVAudioSession.CategoryOptions {
    var options: AVAudioSession.CategoryOptions = []
    if choice.playsSound || request.isVoiceProcessed {
      if choice.mixesWithOthers { options.insert(.mixWithOthers) }
      #if !os(tvOS)
      if choice.prefersSpeaker { options.insert(.defaultToSpeaker) }
      #endif
    }
    if choice.allowsBluetooth { options.insert(.allowBluetoothHFP) }
    return options
  }

  /// Calls the session, with an error of ours if that fails.
  static func calling(
    _ operation: String, _ call: () throws -> Void
  ) throws(CaptureError) {
    do {
      try call()
    } catch {
      throw CoreAudioStatus(Int32(truncatingIfNeeded: error._code))
        .error(operation, "the audio session")
    }
  }

  /// Calls the session, with a remark if that fails.
  static func trying(
    _ operation: String, _ remarks: inout [String], _ call: () throws -> Void
  ) {
    do throws(CaptureError) {
      try calling(operation, call)
    } catch {
      remarks.append(error.sentence)
    }
  }
}
#endif
