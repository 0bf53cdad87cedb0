import AacornNetwork
import AacornRecording
import AacornStreaming
import SwiftUI

/// Start and Stop, mute, the meter and the waveform.
struct RecordScreen: View {
  let model: RecorderModel
  let state: RecorderModel.State
  let address: String
  let live: LiveState?
  @Binding var connection: LiveConnection?

  /// The reason why the address cannot be used.
  @State var addressError: String?

  var body: some View {
    VStack(spacing: 24) {
      if let interruption = state.interruption { banner(interruption) }
      Spacer()
      Text(clock).font(.largeTitle).monospacedDigit()
      WaveformView(peaks: state.waveform).frame(height: 120)
      MeterView(channels: state.meter).frame(height: 24)
      if let live { Text(text(for: live)).foregroundStyle(.secondary) }
      if let problem = addressError ?? state.message { Text(problem).foregroundStyle(.red) }
      Spacer()
      HStack(spacing: 32) {
        Button(state.isMuted ? "Unmute" : "Mute") {
          Task { await model.setMuted(!state.isMuted) }
        }
        Button(state.isBusy ? "Stop" : "Start") {
          if state.isBusy { stop() } else { start() }
        }
        .disabled(state.phase == .stopping)
        .font(.title)
      }
    }
    .padding()
  }

  /// Shows an interruption with a button to resume, because the system may not report the end of a
  /// call.
  private func banner(_ interruption: RecorderModel.State.Interruption) -> some View {
    VStack {
      Text(
        interruption == .suspended
          ? "Another app uses the microphone. Silence is recorded."
          : "The microphone was disconnected. Silence is recorded.")
      Button("Take It Back") { Task { await model.resume() } }
    }
  }

  private var clock: String {
    let seconds = Int(state.duration.components.seconds)
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  private func start() {
    addressError = nil
    connection = nil
    var outputs: [any PacketOutput] = []
    if !address.isEmpty {
      do throws(NetworkError) {
        let server = try RTMPConfiguration(address: address, streamKey: nil)
        let live = LiveOutput(RTMPService(server))
        connection = live.connection
        outputs.append(live)
      } catch {
        addressError = error.message
        return
      }
    }
    Task { [outputs] in await model.start(alsoTo: outputs) }
  }

  private func stop() {
    Task { await model.stop() }
  }
}

/// Returns a description of the state of a connection for the user.
func text(for state: LiveState) -> String {
  switch state {
  case .ready: "Ready to send."
  case .connecting: "Connecting to the server."
  case .live: "Live."
  case .reconnecting(let error, _): "Reconnecting to the server. \(error.message)"
  case .stopped: "The stream has ended."
  case .failed(let error): error.message
  }
}
