#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// Connects a stream to the sink; its `take` runs on PipeWire's data thread.
final class PipeWireTap: Sendable {
  let condition: PipeWireStreamCondition
  private let sink: CaptureSink
  private let gate: DeviceGate

  init(_ condition: PipeWireStreamCondition, sink: CaptureSink, gate: DeviceGate) {
    self.condition = condition
    self.sink = sink
    self.gate = gate
  }

  /// Writes the pending events and then the block to the sink, on the data thread.
  func take(_ block: aacorn_pw_block) {
    guard gate.isOpen else { return }
    let time = unsafe block.time != 0 ? block.time : estimatedTime(of: block)
    let pending = condition.takeEvents()
    if pending.contains(.returned) { sink.notify(.deviceReturned, time: time) }
    if pending.contains(.changed) { sink.notify(.deviceChanged, time: time) }
    let missed = Int(clamping: unsafe block.missed_frame_count)
    let overrun = Int(clamping: unsafe block.overrun_frame_count)
    if let samples = unsafe block.samples {
      unsafe sink.write(
        CaptureBlock(
          frameCount: block.frame_count, channelCount: Int(block.channel_count),
          sampleRate: Int(block.sample_rate), time: time,
          isTimeReliable: block.is_time_reliable, lostFrameCount: missed &+ overrun,
          lossCause: overrun > missed ? .overrun : .programLate),
        UnsafeRawBufferPointer(
          start: samples, count: block.frame_count * Int(block.channel_count) * 4), .float32)
    }
    condition.flow()
  }

  /// Estimates a block's time without a graph clock, as if its last frame was captured just now.
  private func estimatedTime(of block: aacorn_pw_block) -> Int64 {
    System.nanoseconds
      - System.nanoseconds(
        ofFrames: Int64(unsafe block.frame_count), at: Int(unsafe block.sample_rate))
  }
}
#endif
