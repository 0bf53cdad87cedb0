import AacornRecording
import AacornStreaming
import SwiftUI

/// Records to files, plays and shares them, and streams a recording live to a server.
@main
struct RecorderApp: App {
  private let model = RecorderModel(folder: URL.documentsDirectory.path(percentEncoded: false))

  var body: some Scene {
    WindowGroup { MainView(model: model) }
  }
}

/// The screens and their shared state.
struct MainView: View {
  let model: RecorderModel

  @State var state = RecorderModel.State()
  /// The address of the live stream as typed by the user; empty for no live stream.
  @State var address = ""
  /// The connection of the last recording with a live stream.
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
