import AudioToolbox
import SimulatedApple
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// The simulated converter itself, called like its C functions.
  @Suite struct ConverterCalls {
    /// The samples that a callback supplies.
    @safe
    final class Supply {
      let samples: UnsafeMutablePointer<Float>
      var frameCount = 0
      var status: Int32 = 0
      var callCount = 0

      init() {
        unsafe samples = .allocate(capacity: 8192)
        unsafe samples.initialize(repeating: 0.5, count: 8192)
      }

      deinit { unsafe samples.deallocate() }
    }

    private static func format(
      _ formatID: UInt32, rate: Double = 48_000, framesPerPacket: UInt32
    ) -> AudioStreamBasicDescription {
      let isSound = formatID == kAudioFormatLinearPCM
      return AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: formatID, mFormatFlags: isSound ? 9 : 0,
        mBytesPerPacket: isSound ? 8 : 0, mFramesPerPacket: framesPerPacket,
        mBytesPerFrame: isSound ? 8 : 0, mChannelsPerFrame: 2, mBitsPerChannel: isSound ? 32 : 0,
        mReserved: 0)
    }

    private static let aac: UInt32 = 0x6161_6320

    private func make(
      _ formatID: UInt32 = aac, rate: Double = 48_000, framesPerPacket: UInt32 = 1024
    ) -> (Int32, AudioConverterRef?) {
      var source = Self.format(kAudioFormatLinearPCM, rate: rate, framesPerPacket: 1)
      var target = Self.format(formatID, rate: rate, framesPerPacket: framesPerPacket)
      var converter: AudioConverterRef?
      let status = unsafe AudioConverterNew(&source, &target, &converter)
      return unsafe (status, converter)
    }

    private static let callback: AudioConverterComplexInputDataProc = {
      _, count, list, _, context in
      guard let context = unsafe context else { return -1 }
      let supply = unsafe Unmanaged<Supply>.fromOpaque(context).takeUnretainedValue()
      supply.callCount += 1
      if supply.status != 0 {
        unsafe count.pointee = 0
        return supply.status
      }
      unsafe count.pointee = min(count.pointee, UInt32(supply.frameCount))
      supply.frameCount -= unsafe Int(count.pointee)
      unsafe list.pointee.mBuffers.mData = UnsafeMutableRawPointer(supply.samples)
      unsafe list.pointee.mBuffers.mDataByteSize = unsafe count.pointee * 8
      return 0
    }

    /// Requests packets; returns the status, the number of packets and their descriptions.
    private func fill(
      _ converter: AudioConverterRef, _ supply: Supply, packets: UInt32 = 1, room: Int = 4096
    ) -> (status: Int32, count: UInt32, descriptions: [AudioStreamPacketDescription]) {
      var memory = [UInt8](repeating: 0, count: room)
      var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: Int(packets))
      var count = packets
      let status = unsafe memory.withUnsafeMutableBytes { bytes in
        var list = unsafe AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 2, mDataByteSize: UInt32(room), mData: bytes.baseAddress))
        return unsafe AudioConverterFillComplexBuffer(
          converter, Self.callback, Unmanaged.passUnretained(supply).toOpaque(), &count, &list,
          &descriptions)
      }
      return (status, count, Array(descriptions.prefix(Int(count))))
    }

    /// Expects a single invalid call, and forgets it.
    private func expectFault(_ location: SourceLocation = #_sourceLocation) {
      #expect(SimulatedUnits.faults.count == 1, sourceLocation: location)
      SimulatedUnits.reset()
    }

    @Test func formatsAreThoseOfTheKind() throws {
      let kinds: [(UInt32, Double, UInt32, Bool)] = [
        (Self.aac, 48_000, 1024, true), (Self.aac, 48_000, 0, true),
        (Self.aac, 48_000, 960, false), (Self.aac, 96_000, 1024, false),
        (0x6161_6368, 48_000, 2048, true), (0x6161_6368, 48_000, 1024, false),
        (0x6161_6370, 24_000, 2048, false), (0x6161_6370, 44_100, 2048, true),
        (0x6161_636C, 48_000, 512, true), (0x6161_6365, 48_000, 480, true),
        (0x6D70_3320, 48_000, 1152, false),
      ]
      for (formatID, rate, framesPerPacket, isMade) in kinds {
        let (status, made) = unsafe make(formatID, rate: rate, framesPerPacket: framesPerPacket)
        #expect(status == (isMade ? 0 : ConverterCode.formatNotSupported))
        if let made = unsafe made { #expect(unsafe AudioConverterDispose(made) == 0) }
      }
    }

    @Test func converterStaysEndedUntilReset() throws {
      let converter = unsafe try #require(unsafe make().1)
      let supply = Supply()
      supply.frameCount = 3000
      var made: UInt32 = 0
      while true {
        let (status, count, _) = unsafe fill(converter, supply)
        #expect(status == 0)
        if count == 0 { break }
        made += count
      }
      // 3,000 samples after 2,112 samples of priming.
      #expect(made == 5)
      var info: [UInt32] = [0, 0]
      var size: UInt32 = 8
      #expect(
        unsafe AudioConverterGetProperty(
          converter, ConverterPropertyNumber.priming, &size, &info) == 0)
      #expect(info == [2112, 8])
      let calls = supply.callCount
      supply.frameCount = 3000
      #expect(unsafe fill(converter, supply).count == 0)
      #expect(supply.callCount == calls)
      #expect(unsafe AudioConverterReset(converter) == 0)
      #expect(unsafe fill(converter, supply).count == 1)
      #expect(unsafe AudioConverterDispose(converter) == 0)
    }

    @Test func anErrorOfTheCallbackIsPassedOnWithWhatWasMade() throws {
      let converter = unsafe try #require(unsafe make().1)
      let supply = Supply()
      supply.frameCount = 1024
      supply.status = 77
      #expect(unsafe fill(converter, supply).status == 77)
      supply.status = 0
      let (status, count, descriptions) = unsafe fill(converter, supply, packets: 1)
      #expect(status == 0 && count == 1 && descriptions.map(\.mStartOffset) == [0])
      #expect(unsafe AudioConverterDispose(converter) == 0)
    }

    @Test func packetsFollowEachOtherInTheMemory() throws {
      let converter = unsafe try #require(unsafe make().1)
      let supply = Supply()
      supply.frameCount = 8000
      let (status, count, descriptions) = unsafe fill(converter, supply, packets: 4)
      #expect(status == 0 && count == 4)
      #expect(descriptions.map(\.mStartOffset) == [0, 2, 4, 6])
      #expect(descriptions.allSatisfy { $0.mDataByteSize == 2 })
      let short = unsafe fill(converter, supply, room: 1)
      #expect(short.status == ConverterCode.notEnoughBufferSpace && short.count == 0)
      #expect(unsafe AudioConverterDispose(converter) == 0)
    }

    @Test func prematurelyFreedMemoryIsAFault() throws {
      let converter = unsafe try #require(unsafe make().1)
      let supply = Supply()
      supply.frameCount = 1024
      #expect(unsafe fill(converter, supply).count == 1)
      unsafe supply.samples[1] = 7
      supply.frameCount = 1024
      _ = unsafe fill(converter, supply)
      expectFault()
      #expect(unsafe AudioConverterDispose(converter) == 0)
    }

    @Test func propertiesHaveAnOrderAndSizes() throws {
      let converter = unsafe try #require(unsafe make().1)
      func setProperty(_ property: UInt32, _ number: UInt32, size: UInt32 = 4) -> Int32 {
        var number = number
        return unsafe AudioConverterSetProperty(converter, property, size, &number)
      }
      #expect(setProperty(0x3F3F_3F3F, 1) == ConverterCode.propertyNotSupported)
      let bitrate = ConverterPropertyNumber.bitrate
      #expect(setProperty(bitrate, 64_000, size: 3) == ConverterCode.badPropertySize)
      #expect(
        setProperty(ConverterPropertyNumber.bitrate, 65_000) == ConverterCode.unsupportedFormat)
      #expect(setProperty(ConverterPropertyNumber.priming, 1) == ConverterCode.illegalOperation)
      var (number, size): (UInt32, UInt32) = (0, 3)
      #expect(
        unsafe AudioConverterGetProperty(
          converter, ConverterPropertyNumber.bitrate, &size, &number)
          == ConverterCode.badPropertySize)
      #expect(setProperty(ConverterPropertyNumber.bitrate, 64_000) == 0)
      #expect(SimulatedUnits.faults == [])
      #expect(setProperty(ConverterPropertyNumber.rateControl, 0) == 0)
      expectFault()
      #expect(unsafe AudioConverterDispose(converter) == 0)
    }

    @Test func aSecondDisposalIsAFault() throws {
      let converter = unsafe try #require(unsafe make().1)
      #expect(unsafe AudioConverterDispose(converter) == 0)
      #expect(unsafe AudioConverterDispose(converter) == ConverterCode.parameter)
      expectFault()
    }
  }
}
