// swift-format-ignore-file
// Part of the stub of Apple's AVFAudio: the declarations of the engine that code in the guides
// uses, as Swift imports them. They are not simulated.

// AVAudioTypes.h, macOS 10.10, iOS 8, tvOS 9, watchOS 2.
public typealias AVAudioNodeBus = Int

// AVFAudio/AVAudioNode.h, macOS 10.10, iOS 8, tvOS 9, watchOS 2.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

open class AVAudioNode {
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) { fatalError() }
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
  public init() {}
  public var inputNode: AVAudioInputNode { fatalError() }
  public func prepare() { fatalError() }
  public func start() throws { fatalError() }
  public func stop() { fatalError() }
}
