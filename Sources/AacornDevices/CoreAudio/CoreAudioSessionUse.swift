#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AacornSystem
import AVFAudio

/// The use of the app's only audio session by one source or target.
final class CoreAudioSessionUse: Sendable {
  /// The app's setup of its session before this library changed it.
  private struct AppSetup: Sendable {
    let category: AVAudioSession.Category
    let mode: AVAudioSession.Mode
    let options: AVAudioSession.CategoryOptions
    let preferences: CoreAudioSessionPreferences

    init(_ session: AVAudioSession) {
      category = session.category
      mode = session.mode
      options = session.categoryOptions
      preferences = CoreAudioSessionPreferences(session)
    }
  }

  private struct State: Sendable {
    var sessionUsers = CoreAudioSessionUsers()
    /// The setup to restore.
    var appSetup: AppSetup?
    /// The last setup by this library.
    var last: CoreAudioSessionSetup?
    /// The preferences set by this library.
    var preferences = CoreAudioSessionPreferences.LibraryPreferences()
  }

  private static let state = Lock(State())
  private let deactivates: Bool

  init(deactivates: Bool) {
    self.deactivates = deactivates
  }

  /// Sets the session up with the result of `choose`; nil leaves it unchanged.
  ///
  /// The argument of `choose` is the present setup; nil if this library cannot represent it.
  func prepare(
    _ choose: (CoreAudioSessionSetup?) -> CoreAudioSessionSetup?
  ) throws(DeviceError) {
    let user = ObjectIdentifier(self)
    let deactivates = deactivates
    try Self.state.withLock { (state) throws(DeviceError) in
      let session = AVAudioSession.sharedInstance()
      let isFirst = state.sessionUsers.join(
        user, appHasChosen: session.category != .soloAmbient, deactivates: deactivates)
      if isFirst {
        state.appSetup = AppSetup(session)
        state.last = nil
        state.preferences = CoreAudioSessionPreferences.LibraryPreferences()
      }
      let present = CoreAudioSessionSetup(session)
      guard let wanted = choose(present)?.keepingPlayback(of: state.last),
        wanted.mustBeSet(over: present, last: state.last)
      else { return }
      try CoreAudioSession.calling("prepare") {
        try session.setCategory(
          wanted.category.ofSystem, mode: wanted.mode.ofSystem, options: wanted.options.ofSystem)
      }
      state.last = wanted
    }
  }

  /// Sets the preferred rate of the hardware, in hertz.
  func prefer(sampleRate: Double) throws {
    let session = AVAudioSession.sharedInstance()
    try session.setPreferredSampleRate(sampleRate)
    // The session may have rounded the rate.
    Self.state.withLock { $0.preferences.sampleRate = session.preferredSampleRate }
  }

  /// Sets the preferred duration of the hardware's blocks, in seconds.
  func prefer(blockDuration: Double) throws {
    let session = AVAudioSession.sharedInstance()
    try session.setPreferredIOBufferDuration(blockDuration)
    Self.state.withLock { $0.preferences.blockDuration = session.preferredIOBufferDuration }
  }

  /// Sets the preferred input.
  func prefer(_ port: AVAudioSessionPortDescription) throws {
    try AVAudioSession.sharedInstance().setPreferredInput(port)
    Self.state.withLock { $0.preferences.inputID = port.uid }
  }

  /// Sets whether alerts of the system interrupt the session.
  func prefer(avoidsAlerts: Bool) throws {
    let session = AVAudioSession.sharedInstance()
    guard session.prefersNoInterruptionsFromSystemAlerts != avoidsAlerts else { return }
    try session.setPrefersNoInterruptionsFromSystemAlerts(avoidsAlerts)
    Self.state.withLock { $0.preferences.avoidsAlerts = avoidsAlerts }
  }

  /// Sets whether the device may vibrate during capture.
  func prefer(allowsHaptics: Bool) throws {
    let session = AVAudioSession.sharedInstance()
    guard session.allowHapticsAndSystemSoundsDuringRecording != allowsHaptics else { return }
    try session.setAllowHapticsAndSystemSoundsDuringRecording(allowsHaptics)
    Self.state.withLock { $0.preferences.allowsHaptics = allowsHaptics }
  }

  /// Sets the gain of the input.
  func prefer(inputGain: Float) throws {
    let session = AVAudioSession.sharedInstance()
    let before = session.inputGain
    guard before != inputGain else { return }
    try session.setInputGain(inputGain)
    Self.state.withLock { state in
      // The session may have rounded the gain.
      let first = state.preferences.inputGain?.before ?? before
      state.preferences.inputGain = (session.inputGain, first)
    }
  }

  #if !os(tvOS)
  /// Stores the setup of the built-in microphone before its first change.
  func remember(_ microphone: CoreAudioMicrophoneSetup) {
    Self.state.withLock { state in
      if state.preferences.microphone == nil { state.preferences.microphone = microphone }
    }
  }
  #endif

  /// Activates the session, or ensures that it still is active.
  func begin() throws(DeviceError) {
    try Self.state.withLock { (state) throws(DeviceError) in
      try CoreAudioSession.calling("activate") {
        try AVAudioSession.sharedInstance().setActive(true, options: [])
      }
      state.sessionUsers.activate()
    }
  }

  /// Ends this use; the last use restores and deactivates the session as required.
  func end() {
    let user = ObjectIdentifier(self)
    Self.state.withLock { state in
      let ending = state.sessionUsers.leave(user)
      Self.carryOut(ending, &state)
    }
  }

  deinit {
    end()
  }

  /// Records that the app itself uses the session.
  static func hold() {
    state.withLock { $0.sessionUsers.hold() }
  }

  /// Records that the app itself has stopped using the session.
  static func release() {
    state.withLock { state in
      let ending = state.sessionUsers.release()
      carryOut(ending, &state)
    }
  }

  private static func carryOut(_ ending: CoreAudioSessionUsers.Ending, _ state: inout State) {
    guard case .restore(let isDeactivated) = ending else { return }
    let session = AVAudioSession.sharedInstance()
    let preferences = state.appSetup?.preferences
    preferences?.restoreInput(to: session, instead: state.preferences)
    if isDeactivated {
      // An error means only that other audio of the app is running.
      try? session.setActive(false, options: .notifyOthersOnDeactivation)
    }
    preferences?.restoreHardware(to: session, instead: state.preferences)
    // Keep a setup that the app has chosen since.
    if let setup = state.appSetup, let last = state.last,
      !last.mustBeSet(over: CoreAudioSessionSetup(session), last: last)
    {
      try? session.setCategory(setup.category, mode: setup.mode, options: setup.options)
    }
    state.appSetup = nil
    state.last = nil
    state.preferences = CoreAudioSessionPreferences.LibraryPreferences()
  }
}
#endif
