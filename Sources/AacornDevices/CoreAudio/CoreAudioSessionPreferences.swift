#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio

/// What is preferred of the hardware in an app's audio session.
struct CoreAudioSessionPreferences: Sendable, Equatable {
  /// In hertz; 0 for none.
  var sampleRate: Double
  /// In seconds; 0 for none.
  var blockDuration: Double
  /// The id of an input; nil for whichever the system chooses.
  var inputID: String?

  /// Those that a session has now.
  init(_ session: AVAudioSession) {
    sampleRate = session.preferredSampleRate
    blockDuration = session.preferredIOBufferDuration
    inputID = session.preferredInput?.uid
  }

  /// Gives a session these again that it had before, as far as it still has those that were `set`
  /// since: what differs from them is of the app.
  func giveBack(to session: AVAudioSession, instead set: Self) {
    let present = Self(session)
    // What is refused stays; nobody is there to be told.
    if sampleRate != present.sampleRate && present.sampleRate == set.sampleRate {
      try? session.setPreferredSampleRate(sampleRate)
    }
    if blockDuration != present.blockDuration && present.blockDuration == set.blockDuration {
      try? session.setPreferredIOBufferDuration(blockDuration)
    }
    if inputID != present.inputID && present.inputID == set.inputID {
      let port = session.availableInputs?.first { $0.uid == inputID }
      try? session.setPreferredInput(port)
    }
  }
}
#endif
