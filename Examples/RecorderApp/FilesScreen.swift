import AacornPlayback
import AacornRecording
import SwiftUI

/// The finished recordings, to play and to share.
struct FilesScreen: View {
  let recordings: [RecorderModel.Recording]
  /// Whether a recording is running, which disables playback.
  let isRecording: Bool

  @State var player: Player?
  /// The name of the recording being played.
  @State var playing: String?
  @State var problem: String?

  var body: some View {
    NavigationStack {
      VStack {
        List(recordings) { recording in row(recording) }
        if let problem { Text(problem).foregroundStyle(.red) }
      }
      .navigationTitle("Recordings")
    }
  }

  private func row(_ recording: RecorderModel.Recording) -> some View {
    HStack {
      VStack(alignment: .leading) {
        Text(recording.name)
        Text("\(recording.byteCount / 1000) kB").foregroundStyle(.secondary)
      }
      Spacer()
      Button(playing == recording.id ? "Stop" : "Play") {
        if playing == recording.id { stop() } else { play(recording) }
      }
      .disabled(isRecording)
      ShareLink(item: URL(filePath: recording.path))
    }
    // With the default style, a tap anywhere in the row triggers all its buttons.
    .buttonStyle(.borderless)
  }

  private func play(_ recording: RecorderModel.Recording) {
    let previous = player
    let next = Player(playing: [PlaylistItem(recording.path)])
    player = next
    playing = recording.id
    problem = nil
    Task {
      await previous?.stop()
      do throws(PlayerError) {
        try await next.start()
        let summary = await next.end()
        if let failure = summary.failure { problem = failure.message }
      } catch {
        if error != .stopped { problem = error.message }
      }
      // The user may have started to play another recording.
      if player === next { playing = nil }
    }
  }

  private func stop() {
    let current = player
    Task { await current?.stop() }
  }
}
