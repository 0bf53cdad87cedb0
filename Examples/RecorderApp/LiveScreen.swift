import AacornStreaming
import SwiftUI

/// The address of the live stream, and the state of its connection.
struct LiveScreen: View {
  @Binding var address: String
  let status: LiveStatus?

  var body: some View {
    NavigationStack {
      Form {
        Section("Send recordings to") {
          TextField("rtmp://live.example/application/KEY", text: $address)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
        }
        if let status {
          Section("The last stream") {
            Text(text(for: status.state))
            Text("\(status.sentByteCount / 1000) kB sent")
            Text("\(status.queuedFrameCount) frames wait")
            Text("\(status.droppedFrameCount) frames were dropped")
            Text("\(status.reconnectCount) times connected again")
          }
        }
      }
      .navigationTitle("Live")
    }
  }
}
