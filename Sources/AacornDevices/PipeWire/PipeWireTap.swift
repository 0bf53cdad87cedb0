#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// Connects a stream to the sink; its `take` runs on PipeWire's data thread.
final class PipeWireTap: Sendable {
  let condition: PipeWireStreamCondition
  private let sink: CaptureSink
  private let gate: DeviceGate
  /// The pending events, which the data thread writes because it must be the sink's only writer.
  private let pendingEvents: Atomic<UInt8>

  init(sink: CaptureSink, gate: DeviceGate, wake: Semaphore, pendingEvents: PipeWirePendingEvents) {
    self.sink = sink
    self.gate = gate
    condition = PipeWireStreamCondition(wake: wake)
    self.pendingEvents = Atomic(pendingEvents.rawValue)
  }

  /// Requests that the data thread writes an event to the sink before the next samples.
  func announce(_ event: PipeWirePendingEvents) {
    pendingEvents.insert(event.rawValue)
  }

  /// Writes the pending events and then the block to the sink, on the data thread.
  func take(_ block: aacorn_pw_block) {
    guard gate.isOpen else { return }
    let time = unsafe block.time != 0 ? block.time : estimatedTime(of: block)
    let pending = PipeWirePendingEvents(rawValue: pendingEvents.exchange(0))
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
