/// The settings of the system's voice processing, for requests with
/// ``CaptureRequest/isVoiceProcessed``.
///
///     var choice = CoreAudioSessionOptions()
///     choice.voiceProcessing.ducking = .medium
///
/// They apply on phones and on Macs.
public struct CoreAudioVoiceProcessing: Sendable, Equatable {
  /// The amount by which voice processing lowers all other audio, of this app and of other apps.
  ///
  /// It can be chosen from iOS 17 and macOS 14 on. Older systems and tvOS always use ``standard``.
  public enum Ducking: Sendable, Equatable, CaseIterable {
    /// The amount that the system chooses.
    case standard
    /// The minimum that the system allows.
    case minimum
    /// More than the minimum.
    case medium
    /// The maximum that the system allows, for the most intelligible speech.
    case maximum
  }

  /// The ducking of other audio; nil means a value that suits the session.
  ///
  /// That value is ``Ducking/minimum`` where music should continue unchanged
  /// (``CoreAudioSessionOptions/otherAudio`` is `mix` or `pauseSpeech`), and otherwise
  /// ``Ducking/standard``.
  public var ducking: Ducking?
  /// Whether the system adjusts the gain of the microphone.
  public var adjustsGain: Bool
  /// Whether the processing is bypassed: the unit captures without removing echo and noise.
  public var isBypassed: Bool

  /// Creates settings; without arguments, the settings that suit the session.
  public init(ducking: Ducking? = nil, adjustsGain: Bool = true, isBypassed: Bool = false) {
    self.ducking = ducking
    self.adjustsGain = adjustsGain
    self.isBypassed = isBypassed
  }

  /// Returns these settings; a ducking of nil is replaced by the value that suits `otherAudio`.
  func resolved(
    beside otherAudio: CoreAudioSessionOptions.OtherAudioPolicy
  ) -> CoreAudioVoiceProcessing {
    var settings = self
    settings.ducking =
      ducking ?? ([.mix, .pauseSpeech].contains(otherAudio) ? .minimum : .standard)
    return settings
  }
}
