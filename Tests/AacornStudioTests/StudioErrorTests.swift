import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import Testing

@testable import AacornStudio

@Suite("Errors of the studio") struct StudioErrorTests {
  private let old = DeviceError.libraryUnsuitable(
    library: "libpipewire-0.3.so.0", reason: "it is too old")
  private let silent = DeviceError.noServer(backend: .pulseAudio, reason: "connection refused")
  private let empty = DeviceError.noDevice(for: .capture, backend: .alsa)
  private let first = DeviceError.libraryMissing(library: "libpulse.so.0", package: "libpulse0")

  @Test func missingMicrophoneErrorStatesRemedyAndReason() {
    #expect(
      DeviceError.nothingUsable(for: .capture, [old, silent, empty]).pageMessage
        == "No microphone was found. Connect one, or record a test signal instead."
        + " Tried: the library libpipewire-0.3.so.0 is unsuitable: it is too old; no PulseAudio"
        + " server answers (connection refused); ALSA has no input.")
    #expect(
      DeviceError.nothingUsable(for: .capture, []).pageMessage
        == "No microphone was found. Connect one, or record a test signal instead.")
  }

  @Test func suggestionMatchesMissingDependency() {
    let second = DeviceError.libraryMissing(library: "libasound.so.2", package: "libasound2")
    for (errors, remedy) in [
      ([first, silent, empty], "Connect one, or"), ([first, silent], "Start a sound server, or"),
      ([first, second], "Install a sound system (on Debian: libpulse0 or libasound2), or"),
      ([old], "Connect one, or"), ([.deviceBusy(id: "x")], "Connect one, or"),
    ] {
      let message = DeviceError.nothingUsable(for: .capture, errors).pageMessage
      #expect(message.hasPrefix("No microphone was found. " + remedy), "\(message)")
    }
  }

  /// Connecting another microphone does not help if access to microphones is denied.
  @Test func deniedPermissionTakesPrecedence() {
    let denied = DeviceError.permissionDenied(id: "microphone")
    for errors in [[denied], [first, silent, denied, empty], [empty, denied]] {
      let error = DeviceError.nothingUsable(for: .capture, errors)
      for message in [error.pageMessage, error.message] {
        #expect(
          message.contains("Check the permissions of sound devices (group audio), or the privacy"))
        #expect(message.contains("access to “microphone” is not permitted"))
        #expect(!message.contains("Connect one"), "\(message)")
      }
    }
  }

  @Test func messagesOmitCommandOptions() {
    let errors: [DeviceError] = [
      silent, empty, old, .unknownDevice(id: "x", backend: .alsa), .deviceBusy(id: "x"),
      .permissionDenied(id: "x"), .unsupportedFormat(id: "x", reason: "it is mute"),
      .noVoiceProcessing(reason: "it cannot"), .backendUnavailable(.coreAudio),
      .system(operation: "open", id: "x", reason: "no"),
      .nothingUsable(for: .capture, [silent, empty]),
    ]
    for error in errors {
      for message in [error.pageMessage, error.message] {
        #expect(!message.contains("--") && !message.contains("aacorn "), "\(message)")
        #expect(message.first?.isUppercase == true && message.hasSuffix("."), "\(message)")
      }
    }
  }

  @Test func fullDiskHasOwnStatus() {
    let full = OutputError(.diskFull, "The disk is full.")
    #expect(StudioError(RecordingError.output(full)).status == 507)
    #expect(StudioError(RecordingError.allOutputsFailed(full)).status == 507)
    #expect(StudioError(RecordingError.output(OutputError(.cannotWrite, "No."))).status == 503)
  }

  /// A server's text is for the user who connected to it; the studio connects on behalf of a page.
  @Test(arguments: NetworkError.Kind.allCases)
  func serverTextIsHiddenFromPages(kind: NetworkError.Kind) {
    let error = NetworkError(kind, "radio.example says: “root:x:0:0”.")
    let message = error.pageMessage
    // A missing library is a local error, so its text is kept.
    #expect(message.contains("root") == (kind == .libraryMissing))
    #expect(message.hasSuffix("."))
    let output = OutputError(.connection, error.message)
    let recording = RecordingError.allOutputsFailed(output)
    for message in [
      output.pageMessage("icecast://radio.example/a"), recording.pageMessage(file: nil),
      recording.pageMessage(file: "a.m4a"), StudioError(recording).message,
    ] { #expect(!message.contains("root") && message.hasSuffix("."), "\(message)") }
  }

  /// Printing an error shows its message.
  @Test func printedErrorsAreMessages() {
    let words = "Port 1 is taken. Take another one."
    let output = OutputError(.exists, words)
    let errors: [any Error] = [
      NetworkError(.taken, words), output, RecordingError.output(output),
    ]
    for error in errors { #expect("\(error)" == words) }
    #expect("\(empty)" == empty.message && empty.message.hasSuffix("."))
    let capture = RecordingError.capture(silent)
    #expect("\(capture)" == silent.message)
  }
}
