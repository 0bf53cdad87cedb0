import AacornSignal
import CAacornPipeWire

@testable import AacornDevices

/// Fuzzes a node's properties, one in each line, and a stream's format, which any client may set.
func checkPipeWire(_ text: String, _ bytes: [UInt8]) {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let keys = ["audio.position", "audio.channels", "audio.rate", "node.name", "node.nick"]
  let node = PipeWireNode { key in
    if key == "media.class" { return "Audio/Sink" }
    return keys.firstIndex(of: key).flatMap { $0 < lines.count ? lines[$0] : nil }
  }
  let channels = 0...Int(AACORN_PW_CHANNEL_LIMIT)
  require(channels.contains(node.channelCount), "\(node.channelCount) channels")
  require(
    node.sampleRate == 0 || Resampler.supportedRates.contains(node.sampleRate),
    "\(node.sampleRate) frames per second")
  _ = (node.deviceID(for: .capture), node.isEchoCancelled)
  var graph = PipeWireGraph()
  graph.put(1, node)
  graph.set("clock.rate", lines.last)
  require(
    graph.devices(for: .capture).count == 1 && graph.devices(for: .playback).count == 1,
    "a node is not a device")
  for count in [0, 1, 2, node.channelCount, node.positions.count] {
    let numbers = PipeWirePositions.numbers(count: count, of: node.positions)
    require(
      numbers.count == min(max(1, count), channels.upperBound),
      "\(numbers.count) positions for \(count) channels")
  }
  if let layout = PipeWirePositions.layout(of: node.positions) {
    require(layout.speakers.count == node.positions.count, "a layout with a wrong channel count")
  }
  checkFormat(bytes)
}

/// Uses memory of exactly this size, so that the sanitizer detects a read beyond the end.
private func checkFormat(_ bytes: [UInt8]) {
  let pod = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
  defer { unsafe pod.deallocate() }
  unsafe pod.copyBytes(from: bytes)
  var format = aacorn_pw_format()
  _ = unsafe aacorn_pw_read_format(pod.baseAddress, pod.count, &format)
}
