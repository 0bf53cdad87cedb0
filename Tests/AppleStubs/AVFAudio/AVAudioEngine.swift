// swift-format-ignore-file
// Part of the stub of Apple's AVFAudio: the declarations of the engine that code in the guides
// uses, as Swift imports them. ../README.md documents the simulated behavior.

internal import CoreAudioTypes
public import Foundation
internal import SimulatedApple

// AVAudioTypes.h, macOS 10.10, iOS 8, tvOS 9, watchOS 2.
public typealias AVAudioNodeBus = Int

// AVFAudio/AVAudioNode.h, macOS 10.10, iOS 8, tvOS 9, watchOS 2.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

open class AVAudioNode {
  let io = EngineIO()

  // A second tap, and a tap with another format than the device's, are exceptions that end an app.
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    if io.tap.change({ $0 != nil }) { SimulatedUnits.recordFault("A bus has two taps.") }
    if let format = format?.description, format.mSampleRate != SimulatedPhone.sampleRate
      || Int(format.mChannelsPerFrame) != SimulatedPhone.inputChannelCount
    {
      SimulatedUnits.recordFault("A tap has another format than the device.")
    }
    let tap = EngineIO.Tap(frameCount: Int(bufferSize), block: tapBlock)
    io.tap.change { $0 = tap }
  }
  public func removeTap(onBus bus: AVAudioNodeBus) { io.tap.change { $0 = nil } }
  // macOS 27, iOS 27, tvOS 27, watchOS 27, visionOS 27.
  @available(macOS 27.0, iOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
  public func installAudioTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    tapProvider: @escaping @Sendable (AVReadOnlyAudioPCMBuffer, AVAudioTime) -> Void
  ) throws { fatalError() }
}

// AVFAudio/AVAudioIONode.h, macOS 10.10, iOS 8, tvOS 11, watchOS 4.
open class AVAudioInputNode: AVAudioNode {}

// AVFAudio/AVAudioEngine.h, macOS 10.10, iOS 8, tvOS 11, watchOS 4.
open class AVAudioEngine {
  public let inputNode = AVAudioInputNode()
  private var observer: SimulatedNotifications.Observer?

  public init() {
    SimulatedUnits.add(inputNode.io)
    observer = SimulatedNotifications.add("AVAudioSessionRouteChangeNotification") { [sender = ObjectIdentifier(self), io = inputNode.io] _, _ in
      if io.stopsForAnotherInput() {
        SimulatedNotifications.post("AVAudioEngineConfigurationChangeNotification", from: sender)
      }
    }
  }
  deinit {
    if let observer { SimulatedNotifications.remove(observer) }
    SimulatedUnits.remove(inputNode.io)
  }
  public func prepare() {}
  public func start() throws {
    let status = SimulatedPhone.startUnit(captures: true)
    if status != 0 { throw EngineFault(status: status) }
    inputNode.io.start()
  }
  public func stop() { inputNode.io.halt() }
}

struct EngineFault: Error {
  var status: Int32
}

// AVFAudio/AVAudioEngine.h, macOS 10.10, iOS 8, tvOS 9, watchOS 2.
extension Notification.Name {
  public static let AVAudioEngineConfigurationChange = Notification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}

// The input of an engine on a phone. Its tap is called by the thread that advances time.
final class EngineIO: SimulatedIO {
  struct Tap: @unchecked Sendable {
    // Unchecked because the block is not Sendable; only the thread that advances time calls it.
    var frameCount: Int
    var block: AVAudioNodeTapBlock
  }
  private struct Running {
    var input: SimulatedPort?
    var sampleRate: Double
    var channelCount: Int
    // The frames that the device has counted, and those that were not passed to the tap yet.
    var position: Int
    var dueFrames = 0.0
  }

  let tap = Guarded<Tap?>(nil)
  private let running = Guarded<Running?>(nil)

  var isRunning: Bool { running.change { $0 != nil } }
  var captures: Bool { true }
  var voiceSettings: [UInt32: UInt32] { [:] }
  var blockSeconds: Double { Double(SimulatedPhone.blockFrameCount) / SimulatedPhone.sampleRate }

  func start() {
    let rate = SimulatedPhone.sampleRate
    let new = Running(
      input: SimulatedPhone.input, sampleRate: rate, channelCount: SimulatedPhone.inputChannelCount,
      position: Int((SimulatedTime.endOfBlock * rate).rounded()))
    running.change { $0 = $0 ?? new }
  }

  func halt() { running.change { $0 = nil } }
  func orphan() { halt() }
  func skip() { running.change { $0?.position += SimulatedPhone.blockFrameCount } }

  // Stops if the device or its format differs from the start; returns whether it was running.
  func stopsForAnotherInput() -> Bool {
    let (input, rate, count) = (SimulatedPhone.input, SimulatedPhone.sampleRate, SimulatedPhone.inputChannelCount)
    return running.change { running in
      guard let old = running, old.input != input || old.sampleRate != rate || old.channelCount != count else {
        return false
      }
      running = nil
      return true
    }
  }

  func step(_ seconds: Double) {
    running.change { running in
      if let rate = running?.sampleRate { running?.dueFrames += seconds * rate }
    }
    while let tap = tap.change({ $0 }), let (state, position) = next(tap.frameCount) {
      guard let format = AVAudioFormat(
        standardFormatWithSampleRate: state.sampleRate, channels: UInt32(state.channelCount)),
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(tap.frameCount)),
        let channels = unsafe buffer.floatChannelData
      else { return SimulatedUnits.recordFault("The engine has no buffer for its input.") }
      buffer.frameLength = UInt32(tap.frameCount)
      let signal = SimulatedSound.signal
      for channel in 0..<state.channelCount {
        for frame in 0..<tap.frameCount {
          unsafe channels[channel][frame] = signal(state.input?.id ?? "", position + frame, channel)
        }
      }
      tap.block(
        buffer, AVAudioTime(
          hostTime: SimulatedTime.ticks(at: Double(position) / state.sampleRate),
          sampleTime: Int64(position), atRate: state.sampleRate))
    }
  }

  // Subtracts a buffer from the frames that are due, and returns its position; nil if too few are.
  private func next(_ frameCount: Int) -> (Running, Int)? {
    running.change { running in
      guard let state = running, state.dueFrames >= Double(frameCount) else { return nil }
      running?.dueFrames -= Double(frameCount)
      running?.position += frameCount
      return (state, state.position)
    }
  }
}
