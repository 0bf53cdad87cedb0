import AacornRecording
import SwiftUI

/// The peaks of the last ten seconds, the newest at the right.
struct WaveformView: View {
  let peaks: [Float]

  var body: some View {
    Canvas { context, size in
      let width = size.width / CGFloat(RecorderModel.State.waveformLength)
      let start = size.width - width * CGFloat(peaks.count)
      for (index, peak) in peaks.enumerated() {
        let height = max(1, size.height * CGFloat(peak))
        let bar = CGRect(
          x: start + width * CGFloat(index), y: (size.height - height) / 2, width: width * 0.7,
          height: height)
        context.fill(Path(bar), with: .color(.accentColor))
      }
    }
  }
}

/// A bar for each channel, over sixty decibels.
struct MeterView: View {
  let channels: [Float]

  var body: some View {
    Canvas { context, size in
      let height = size.height / CGFloat(max(1, channels.count))
      for (index, level) in channels.enumerated() {
        let bar = CGRect(
          x: 0, y: height * CGFloat(index), width: size.width * CGFloat(level), height: height * 0.8
        )
        context.fill(Path(bar), with: .color(level > 0.95 ? .red : .green))
      }
    }
  }
}
