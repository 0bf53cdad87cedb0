import AacornContainers
import AacornDevices
import AacornPlayback
import AacornRecording
import Testing

@testable import AacornCommands

/// Libraries report the error; the command adds the option that helps.
@Suite struct RecoverySuggestionTests {
  private let conversion = RecordingError.unsupportedConversion(
    sampleRate: 500, channelCount: 3, toSampleRate: 48_000, toChannelCount: 2)

  @Test func microphonesAreSoughtWithOptionsOfTheCommand() {
    let silent = DeviceError.noServer(backend: .pulseAudio, reason: "connection refused")
    let pairs: [(DeviceError, String)] = [
      (silent, "Start it, or choose another --backend."),
      (.unknownDevice(id: "x", backend: .alsa), "See “aacorn devices”."),
      (.noVoiceProcessing(reason: "it cannot"), "Record without --voice."),
      (.backendUnavailable(.coreAudio), "Choose another --backend."),
      (
        .libraryUnsuitable(library: "x.so", reason: "it is old"),
        "is unsuitable: it is old. Update it, or select a sound system with --backend."
      ),
    ]
    for (error, advice) in pairs {
      let message = error.commandMessage(for: .capture)
      #expect(message.hasSuffix(advice), "\(message)")
      #expect(!error.message.contains("--") && !error.message.contains("aacorn "), "\(error)")
      #expect(RecordingError.capture(error).commandMessage == message)
    }
    let none = DeviceError.nothingUsable(for: .capture, [silent])
    #expect(
      none.commandMessage(for: .capture).contains(
        "record a test signal with --device tone. Tried: "))
    #expect(none.message.contains("record a test signal instead. Tried: "))
    let named = DeviceError.nothingUsable(for: .capture, [silent], device: "bogus")
      .commandMessage(for: .capture)
    #expect(named.hasPrefix("Neither the device “bogus” nor another microphone was found. Start "))
    #expect(named.contains("--device tone (“aacorn devices” lists the devices). Tried: "))
    let busy = DeviceError.deviceBusy(id: "x")
    #expect(busy.commandMessage(for: .capture) == busy.message)
  }

  @Test func unknownMonitorDeviceMessageNamesDevicesCommand() {
    let event = MonitorEvent.refused(.unknownDevice(id: "x", backend: .alsa))
    let words = "Monitoring is not available. ALSA has no device “x”. "
    #expect(event.message == words + "Choose another device.")
    #expect(event.commandMessage == words + "See “aacorn devices --outputs”.")
    let message = RecorderEvent.monitor(event).commandMessage(sampleRate: 48_000)
    #expect(message?.text == event.commandMessage)
    #expect(MonitorEvent.stopped.commandMessage == nil)
  }

  @Test func missingSoundSystemMessageNamesPackages() {
    let errors = ["libpulse0", "libasound2"].map { package in
      DeviceError.libraryMissing(library: "lib.so", package: package)
    }
    let none = DeviceError.nothingUsable(for: .playback, errors)
    #expect(
      none.commandMessage(for: .playback)
        == "No loudspeaker was found. Install a sound system (on Debian: libpulse0"
        + " or libasound2). Tried: the library lib.so is not installed; the library lib.so"
        + " is not installed.")
    let named = DeviceError.nothingUsable(for: .playback, errors, device: "bogus")
      .commandMessage(for: .playback)
    #expect(
      named.hasPrefix("Neither the device “bogus” nor another loudspeaker was found. Install "))
    #expect(named.hasSuffix(" “aacorn devices --outputs” lists the outputs."))
    #expect(
      none.playMessage.hasPrefix(
        "No loudspeaker was found. Install a sound system (on Debian: libpulse0 or libasound2), or "
          + "use --device null to play without sound. Tried: "))
    #expect(PlayerError.playback(none).commandMessage == none.playMessage)
    let monitorMessage = MonitorEvent.refused(none).commandMessage
    #expect(monitorMessage == "Monitoring is not available. " + none.commandMessage(for: .playback))
  }

  @Test func otherRatesAndChannelsAreOptionsOfTheCommand() {
    #expect(
      conversion.message
        == "The device has 500 Hz and 3 channels, which cannot be converted to 48000 Hz and 2."
        + " Choose another sampling rate, or another number of channels.")
    #expect(conversion.commandMessage.hasSuffix("and 2. Choose another --rate or --channels."))
    let missing = RecordingError.noSuchChannel(2, deviceHas: 2)
    #expect(missing.message == "The device has no channel 3; it has 2. Choose other channels.")
    #expect(
      missing.commandMessage.hasSuffix("it has 2. Choose other channels with --channel-map."))
    #expect(RecordingError.noThread.commandMessage == RecordingError.noThread.message)
  }

  @Test(arguments: OutputError.RecoveryAction.allCases)
  func everyRemedyHasAnOptionInTheCommandOnly(remedy: OutputError.RecoveryAction) {
    let error = OutputError(.unsupported, "“a.aac” is not as it should be.", recoveryAction: remedy)
    #expect(error.commandMessage.hasPrefix(error.problem + " "))
    let namesCommand = ["--", "aacorn "].contains { error.commandMessage.contains($0) }
    #expect(namesCommand && error.commandMessage.hasSuffix("."))
    #expect(error.message.hasPrefix(error.problem + " "))
    let isNeutral = !["--", "aacorn "].contains { error.message.contains($0) }
    #expect(isNeutral && error.message.hasSuffix("."))
    for failure in [RecordingError.output(error), .allOutputsFailed(error)] {
      #expect(failure.message == error.message)
      #expect(failure.commandMessage == error.commandMessage)
    }
  }

  @Test func withoutARemedyNothingIsAdded() {
    let error = OutputError(.diskFull, "The disk is full. Make room.")
    #expect(error.message == error.problem && error.commandMessage == error.problem)
  }

  /// A recording's name may contain anything.
  @Test func outputErrorEscapesControlCharactersOnce() {
    let error = OutputError(.exists, "“a\u{1B}[31m\nb” already exists.")
    #expect(error.problem == "“a\\x1b[31m\\x0ab” already exists.")
    #expect(OutputError(error.kind, error.problem) == error)
  }

  @Test func formatsThatCannotHoldItAreAnotherOption() {
    let long = ContainerError.frameTooLong(byteCount: 9000, limit: 8191)
    #expect(
      AACFileError(long, path: "a.aac").commandMessage
        == "Cannot write “a.aac”: a frame of 9000 bytes is longer than the format allows (8191)."
        + " Choose a lower bitrate, or a name that ends in .m4a without --format.")
    let errors: [ContainerError] = [
      long, .unsupportedSampleRate(5), .unsupportedChannelConfiguration(9),
      .unsupportedObjectType(5), .unsupportedFrameLength(960), .tooManyFrames(limit: 9),
      .tagsTooLong(byteCount: 9, limit: 8), .unrecognizedCoverImage,
    ]
    for error in errors {
      #expect(!error.problem.contains("--") && error.problem.hasSuffix("."), "\(error)")
      let message = AACFileError(error, path: "a.aac").commandMessage
      let problem = "Cannot write “a.aac”: " + error.problem
      #expect(message.hasPrefix(problem) && message.hasSuffix("."), "\(error)")
      #expect((error.recoveryAction == nil) == (message == problem), "\(error)")
    }
  }

  @Test func eventMessagesNameCommandOptions() {
    let refused = RecorderEvent.sourceRefused(.noVoiceProcessing(reason: "it cannot"))
    #expect(
      refused.commandMessage(sampleRate: 48_000)?.text
        == "The recording continues from the previous source. Echo and noise cannot be removed: it cannot. Record"
        + " without --voice.")
    #expect(refused.message(sampleRate: 48_000)?.text.contains("--") == false)
    let error = OutputError(.lost, "“a.m4a” is lost.", recoveryAction: .replaceOrRename)
    let lost = RecorderEvent.outputLost(name: "a.m4a", error)
    #expect(lost.commandMessage(sampleRate: 48_000)?.text == error.commandMessage)
    #expect(lost.message(sampleRate: 48_000)?.text == error.message)
  }
}
