import Aacorn
import Foundation

// The surroundings of the code of the articles for readers of tutorials.

extension AppCode {
  static func capture1() async throws {
    // Code CaptureToAAC 1
    for await event in recorder.events { print(event) }
    await recorder.stop()
  }

  #if !os(watchOS)
  static func capture2(to file: FileHandle) async throws {
    // Code CaptureToAAC 2
    encoder.finish()
  }
  #endif

  static func capture3() {
    var choice = CoreAudioSessionOptions()
    choice.mode = .videoRecording
    CoreAudioSessionOptions.forApp = choice
  }

  static func live1() async throws {
    // Code ComingFromLFLiveKit 1
    for await packet in recorder.packets { print(packet.position) }
    for await event in recorder.events {
      if case .deviceLost = event { await recorder.resume() }
    }
    await recorder.stop()
  }

  static func microphone1(to path: String) async throws {
    // Code MicrophoneWithoutEcho 1
    do throws(RecordingError) { try await recorder.start() } catch { print(error.message) }
    await recorder.stop()
  }

  static func microphone2(_ voice: TrackSource, _ music: TrackSource) {
    _ = Recorder(from: [voice, music])
  }

  static func files1(in folder: URL) async throws {
    // Code ConvertFiles 1
  }

  static func files2(in folder: URL) throws {
    // Code ConvertFiles 2
    print(try SoundFileReader("audio.caf").info.sampleRate)
  }

  #if !os(watchOS)
  static func system1(_ samples: [Float]) throws {
    // Code AudioToolboxInDetail 1
    let profile: SystemEncoderConfiguration.Profile = encoder.configuration.profile
    print(profile, encoder.configuration.quality, encoder.configuration.processing)
    _ = try ADTSWriter(configuration: encoder.audioSpecificConfig, hasChecksum: true)
  }
  #endif
}
