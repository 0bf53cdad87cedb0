/// What a session is set up as, and the decisions about that.
struct CoreAudioSessionSetup: Sendable, Equatable {
  /// The categories of the system.
  enum Category: Sendable, Equatable {
    case ambient
    /// What every app begins with.
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
  var mode: CoreAudioSessionChoice.Mode = .standard
  var options: Options = []
}

extension CoreAudioSessionSetup {
  /// The setup for a capture.
  ///
  /// `hasHighQualityBluetooth` tells whether the system knows that option.
  init(
    _ choice: CoreAudioSessionChoice, isVoiceProcessed: Bool, hasHighQualityBluetooth: Bool
  ) {
    // The system has neither voice processing nor modes for calls in a category that only captures.
    let plays =
      choice.category == .playAndRecord || isVoiceProcessed || choice.mode?.isForCalls == true
    category = plays ? .playAndRecord : .record
    // The mode for calls admits Bluetooth headsets by itself, so it is chosen only if they are
    // wanted; the unit removes echo and noise in any mode.
    let isCall = isVoiceProcessed && choice.bluetooth != .off
    mode = choice.mode ?? (isCall ? .voiceChat : .standard)
    if plays {
      // The system refuses these in a category that only captures.
      options.formUnion(Self.options(for: choice.others))
      if choice.prefersSpeaker { options.insert(.defaultToSpeaker) }
      if choice.playsOnBluetooth {
        options.formUnion(Self.radioPlayback(in: mode, isVoiceProcessed: isVoiceProcessed))
      }
    }
    if choice.bluetooth != .off { options.insert(.allowBluetoothHFP) }
    if choice.capturesWhileMuted { options.insert(.overrideMutedMicrophone) }
    if choice.bluetooth == .highQuality && hasHighQualityBluetooth && plays && mode == .standard {
      options.insert(.bluetoothHighQualityRecording)
    }
  }

  /// The setup for playback in a session that is set up like this; nil if that plays as it is.
  ///
  /// Every category but these two plays, and was chosen by the app or by a source.
  static func playing(over present: CoreAudioSessionSetup?) -> CoreAudioSessionSetup? {
    switch present?.category {
    case .soloAmbient: CoreAudioSessionSetup(category: .playback)
    // From the loudspeaker rather than from the earpiece, and by radio where something is connected.
    case .record:
      CoreAudioSessionSetup(
        category: .playAndRecord, mode: present?.mode ?? .standard,
        options: (present?.options ?? [])
          .union(radioPlayback(in: present?.mode ?? .standard))
          .union(.defaultToSpeaker))
    default: nil
    }
  }

  /// This setup, or the `last` one by this library if that is the same but lets targets play as
  /// well: a source that comes back after an interruption must not silence them.
  func besides(_ last: CoreAudioSessionSetup?) -> CoreAudioSessionSetup {
    guard let last, category == .record, last.category == .playAndRecord, last.mode == mode,
      last.options.isSuperset(of: options)
    else { return self }
    return last
  }

  /// Whether a session that is set up as `present` (nil if that is none of ours) has to be set up
  /// as this; `last` is what it was set up as by this library.
  ///
  /// Setting what is already so would be a change of route each time, for the app and for others.
  /// The system adds and drops options as it likes, so those count only the first time.
  func mustBeSet(over present: CoreAudioSessionSetup?, last: CoreAudioSessionSetup?) -> Bool {
    guard let present else { return true }
    if last != self { return present != self }
    return present.category != category || present.mode != mode
  }

  /// What keeps sound where it plays already: otherwise a capture would move it, that of other apps
  /// as well, to the phone's own loudspeaker.
  ///
  /// AirPlay is not for calls, and what it plays seconds later is an echo that nothing removes.
  private static func radioPlayback(
    in mode: CoreAudioSessionChoice.Mode, isVoiceProcessed: Bool = false
  ) -> Options {
    isVoiceProcessed || mode.isForCalls
      ? .allowBluetoothA2DP : [.allowBluetoothA2DP, .allowAirPlay]
  }

  /// The mixable options include mixing, as the system reports them.
  private static func options(for others: CoreAudioSessionChoice.Others) -> Options {
    switch others {
    case .pause: []
    case .mix: .mixWithOthers
    case .duck: [.mixWithOthers, .duckOthers]
    case .pauseSpeech: [.mixWithOthers, .interruptSpokenAudio]
    case .duckAndPauseSpeech: [.mixWithOthers, .duckOthers, .interruptSpokenAudio]
    }
  }
}
