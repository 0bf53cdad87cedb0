import AacornRecording
import AacornStreaming
import SwiftUI

/// Records to files, plays and shares them, and sends a recording to a server while it is made.
@main
struct RecorderApp: App {
  private let model = RecorderModel(folder: URL.documentsDirectory.path(percentEncoded: false))

  var body: some Scene {
    WindowGroup { MainView(model: model) }
  }
}

/// The screens, and what they share.
struct MainView: View {
  let model: RecorderModel

  @State var state = RecorderModel.State()
  /// Where a recording is sent, as typed on the screen for it; empty for nowhere.
  @State var address = ""
  /// The connection of the last recording that was sent somewhere.
  @State var connection: LiveConnection?

  var body: some View {
    TabView {
      RecordScreen(
        model: model, state: state, address: address, live: connection?.status.state,
        connection: $connection
      )
      .tabItem { Label("Record", systemImage: "mic") }
      FilesScreen(recordings: state.recordings, isRecording: state.isBusy)
        .tabItem { Label("Files", systemImage: "waveform") }
      LiveScreen(address: $address, status: connection?.status)
        .tabItem { Label("Live", systemImage: "antenna.radiowaves.left.and.right") }
    }
    .task {
      await model.refresh()
      for await next in await model.states() { state = next }
    }
  }
}
