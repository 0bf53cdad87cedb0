#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio

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
    switch category {
    case .ambient: self = .ambient
    case .soloAmbient: self = .soloAmbient
    case .playback: self = .playback
    case .record: self = .record
    case .playAndRecord: self = .playAndRecord
    case .multiRoute: self = .multiRoute
    default: return nil
    }
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
    switch mode {
    case .default: self = .standard
    case .measurement: self = .measurement
    case .videoRecording: self = .videoRecording
    case .voiceChat: self = .voiceChat
    case .videoChat: self = .videoChat
    case .spokenAudio: self = .spokenAudio
    default: return nil
    }
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
