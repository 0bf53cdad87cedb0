#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AacornSystem
import AVFAudio

/// A source's or target's share in the app's only audio session.
final class CoreAudioSessionUse: Sendable {
  /// How the app had set up its session before this library did.
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
    var shares = CoreAudioSessionShares()
    /// What the session is given back as.
    var appSetup: AppSetup?
    /// What it was last set up as here.
    var last: CoreAudioSessionSetup?
    /// What is preferred here.
    var preferences = CoreAudioSessionPreferences.Own()
  }

  private static let state = Lock(State())
  private let deactivates: Bool

  init(deactivates: Bool) {
    self.deactivates = deactivates
  }

  /// Sets the session up as `choose` says for its present setup (nil if that is none of ours); nil
  /// leaves it as it is.
  func prepare(
    _ choose: (CoreAudioSessionSetup?) -> CoreAudioSessionSetup?
  ) throws(CaptureError) {
    let user = ObjectIdentifier(self)
    let deactivates = deactivates
    try Self.state.withLock { (state) throws(CaptureError) in
      let session = AVAudioSession.sharedInstance()
      let isFirst = state.shares.join(
        user, appHasChosen: session.category != .soloAmbient, deactivates: deactivates)
      if isFirst {
        state.appSetup = AppSetup(session)
        state.last = nil
        state.preferences = CoreAudioSessionPreferences.Own()
      }
      let present = CoreAudioSessionSetup(session)
      guard let wanted = choose(present)?.besides(state.last),
        wanted.mustBeSet(over: present, last: state.last)
      else { return }
      try CoreAudioSession.calling("prepare") {
        try session.setCategory(
          wanted.category.ofSystem, mode: wanted.mode.ofSystem, options: wanted.options.ofSystem)
      }
      state.last = wanted
    }
  }

  /// Prefers a rate of the hardware, in hertz.
  func prefer(sampleRate: Double) throws {
    let session = AVAudioSession.sharedInstance()
    try session.setPreferredSampleRate(sampleRate)
    // The session may have rounded it.
    Self.state.withLock { $0.preferences.sampleRate = session.preferredSampleRate }
  }

  /// Prefers a length of the hardware's blocks, in seconds.
  func prefer(blockDuration: Double) throws {
    let session = AVAudioSession.sharedInstance()
    try session.setPreferredIOBufferDuration(blockDuration)
    Self.state.withLock { $0.preferences.blockDuration = session.preferredIOBufferDuration }
  }

  /// Prefers an input.
  func prefer(_ port: AVAudioSessionPortDescription) throws {
    try AVAudioSession.sharedInstance().setPreferredInput(port)
    Self.state.withLock { $0.preferences.inputID = port.uid }
  }

  /// Chooses whether alerts of the system interrupt the session.
  func prefer(avoidsAlerts: Bool) throws {
    let session = AVAudioSession.sharedInstance()
    guard session.prefersNoInterruptionsFromSystemAlerts != avoidsAlerts else { return }
    try session.setPrefersNoInterruptionsFromSystemAlerts(avoidsAlerts)
    Self.state.withLock { $0.preferences.avoidsAlerts = avoidsAlerts }
  }

  /// Chooses whether the device may vibrate during capture.
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
      // The session may have rounded it.
      let first = state.preferences.inputGain?.before ?? before
      state.preferences.inputGain = (session.inputGain, first)
    }
  }

  #if !os(tvOS)
  /// Remembers the setup of the built-in microphone before its first change.
  func remember(_ microphone: CoreAudioMicrophoneSetup) {
    Self.state.withLock { state in
      if state.preferences.microphone == nil { state.preferences.microphone = microphone }
    }
  }
  #endif

  /// Activates the session, or makes sure that it still is.
  func begin() throws(CaptureError) {
    try Self.state.withLock { (state) throws(CaptureError) in
      try CoreAudioSession.calling("activate") {
        try AVAudioSession.sharedInstance().setActive(true, options: [])
      }
      state.shares.activate()
    }
  }

  /// Leaves the session to those who still use it, to the app or to other apps.
  func end() {
    let user = ObjectIdentifier(self)
    Self.state.withLock { state in
      let ending = state.shares.leave(user)
      Self.carryOut(ending, &state)
    }
  }

  deinit {
    end()
  }

  /// Notes that the app itself uses the session.
  static func hold() {
    state.withLock { $0.shares.hold() }
  }

  /// Notes that the app itself no longer does.
  static func release() {
    state.withLock { state in
      let ending = state.shares.release()
      carryOut(ending, &state)
    }
  }

  private static func carryOut(_ ending: CoreAudioSessionShares.Ending, _ state: inout State) {
    guard case .giveBack(let isDeactivated) = ending else { return }
    let session = AVAudioSession.sharedInstance()
    let preferences = state.appSetup?.preferences
    preferences?.giveBackInput(to: session, instead: state.preferences)
    if isDeactivated {
      // An error says only that something ran that is not of this library.
      try? session.setActive(false, options: .notifyOthersOnDeactivation)
    }
    preferences?.giveBackHardware(to: session, instead: state.preferences)
    // Unless the app has chosen something else meanwhile.
    if let setup = state.appSetup, let last = state.last,
      !last.mustBeSet(over: CoreAudioSessionSetup(session), last: last)
    {
      try? session.setCategory(setup.category, mode: setup.mode, options: setup.options)
    }
    state.appSetup = nil
    state.last = nil
    state.preferences = CoreAudioSessionPreferences.Own()
  }
}
#endif
