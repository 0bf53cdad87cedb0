import AacornDevices
import AacornRecording
import AacornStreaming
import AacornWeb
import Testing

@testable import AacornStudio

@Suite("Errors of the studio") struct RefusalTests {
  private let old = CaptureError.libraryUnsuitable(
    library: "libpipewire-0.3.so.0", reason: "it is too old")
  private let silent = CaptureError.noServer(backend: .pulseAudio, reason: "connection refused")
  private let empty = CaptureError.noDevice(backend: .alsa)
  private let first = CaptureError.libraryMissing(library: "libpulse.so.0", package: "libpulse0")

  @Test func withoutAMicrophoneItIsSaidWhatToDoAndInShortWhy() {
    #expect(
      CaptureError.nothingUsable([old, silent, empty]).studioSentence
        == "No microphone was found. Connect one, or record a test signal instead."
        + " Tried: the library libpipewire-0.3.so.0 cannot be used (it is too old); no PulseAudio"
        + " server answers (connection refused); ALSA has no input.")
    #expect(
      CaptureError.nothingUsable([]).studioSentence
        == "No sound system was found to capture from.")
  }

  @Test func whatIsToBeDoneIsWhatIsMissing() {
    let second = CaptureError.libraryMissing(library: "libasound.so.2", package: "libasound2")
    for (errors, remedy) in [
      ([first, silent, empty], "Connect one, or"), ([first, silent], "Start a sound server, or"),
      ([first, second], "Install a sound system (on Debian: libpulse0 or libasound2), or"),
      ([old], "Connect one, or"), ([.deviceBusy(id: "x")], "Connect one, or"),
    ] {
      let sentence = CaptureError.nothingUsable(errors).studioSentence
      #expect(sentence.hasPrefix("No microphone was found. " + remedy), "\(sentence)")
    }
  }

  /// Connecting another microphone does not help if access to microphones is denied.
  @Test func whatIsNotPermittedHasToBe() {
    let denied = CaptureError.permissionDenied(id: "microphone")
    for errors in [[denied], [first, silent, denied, empty], [empty, denied]] {
      let error = CaptureError.nothingUsable(errors)
      for sentence in [error.studioSentence, error.sentence] {
        #expect(
          sentence.contains("Check the permissions of microphones (group audio), or the privacy"))
        #expect(sentence.contains("access to “microphone” is not permitted"))
        #expect(!sentence.contains("Connect one"), "\(sentence)")
      }
    }
  }

  @Test func optionsOfTheCommandAreNotForPagesNorForPrograms() {
    let errors: [CaptureError] = [
      silent, empty, old, .unknownDevice(id: "x", backend: .alsa), .deviceBusy(id: "x"),
      .permissionDenied(id: "x"), .unsupportedFormat(id: "x", reason: "it is mute"),
      .noVoiceProcessing(reason: "it cannot"), .backendUnavailable(.coreAudio),
      .system(operation: "open", id: "x", reason: "no"), .nothingUsable([silent, empty]),
    ]
    for error in errors {
      for sentence in [error.studioSentence, error.sentence] {
        #expect(!sentence.contains("--") && !sentence.contains("aacorn "), "\(sentence)")
        #expect(sentence.first?.isUppercase == true && sentence.hasSuffix("."), "\(sentence)")
      }
    }
  }

  @Test func aFullDiskHasAStatusOfItsOwn() {
    let full = OutputError(.diskFull, "The disk is full.")
    #expect(StudioRefusal(RecordingError.output(full)).status == 507)
    #expect(StudioRefusal(RecordingError.allOutputsFailed(full)).status == 507)
    #expect(StudioRefusal(RecordingError.output(OutputError(.cannotWrite, "No."))).status == 503)
  }

  /// A server's text is for the user who connected to it; the studio connects on behalf of a page.
  @Test(arguments: NetworkError.Kind.allCases)
  func whatServersSayIsNotForPages(kind: NetworkError.Kind) {
    let error = NetworkError(kind, "radio.example says: “root:x:0:0”.")
    let sentence = error.studioSentence
    // A missing library is a local error, so its text is kept.
    #expect(sentence.contains("root") == (kind == .libraryMissing))
    #expect(sentence.hasSuffix("."))
    let output = OutputError(.connection, error.sentence)
    let recording = RecordingError.allOutputsFailed(output)
    for sentence in [
      output.studioSentence("icecast://radio.example/a"), recording.studioSentence(file: nil),
      recording.studioSentence(file: "a.m4a"), StudioRefusal(recording).sentence,
    ] { #expect(!sentence.contains("root") && sentence.hasSuffix("."), "\(sentence)") }
  }

  /// Printing an error shows its message.
  @Test func printedErrorsAreSentences() {
    let words = "Port 1 is taken. Take another one."
    let output = OutputError(.exists, words)
    let errors: [any Error] = [
      NetworkError(.taken, words), output, RecordingError.output(output),
    ]
    for error in errors { #expect("\(error)" == words) }
    #expect("\(empty)" == empty.sentence && empty.sentence.hasSuffix("."))
    let capture = RecordingError.capture(silent)
    #expect("\(capture)" == silent.sentence)
  }
}
