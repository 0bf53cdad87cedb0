import AacornContainers
import AacornDevices
import AacornRecording
import Testing

@testable import AacornCommands

/// Libraries report the error; the command adds the option that helps.
@Suite struct AdviceTests {
  private let conversion = RecordingError.unsupportedConversion(
    sampleRate: 500, channelCount: 3, toSampleRate: 48_000, toChannelCount: 2)

  @Test func microphonesAreSoughtWithOptionsOfTheCommand() {
    let silent = CaptureError.noServer(backend: .pulseAudio, reason: "connection refused")
    let pairs: [(CaptureError, String)] = [
      (silent, "Start it, or choose another --backend."),
      (.unknownDevice(id: "x", backend: .alsa), "See “aacorn devices”."),
      (.noVoiceProcessing(reason: "it cannot"), "Record without --voice."),
      (.backendUnavailable(.coreAudio), "Choose another --backend."),
    ]
    for (error, advice) in pairs {
      #expect(error.commandSentence.hasSuffix(advice), "\(error.commandSentence)")
      #expect(!error.sentence.contains("--") && !error.sentence.contains("aacorn "), "\(error)")
      #expect(RecordingError.capture(error).commandSentence == error.commandSentence)
    }
    let none = CaptureError.nothingUsable([silent])
    #expect(none.commandSentence.contains("record a test signal with --device tone. Tried: "))
    #expect(none.sentence.contains("record a test signal instead. Tried: "))
    let named = CaptureError.nothingUsable([silent], device: "bogus").commandSentence
    #expect(named.hasPrefix("Neither the device “bogus” nor another microphone was found. Start "))
    #expect(named.contains("--device tone (“aacorn devices” lists the devices). Tried: "))
    let busy = CaptureError.deviceBusy(id: "x")
    #expect(busy.commandSentence == busy.sentence)
  }

  @Test func outputsToHearOnAreListedByTheCommand() {
    let event = MonitorEvent.refused(.unknownDevice(id: "x", backend: .alsa))
    let words = "Monitoring is not available. ALSA has no device “x”. "
    #expect(event.sentence == words + "Choose another device.")
    #expect(event.commandSentence == words + "See “aacorn devices --outputs”.")
    let told = RecorderEvent.monitor(event).commandSentence(sampleRate: 48_000)
    #expect(told?.text == event.commandSentence)
    #expect(MonitorEvent.stopped.commandSentence == nil)
  }

  @Test func withoutASoundSystemAPackageIsNamedToHearToo() {
    let errors = ["libpulse0", "libasound2"].map { package in
      PlaybackError.libraryMissing(library: "lib.so", package: package)
    }
    let none = PlaybackError.nothingUsable(errors)
    #expect(
      none.commandSentence
        == "No loudspeaker was found. Install a sound system (on Debian: libpulse0"
        + " or libasound2). Tried: the library lib.so is not installed; the library lib.so"
        + " is not installed.")
    let named = PlaybackError.nothingUsable(errors, device: "bogus").commandSentence
    #expect(
      named.hasPrefix("Neither the device “bogus” nor another loudspeaker was found. Install "))
    #expect(named.hasSuffix(" “aacorn devices --outputs” lists the outputs."))
    let heard = MonitorEvent.refused(none).commandSentence
    #expect(heard == "Monitoring is not available. " + none.commandSentence)
  }

  @Test func otherRatesAndChannelsAreOptionsOfTheCommand() {
    #expect(
      conversion.sentence
        == "The device has 500 Hz and 3 channels, which cannot be converted to 48000 Hz and 2."
        + " Choose another sampling rate, or another number of channels.")
    #expect(conversion.commandSentence.hasSuffix("and 2. Choose another --rate or --channels."))
    let missing = RecordingError.noSuchChannel(2, deviceHas: 2)
    #expect(missing.sentence == "The device has no channel 3; it has 2. Choose other channels.")
    #expect(
      missing.commandSentence.hasSuffix("it has 2. Choose other channels with --channel-map."))
    #expect(RecordingError.noThread.commandSentence == RecordingError.noThread.sentence)
  }

  @Test(arguments: OutputError.Remedy.allCases)
  func everyRemedyHasAnOptionInTheCommandOnly(remedy: OutputError.Remedy) {
    let error = OutputError(.unsupported, "“a.aac” is not as it should be.", remedy: remedy)
    #expect(error.commandSentence.hasPrefix(error.problem + " "))
    #expect(error.commandSentence.contains("--") && error.commandSentence.hasSuffix("."))
    #expect(error.sentence.hasPrefix(error.problem + " "))
    #expect(!error.sentence.contains("--") && error.sentence.hasSuffix("."))
    for failure in [RecordingError.output(error), .allOutputsFailed(error)] {
      #expect(failure.sentence == error.sentence)
      #expect(failure.commandSentence == error.commandSentence)
    }
  }

  @Test func withoutARemedyNothingIsAdded() {
    let error = OutputError(.diskFull, "The disk is full. Make room.")
    #expect(error.sentence == error.problem && error.commandSentence == error.problem)
  }

  @Test func formatsThatCannotHoldItAreAnotherOption() {
    let long = ContainerError.frameTooLong(byteCount: 9000, limit: 8191)
    #expect(
      AACFileError(long, path: "a.aac").commandSentence
        == "Cannot write “a.aac”: a frame of 9000 bytes is longer than the format allows (8191)."
        + " Choose a lower bitrate, or --format m4a.")
    let errors: [ContainerError] = [
      long, .unsupportedSampleRate(5), .unsupportedChannelConfiguration(9),
      .unsupportedObjectType(5), .unsupportedFrameLength(960), .tooManyFrames(limit: 9),
      .tagsTooLong(byteCount: 9, limit: 8), .unrecognizedCoverImage,
    ]
    for error in errors {
      #expect(!error.problem.contains("--") && error.problem.hasSuffix("."), "\(error)")
      let sentence = AACFileError(error, path: "a.aac").commandSentence
      let problem = "Cannot write “a.aac”: " + error.problem
      #expect(sentence.hasPrefix(problem) && sentence.hasSuffix("."), "\(error)")
      #expect((error.remedy == nil) == (sentence == problem), "\(error)")
    }
  }

  @Test func whatHappensMeanwhileIsToldWithOptionsToo() {
    let refused = RecorderEvent.sourceRefused(.noVoiceProcessing(reason: "it cannot"))
    #expect(
      refused.commandSentence(sampleRate: 48_000)?.text
        == "The recording continues from the previous source. Echo and noise cannot be removed: it cannot. Record"
        + " without --voice.")
    #expect(refused.sentence(sampleRate: 48_000)?.text.contains("--") == false)
    let error = OutputError(.lost, "“a.m4a” is lost.", remedy: .replaceOrRename)
    let lost = RecorderEvent.outputLost(name: "a.m4a", error)
    #expect(lost.commandSentence(sampleRate: 48_000)?.text == error.commandSentence)
    #expect(lost.sentence(sampleRate: 48_000)?.text == error.sentence)
  }
}
