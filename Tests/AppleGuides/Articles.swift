import AVFAudio
import Aacorn
import CoreMedia

// The code around the examples of README.md and of the articles.

// MARK: README.md

@MainActor func readme1() async throws {
  // Code README 1
  print(summary)
}

// MARK: Buffers of an app

/// Stands for an `AVAssetWriterInput`.
struct WriterInput {
  @discardableResult
  func append(_ buffer: CMSampleBuffer) -> Bool { true }
}

func buffers1(from camera: [CMSampleBuffer], to input: WriterInput) throws {
  // Code BuffersOfAnApp 1
  for buffer in camera { try captureOutput(buffer) }
}

func buffers2(of engine: AVAudioEngine) async throws {
  // Code BuffersOfAnApp 2
}

#if !os(watchOS)
func buffers3(_ samples: [Float], _ send: (AccessUnit) -> Void) throws {
  var unit = AccessUnit()
  // Code BuffersOfAnApp 3
}
#endif

// MARK: macOS in ten minutes

func mac1(_ device: CaptureDevice) async throws {
  // Code MacOSInTenMinutes 1
  try await recorder.start()
}

// MARK: Articles of the modules

func codec1(_ samples: [Float], _ send: (AccessUnit) -> Void) throws {
  // Code AacornCodec 1
  print(trim)
}

func severalCores1(_ configuration: AACEncoder.Configuration, _ samples: [Float]) async throws {
  // Code SeveralCores 1
  print(units.count, trim)
}

func devices1() throws {
  // Code AacornDevices 1
}

func devices2() throws {
  // Code AacornDevices 2
}

func devices3() {
  // Code AacornDevices 3
}

func playback1() async throws {
  // Code AacornPlayback 1
  print(summary)
}

func recording1() async throws {
  // Code AacornRecording 1
  print(summary)
}

func recording2() async throws {
  // Code AacornRecording 2
  print(report)
}

func recording3() async throws {
  // Code AacornRecording 3
}

func effects1() throws {
  // Code Effects 1
  print(configuration.effects)
}

func effects2(of recorder: Recorder) async throws {
  // Code Effects 2
}

func hearingIt1() async throws {
  // Code HearingIt 1
}

func loudness1() async throws {
  // Code Loudness 1
  print(summary)
}

func severalSources1(_ microphone: any CaptureSource) async throws {
  // Code SeveralSources 1
}

func streaming1(_ source: any CaptureSource) async throws {
  // Code AacornStreaming 1
}

func streaming2(_ source: any CaptureSource, to station: IcecastConfiguration) {
  // Code AacornStreaming 2
}

func streaming3() throws {
  // Code AacornStreaming 3
  _ = output
}

func studio1() throws {
  // Code AacornStudio 1
}
