#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio
#endif

/// The category, mode and options of a session, and the rules for choosing them.
struct CoreAudioSessionSetup: Sendable, Equatable {
  /// The categories of the system.
  enum Category: Sendable, Equatable, CaseIterable {
    case ambient
    /// The category of every app at launch.
    case soloAmbient
    case playback
    case record
    case playAndRecord
    case multiRoute
  }

  /// The options of a category, with the numbers of `AVAudioSession.CategoryOptions`.
  struct Options: OptionSet, Sendable {
    let rawValue: UInt

    static let mixWithOthers = Options(rawValue: 0x1)
    static let duckOthers = Options(rawValue: 0x2)
    static let allowBluetoothHFP = Options(rawValue: 0x4)
    static let defaultToSpeaker = Options(rawValue: 0x8)
    static let interruptSpokenAudio = Options(rawValue: 0x10)
    static let allowBluetoothA2DP = Options(rawValue: 0x20)
    static let allowAirPlay = Options(rawValue: 0x40)
    static let overrideMutedMicrophone = Options(rawValue: 0x80)
    static let bluetoothHighQualityRecording = Options(rawValue: 1 << 19)
  }

  var category: Category
  var mode: CoreAudioSessionOptions.Mode = .standard
  var options: Options = []
}

extension CoreAudioSessionSetup {
  /// Creates the setup for a capture.
  ///
  /// `hasHighQualityBluetooth` states whether the system supports that option.
  init(
    _ choice: CoreAudioSessionOptions, isVoiceProcessed: Bool, hasHighQualityBluetooth: Bool
  ) {
    // The system has neither voice processing nor modes for calls in a category that only captures.
    let plays =
      choice.category == .playAndRecord || isVoiceProcessed || choice.mode?.isForCalls == true
    category = plays ? .playAndRecord : .record
    // The mode for calls allows Bluetooth headsets by itself, so it is chosen only if they are
    // requested; the unit removes echo and noise in any mode.
    let isCall = isVoiceProcessed && choice.bluetooth != .off
    mode = choice.mode ?? (isCall ? .voiceChat : .standard)
    if plays {
      // The system rejects these options in a category that only captures.
      options.formUnion(Self.options(for: choice.otherAudio))
      if choice.prefersSpeaker { options.insert(.defaultToSpeaker) }
      if choice.playsOnBluetooth {
        options.formUnion(
          Self.wirelessPlaybackOptions(in: mode, isVoiceProcessed: isVoiceProcessed))
      }
    }
    if choice.bluetooth != .off { options.insert(.allowBluetoothHFP) }
    if choice.capturesWhileMuted { options.insert(.overrideMutedMicrophone) }
    if choice.bluetooth == .highQuality && hasHighQualityBluetooth && plays && mode == .standard {
      options.insert(.bluetoothHighQualityRecording)
    }
  }

  /// Returns the setup for playback in a session with this setup; nil if it plays unchanged.
  ///
  /// The categories `record` and `soloAmbient` need another setup. The app or a source has chosen
  /// any other category, so it stays.
  static func playing(over present: CoreAudioSessionSetup?) -> CoreAudioSessionSetup? {
    switch present?.category {
    case .soloAmbient: CoreAudioSessionSetup(category: .playback)
    // Use the loudspeaker rather than the earpiece, and a connected wireless output.
    case .record:
      CoreAudioSessionSetup(
        category: .playAndRecord, mode: present?.mode ?? .standard,
        options: (present?.options ?? [])
          .union(wirelessPlaybackOptions(in: present?.mode ?? .standard))
          .union(.defaultToSpeaker))
    default: nil
    }
  }

  /// Returns this setup, or `last` if that differs only by also allowing playback.
  ///
  /// `last` is this library's previous setup of the session. A source that resumes after an
  /// interruption must not silence targets.
  func keepingPlayback(of last: CoreAudioSessionSetup?) -> CoreAudioSessionSetup {
    guard let last, category == .record, last.category == .playAndRecord, last.mode == mode,
      last.options.isSuperset(of: options)
    else { return self }
    return last
  }

  /// Whether a session with the setup `present` must be changed to this setup.
  ///
  /// `present` is nil if this library cannot represent it; `last` is this library's last setup of
  /// the session. Setting an unchanged setup would be a change of route each time, for this app and
  /// for others. The system adds and drops options at will, so options are compared only as long as
  /// `last` differs from this setup.
  func mustBeSet(over present: CoreAudioSessionSetup?, last: CoreAudioSessionSetup?) -> Bool {
    guard let present else { return true }
    if last != self { return present != self }
    return present.category != category || present.mode != mode
  }

  /// Returns the options that keep playback on its current wireless output.
  ///
  /// Otherwise a capture would move playback, also of other apps, to the phone's own loudspeaker.
  /// Calls cannot use AirPlay: it plays seconds later, and that echo cannot be removed.
  private static func wirelessPlaybackOptions(
    in mode: CoreAudioSessionOptions.Mode, isVoiceProcessed: Bool = false
  ) -> Options {
    isVoiceProcessed || mode.isForCalls
      ? .allowBluetoothA2DP : [.allowBluetoothA2DP, .allowAirPlay]
  }

  /// Returns the options for other apps.
  ///
  /// The options that imply mixing also contain `mixWithOthers`, because the system reports them
  /// so.
  private static func options(for otherAudio: CoreAudioSessionOptions.OtherAudioPolicy) -> Options {
    switch otherAudio {
    case .pause: []
    case .mix: .mixWithOthers
    case .duck: [.mixWithOthers, .duckOthers]
    case .pauseSpeech: [.mixWithOthers, .interruptSpokenAudio]
    case .duckAndPauseSpeech: [.mixWithOthers, .duckOthers, .interruptSpokenAudio]
    }
  }
}

#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
extension CoreAudioSessionSetup {
  /// Whether the system supports Bluetooth microphones with full bandwidth; Mac Catalyst does not.
  static var hasHighQualityBluetooth: Bool {
    #if os(iOS) && !targetEnvironment(macCatalyst)
    if #available(iOS 26.0, *) { true } else { false }
    #else
    false
    #endif
  }

  /// Reads the current setup; nil if this library cannot represent it.
  init?(_ session: AVAudioSession) {
    guard let category = Category(session.category),
      let mode = CoreAudioSessionOptions.Mode(session.mode)
    else { return nil }
    self.init(
      category: category, mode: mode, options: Options(rawValue: session.categoryOptions.rawValue))
  }
}

extension CoreAudioSessionSetup.Category {
  /// Converts a category from the system's type; nil if it is unknown.
  init?(_ category: AVAudioSession.Category) {
    guard let own = Self.allCases.first(where: { $0.ofSystem == category }) else { return nil }
    self = own
  }

  /// The category in the system's type.
  var ofSystem: AVAudioSession.Category {
    switch self {
    case .ambient: .ambient
    case .soloAmbient: .soloAmbient
    case .playback: .playback
    case .record: .record
    case .playAndRecord: .playAndRecord
    case .multiRoute: .multiRoute
    }
  }
}

extension CoreAudioSessionOptions.Mode {
  /// Converts a mode from the system's type; nil if this library does not use it.
  init?(_ mode: AVAudioSession.Mode) {
    guard let own = Self.allCases.first(where: { $0.ofSystem == mode }) else { return nil }
    self = own
  }

  /// The mode in the system's type.
  var ofSystem: AVAudioSession.Mode {
    switch self {
    case .standard: .default
    case .measurement: .measurement
    case .videoRecording: .videoRecording
    case .voiceChat: .voiceChat
    case .videoChat: .videoChat
    case .spokenAudio: .spokenAudio
    }
  }
}

extension CoreAudioSessionSetup.Options {
  /// The options in the system's type, without options that the system does not support.
  var ofSystem: AVAudioSession.CategoryOptions {
    var options: AVAudioSession.CategoryOptions = []
    if contains(.mixWithOthers) { options.insert(.mixWithOthers) }
    if contains(.duckOthers) { options.insert(.duckOthers) }
    if contains(.interruptSpokenAudio) { options.insert(.interruptSpokenAudioAndMixWithOthers) }
    if #available(tvOS 17.0, *), contains(.allowBluetoothHFP) { options.insert(.allowBluetoothHFP) }
    if contains(.allowBluetoothA2DP) { options.insert(.allowBluetoothA2DP) }
    if contains(.allowAirPlay) { options.insert(.allowAirPlay) }
    #if !os(tvOS)
    if contains(.defaultToSpeaker) { options.insert(.defaultToSpeaker) }
    if contains(.overrideMutedMicrophone) { options.insert(.overrideMutedMicrophoneInterruption) }
    #endif
    #if os(iOS) && !targetEnvironment(macCatalyst)
    if #available(iOS 26.0, *), contains(.bluetoothHighQualityRecording) {
      options.insert(.bluetoothHighQualityRecording)
    }
    #endif
    return options
  }
}
#endif
