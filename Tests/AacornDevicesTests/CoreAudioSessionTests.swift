import Testing

@testable import AacornDevices

/// The decisions about a phone's audio session.
@Suite struct CoreAudioSessionTests {
  private typealias Setup = CoreAudioSessionSetup

  private func setup(
    isVoiceProcessed: Bool = false, hasHighQualityBluetooth: Bool = true,
    _ change: (inout CoreAudioSessionOptions) -> Void = { _ in }
  ) -> CoreAudioSessionSetup {
    var choice = CoreAudioSessionOptions()
    change(&choice)
    return CoreAudioSessionSetup(
      choice, isVoiceProcessed: isVoiceProcessed, hasHighQualityBluetooth: hasHighQualityBluetooth)
  }

  // MARK: The setup

  @Test(
    arguments: [
      (.pause, []), (.mix, .mixWithOthers), (.duck, [.mixWithOthers, .duckOthers]),
      (.pauseSpeech, [.mixWithOthers, .interruptSpokenAudio]),
      (.duckAndPauseSpeech, [.mixWithOthers, .duckOthers, .interruptSpokenAudio]),
    ] as [(CoreAudioSessionOptions.OtherAudioPolicy, CoreAudioSessionSetup.Options)])
  func otherAudioPolicySetsCategoryOptions(
    otherAudio: CoreAudioSessionOptions.OtherAudioPolicy, options: CoreAudioSessionSetup.Options
  ) {
    let made = setup {
      $0.otherAudio = otherAudio
      $0.prefersSpeaker = false
      $0.playsOnBluetooth = false
    }
    #expect(made.options == options)
  }

  @Test func voiceProcessingPlaysAndTheModeForCallsNeedsBluetooth() {
    #expect(setup(isVoiceProcessed: true) { $0.category = .record }.category == .playAndRecord)
    #expect(setup(isVoiceProcessed: true).mode == .standard)
    #expect(setup(isVoiceProcessed: true) { $0.bluetooth = .handsFree }.mode == .voiceChat)
    // A requested mode takes precedence.
    let measuring = setup(isVoiceProcessed: true) {
      $0.bluetooth = .handsFree
      $0.mode = .measurement
    }
    #expect(measuring.mode == .measurement)
  }

  @Test func callsExcludeAirPlay() {
    typealias Options = CoreAudioSessionSetup.Options
    let both: Options = [.allowBluetoothA2DP, .allowAirPlay]
    #expect(setup { $0.mode = .spokenAudio }.options.isSuperset(of: both))
    let calls =
      [setup(isVoiceProcessed: true)]
      + [.voiceChat, .videoChat].map { mode in setup { $0.mode = mode } }
    #expect(calls.allSatisfy { $0.options.intersection(both) == .allowBluetoothA2DP })
    // A setup that this library would not use, but an app may have left it.
    let call = Setup(category: .record, mode: .voiceChat)
    #expect(
      Setup.playing(over: call)?.options.intersection(both) == .allowBluetoothA2DP)
  }

  @Test func fullBandwidthIsAskedForWhereItExists() {
    typealias Options = CoreAudioSessionSetup.Options
    let both: Options = [.allowBluetoothHFP, .bluetoothHighQualityRecording]
    #expect(setup { $0.bluetooth = .highQuality }.options.isSuperset(of: both))
    let elsewhere = [
      setup(hasHighQualityBluetooth: false) { $0.bluetooth = .highQuality },
      setup(isVoiceProcessed: true) { $0.bluetooth = .highQuality },
      setup {
        $0.bluetooth = .highQuality
        $0.mode = .videoRecording
      },
      setup {
        $0.bluetooth = .highQuality
        $0.category = .record
      },
    ]
    for setup in elsewhere {
      #expect(setup.options.contains(.allowBluetoothHFP))
      #expect(!setup.options.contains(.bluetoothHighQualityRecording))
    }
  }

  @Test func unchangedSetupIsKept() {
    let wanted = setup()
    #expect(wanted.mustBeSet(over: nil, last: nil))
    #expect(wanted.mustBeSet(over: Setup(category: .playback), last: nil))
    #expect(!wanted.mustBeSet(over: wanted, last: nil))
    // An option of the app is removed once; an option of the system stays.
    var present = wanted
    present.options.insert(.duckOthers)
    #expect(wanted.mustBeSet(over: present, last: nil))
    #expect(!wanted.mustBeSet(over: present, last: wanted))
    // After a reset of the audio service.
    #expect(wanted.mustBeSet(over: Setup(category: .soloAmbient), last: wanted))
    present.mode = .measurement
    #expect(wanted.mustBeSet(over: present, last: wanted))
  }

  @Test func playbackChangesOnlyWhatDoesNotPlay() {
    #expect(Setup.playing(over: Setup(category: .soloAmbient)) == Setup(category: .playback))
    #expect(
      Setup.playing(over: Setup(category: .record, options: .allowBluetoothHFP))
        == Setup(
          category: .playAndRecord,
          options: [
            .allowBluetoothHFP, .defaultToSpeaker, .allowBluetoothA2DP, .allowAirPlay,
          ]))
    for category in [Setup.Category.ambient, .playback, .playAndRecord, .multiRoute] {
      #expect(Setup.playing(over: Setup(category: category)) == nil)
    }
    #expect(Setup.playing(over: nil) == nil)
  }

  @Test func settingAppOptionsKeepsInitializerDefaults() {
    let before = CoreAudioSessionOptions.forApp
    defer { CoreAudioSessionOptions.forApp = before }
    CoreAudioSessionOptions.forApp = .manual
    #expect(CoreAudioSessionOptions.forApp.control == .manual)
    #expect(CoreAudioSessionOptions().control == .managed)
  }

  // MARK: Users of the session

  private let first = User()
  private let second = User()

  @Test func whileTheAppPlaysNothingIsDeactivated() {
    var users = CoreAudioSessionUsers()
    users.hold()
    #expect(users.join(first) == true)
    users.activate()
    users.hold()
    #expect(users.leave(first) == .nothing)
    #expect(users.release() == .nothing)
    // The first user's finding about the app's setup still applies to a later user.
    #expect(users.join(second, appHasChosen: true) == false)
    #expect(users.leave(second) == .nothing)
    #expect(users.release() == .restore(deactivated: true))
    users.hold()
    #expect(users.release() == .nothing)
  }

  // MARK: The input

  @Test func pinnedInputIsRequiredAndKindIsPreferred() {
    typealias Port = CoreAudioInputPort
    let ports = [
      Port(id: "mic", kind: .builtInMicrophone), Port(id: "usb", kind: .usb), Port(id: "other"),
    ]
    func decision(_ pinnedID: String?, _ kind: CoreAudioSessionOptions.Input?) -> Port.Decision {
      Port.decision(pinnedID: pinnedID, kind: kind, among: ports, presentID: "mic")
    }
    #expect(decision(nil, nil) == .keep)
    #expect(decision("mic", nil) == .keep)
    #expect(decision("other", .usb) == .take(id: "other"))
    #expect(decision("gone", nil) == .fail)
    #expect(decision(nil, .builtInMicrophone) == .keep)
    #expect(decision(nil, .usb) == .take(id: "usb"))
    #expect(decision(nil, .car) == .useDefault)
    // The current input may be missing from the list of inputs.
    #expect(Port.decision(pinnedID: "mic", kind: nil, among: [], presentID: "mic") == .keep)
  }

  @Test func aMicrophoneIsChosenByPlaceAndPattern() {
    let sources = [
      CoreAudioDataSource(position: .bottom),
      CoreAudioDataSource(position: .front, patterns: [.omnidirectional, .cardioid]),
      CoreAudioDataSource(position: .back, patterns: [.stereo, .cardioid]),
    ]
    #expect(CoreAudioMicrophone().index(among: sources) == 0)
    #expect(CoreAudioMicrophone(pattern: .cardioid).index(among: sources) == 1)
    #expect(CoreAudioMicrophone(position: .back, pattern: .cardioid).index(among: sources) == 2)
    #expect(CoreAudioMicrophone.stereo(.landscapeLeft).index(among: sources) == 2)
    #expect(CoreAudioMicrophone.stereo(.portrait, from: .front).index(among: sources) == nil)
    #expect(CoreAudioMicrophone(position: .top).index(among: sources) == nil)
    #expect(CoreAudioMicrophone().index(among: []) == nil)
  }
}

/// A user of the session with an identity.
private final class User {}

extension CoreAudioSessionUsers {
  fileprivate mutating func join(
    _ user: User, appHasChosen: Bool = false
  ) -> Bool {
    join(ObjectIdentifier(user), appHasChosen: appHasChosen, deactivates: true)
  }

  fileprivate mutating func leave(_ user: User) -> Ending { leave(ObjectIdentifier(user)) }
}
