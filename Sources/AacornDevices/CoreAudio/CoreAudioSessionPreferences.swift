#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio

/// What is preferred of the hardware in an app's audio session.
struct CoreAudioSessionPreferences: Sendable {
  /// In hertz; 0 for none.
  let sampleRate: Double
  /// In seconds; 0 for none.
  let blockDuration: Double
  /// The id of an input; nil for whichever the system chooses.
  let inputID: String?

  /// Those that a session has now.
  init(_ session: AVAudioSession) {
    sampleRate = session.preferredSampleRate
    blockDuration = session.preferredIOBufferDuration
    inputID = session.preferredInput?.uid
  }

  /// What this library prefers: nil for what it has left to the app.
  struct Own: Sendable {
    var sampleRate: Double?
    var blockDuration: Double?
    var inputID: String?
  }

  /// Gives a session the input again that it had before, if it still has the one that was chosen
  /// since: another one is of the app.
  ///
  /// An input can be chosen only while the session is active, in a category that has inputs.
  func giveBackInput(to session: AVAudioSession, instead own: Own) {
    guard let chosen = own.inputID, chosen != inputID, session.preferredInput?.uid == chosen
    else { return }
    // What is refused stays; nobody is there to be told.
    try? session.setPreferredInput(session.availableInputs?.first { $0.uid == inputID })
  }

  /// Gives a session its rate and block length again, as far as it still has those set since.
  ///
  /// Once it is inactive, if it will be: while it is active, the hardware would follow.
  func giveBackHardware(to session: AVAudioSession, instead own: Own) {
    if let set = own.sampleRate, set != sampleRate, session.preferredSampleRate == set {
      try? session.setPreferredSampleRate(sampleRate)
    }
    if let set = own.blockDuration, set != blockDuration, session.preferredIOBufferDuration == set {
      try? session.setPreferredIOBufferDuration(blockDuration)
    }
  }
}
#endif
