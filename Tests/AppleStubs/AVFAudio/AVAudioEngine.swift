// swift-format-ignore-file
// A part of the stand-in for Apple's AVFAudio: what code in the guides uses of the engine, in the form in
// which Swift sees it. It is not simulated.

// AVAudioTypes.h, macOS 10.10, iOS 8, tvOS 9, watchOS 2.
public typealias AVAudioNodeBus = Int

// AVFAudio/AVAudioNode.h, macOS 10.10, iOS 8, tvOS 9, watchOS 2.
public typealias AVAudioNodeTapBlock = @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void

open class AVAudioNode {
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) { fatalError() }
}

// AVFAudio/AVAudioIONode.h, macOS 10.10, iOS 8, tvOS 11, watchOS 4.
open class AVAudioInputNode: AVAudioNode {}

// AVFAudio/AVAudioEngine.h, macOS 10.10, iOS 8, tvOS 11, watchOS 4.
open class AVAudioEngine {
  public init() {}
  public var inputNode: AVAudioInputNode { fatalError() }
}
