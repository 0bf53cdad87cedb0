#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio

/// The preferences of an app's audio session, as they were before this library changed them.
struct CoreAudioSessionPreferences: Sendable {
  /// In hertz; 0 for none.
  let sampleRate: Double
  /// In seconds; 0 for none.
  let blockDuration: Double
  /// The id of an input; nil for whichever the system chooses.
  let inputID: String?
  /// Whether alerts of the system should not interrupt the session.
  let avoidsAlerts: Bool
  /// Whether the device may vibrate during capture.
  let allowsHaptics: Bool

  /// Those that a session has now.
  init(_ session: AVAudioSession) {
    sampleRate = session.preferredSampleRate
    blockDuration = session.preferredIOBufferDuration
    inputID = session.preferredInput?.uid
    avoidsAlerts = session.prefersNoInterruptionsFromSystemAlerts
    allowsHaptics = session.allowHapticsAndSystemSoundsDuringRecording
  }

  /// What this library prefers: nil for what it has left to the app.
  struct Own: Sendable {
    var sampleRate: Double?
    var blockDuration: Double?
    var inputID: String?
    var avoidsAlerts: Bool?
    var allowsHaptics: Bool?
    /// The gain that this library has set, and the gain before.
    var inputGain: (set: Float, before: Float)?
    #if !os(tvOS)
    /// The setup of the built-in microphone before this library changed it.
    var microphone: CoreAudioMicrophoneSetup?
    #endif
  }

  /// Gives a session back what can be chosen only while it is active, in a category with inputs.
  ///
  /// Everything that the app has changed since stays as the app wants it.
  func giveBackInput(to session: AVAudioSession, instead own: Own) {
    // Errors cannot be reported here, and leave the preference as it is.
    if let gain = own.inputGain, session.isInputGainSettable, session.inputGain == gain.set {
      try? session.setInputGain(gain.before)
    }
    #if !os(tvOS)
    own.microphone?.giveBack(to: session)
    #endif
    if let chosen = own.inputID, chosen != inputID, session.preferredInput?.uid == chosen {
      try? session.setPreferredInput(session.availableInputs?.first { $0.uid == inputID })
    }
  }

  /// Gives a session back its other preferences, unless the app has changed them since.
  ///
  /// Once it is inactive, if it will be: while it is active, the hardware would follow.
  func giveBackHardware(to session: AVAudioSession, instead own: Own) {
    if let set = own.sampleRate, set != sampleRate, session.preferredSampleRate == set {
      try? session.setPreferredSampleRate(sampleRate)
    }
    if let set = own.blockDuration, set != blockDuration, session.preferredIOBufferDuration == set {
      try? session.setPreferredIOBufferDuration(blockDuration)
    }
    if let set = own.avoidsAlerts, set != avoidsAlerts,
      session.prefersNoInterruptionsFromSystemAlerts == set
    {
      try? session.setPrefersNoInterruptionsFromSystemAlerts(avoidsAlerts)
    }
    if let set = own.allowsHaptics, set != allowsHaptics,
      session.allowHapticsAndSystemSoundsDuringRecording == set
    {
      try? session.setAllowHapticsAndSystemSoundsDuringRecording(allowsHaptics)
    }
  }
}

#if !os(tvOS)
/// The setup of the built-in microphone, to be restored after a capture.
struct CoreAudioMicrophoneSetup: Sendable {
  /// The preferred microphone of the port; nil for none.
  let sourceName: String?
  /// The microphone whose pattern this library changes, and its pattern before.
  let changedName: String
  let pattern: AVAudioSession.PolarPattern?
  let orientation: AVAudioSession.StereoOrientation
  let channelCount: Int

  /// The current setup, before `changed` becomes the preferred microphone of `port`.
  init(
    _ port: AVAudioSessionPortDescription, changing changed: AVAudioSessionDataSourceDescription,
    of session: AVAudioSession
  ) {
    sourceName = port.preferredDataSource?.dataSourceName
    changedName = changed.dataSourceName
    pattern = changed.preferredPolarPattern
    orientation = session.preferredInputOrientation
    channelCount = session.preferredInputNumberOfChannels
  }

  /// Restores it, unless the app has chosen another microphone since.
  func giveBack(to session: AVAudioSession) {
    guard let port = session.availableInputs?.first(where: { $0.portType == .builtInMic }),
      port.preferredDataSource?.dataSourceName == changedName
    else { return }
    let sources = port.dataSources ?? []
    if session.preferredInputNumberOfChannels != channelCount {
      try? session.setPreferredInputNumberOfChannels(channelCount)
    }
    if session.preferredInputOrientation != orientation {
      try? session.setPreferredInputOrientation(orientation)
    }
    if let source = sources.first(where: { $0.dataSourceName == changedName }),
      source.preferredPolarPattern != pattern
    {
      try? source.setPreferredPolarPattern(pattern)
    }
    if sourceName != changedName {
      try? port.setPreferredDataSource(sources.first { $0.dataSourceName == sourceName })
    }
  }
}
#endif
#endif
