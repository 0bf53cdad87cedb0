import AVFAudio
import AVFoundation
import Aacorn
import CoreMedia
import Foundation

// The surroundings of the code of README.md and of the articles.

/// A part of an app, such as a view controller: all code of the documents is compiled inside a type of the main
/// actor.
@MainActor enum AppCode {}

/// Represents an `AVAssetWriterInput`.
struct WriterInput {
  @discardableResult
  nonisolated func append(_ buffer: CMSampleBuffer) -> Bool { true }
}

extension AppCode {
  // MARK: README.md

  static func readme1() async throws {
    // Code README 1
    print(summary)
  }

  // MARK: Buffers of an app

  static func buffers1(from camera: [CMSampleBuffer], to input: WriterInput) throws {
    // Code BuffersOfAnApp 1
    for buffer in camera { try captureOutput(buffer) }
  }

  static func buffers2(of engine: AVAudioEngine, to path: String) async throws {
    // Code BuffersOfAnApp 2
  }

  #if !os(watchOS)
  static func buffers3(to url: URL) async throws {
    // Code BuffersOfAnApp 3
  }

  static func buffers4(_ recognize: (CMSampleBuffer) -> Void) async throws {
    // Code BuffersOfAnApp 4
  }

  static func buffers5(_ samples: [Float], _ send: (AccessUnit) -> Void) throws {
    var unit = AccessUnit()
    // Code BuffersOfAnApp 5
  }
  #endif

  // MARK: macOS in ten minutes

  static func mac1(_ device: Device) async throws {
    // Code MacOSInTenMinutes 1
    try await recorder.start()
  }

  // MARK: Articles of the modules

  static func codec1(_ samples: [Float], _ send: (AccessUnit) -> Void) throws {
    // Code AacornCodec 1
    print(trim)
  }

  static func severalCores1(
    _ configuration: AACEncoder.Configuration, _ samples: [Float]
  ) async throws {
    // Code SeveralCores 1
    print(units.count, trim)
  }

  static func devices1() throws {
    // Code AacornDevices 1
  }

  static func devices2() throws {
    // Code AacornDevices 2
  }

  static func devices3() {
    // Code AacornDevices 3
  }

  static func playback1() async throws {
    // Code AacornPlayback 1
    print(summary)
  }

  static func recording1() async throws {
    // Code AacornRecording 1
    print(summary)
  }

  static func recording2() async throws {
    // Code AacornRecording 2
    print(report)
  }

  static func recording3() async throws {
    // Code AacornRecording 3
  }

  static func effects1() throws {
    // Code Effects 1
    print(configuration.effects)
  }

  static func effects2(of recorder: Recorder) async throws {
    // Code Effects 2
  }

  static func hearingIt1() async throws {
    // Code HearingIt 1
  }

  static func loudness1() async throws {
    // Code Loudness 1
    print(summary)
  }

  static func severalSources1(_ microphone: any CaptureSource) async throws {
    // Code SeveralSources 1
  }

  static func streaming1(_ source: any CaptureSource) async throws {
    // Code AacornStreaming 1
  }

  static func streaming2(_ source: any CaptureSource, to station: IcecastConfiguration) {
    // Code AacornStreaming 2
  }

  static func streaming3() throws {
    // Code AacornStreaming 3
    _ = output
  }

  static func studio1() throws {
    // Code AacornStudio 1
  }
}
