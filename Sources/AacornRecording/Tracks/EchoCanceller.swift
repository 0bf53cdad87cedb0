import AacornSignal
import AacornSystem

#if os(Linux)
import CAacornSpeexDSP

/// Removes echoes of played sound from recorded blocks of ten milliseconds, with libspeexdsp.
///
/// The library uses 16-bit samples: they are rounded to the nearest integer, without dither, and
/// clipped at full scale. It also removes frequencies below voices, at 48 kHz below about 60 Hz. It
/// adds no delay.
///
/// One thread at a time may use it.
@safe
final class EchoCanceller {
  let blockLength: Int
  /// Channels of the recorded blocks.
  private let channelCount: Int
  /// Channels of the played blocks.
  private let referenceChannelCount: Int
  private let state: OpaquePointer
  private var recorded: [Int16] = []
  private var played: [Int16] = []
  private var clean: [Int16]
  /// Silent blocks in succession.
  private var silentCount = 0
  /// The recent energy of the recorded blocks and of the output.
  private var energies = (recorded: 0.0, clean: 0.0)

  /// The maximum number of silent blocks to process.
  ///
  /// With more silent blocks, the library would adapt to the absence of an echo.
  private static let maxSilentBlockCount = 5
  /// The decay of the energies per block: to a third in 200 ms.
  private static let energyDecay = 0.95
  /// The energy of an inaudible sample, 60 dB below full scale: (32,768 / 1000)², about 1000.
  private static let inaudibleEnergy = 1000.0

  /// Creates a canceller for echoes up to `tail` after playback.
  init(
    channelCount: Int, referenceChannelCount: Int, sampleRate: Int, tail: Duration
  ) throws(RecordingError) {
    let functions = unsafe try SpeexUnavailable.functions
      .mapError { RecordingError.tracks(Self.error(for: $0)) }
      .get()
    self.channelCount = channelCount
    self.referenceChannelCount = referenceChannelCount
    blockLength = max(1, sampleRate / 100)
    clean = Array(repeating: 0, count: blockLength * channelCount)
    let reach = blockLength + tail.sampleCount(at: sampleRate)
    guard
      let state = unsafe aacorn_speexdsp_echo_make(
        functions, Int32(blockLength), Int32(reach), Int32(channelCount),
        Int32(referenceChannelCount), Int32(sampleRate))
    else {
      throw .tracks(
        .echoCancellerUnsuitable(
          library: SpeexUnavailable.library, reason: "not enough memory"))
    }
    unsafe self.state = unsafe state
  }

  deinit { unsafe aacorn_speexdsp_echo_destroy(state) }

  /// Appends a recorded block without the echo of a played block.
  func process(
    _ recorded: ArraySlice<Float>, _ played: ArraySlice<Float>, into output: inout [Float]
  ) {
    precondition(recorded.count == blockLength * channelCount)
    precondition(played.count == blockLength * referenceChannelCount)
    Self.round(recorded, into: &self.recorded)
    Self.round(played, into: &self.played)
    let isSilent = self.recorded.allSatisfy { $0 == 0 }
    silentCount = isSilent ? silentCount + 1 : 0
    if silentCount <= Self.maxSilentBlockCount {
      unsafe aacorn_speexdsp_echo_cancel(state, self.recorded, self.played, &clean)
      if !isSilent { resetIfAddingEcho() }
    }
    // Silence, such as from a disconnected device, contains no echo.
    if isSilent {
      output.append(contentsOf: repeatElement(0, count: clean.count))
    } else {
      for sample in clean { output.append(Float(sample) * (1 / 32768)) }
    }
  }

  /// Resets the library if it adds an echo rather than removing it.
  ///
  /// This happens when the loudspeaker is turned down, and the library would need seconds to adapt.
  private func resetIfAddingEcho() {
    energies.recorded = energies.recorded * Self.energyDecay + Self.energy(of: recorded)
    energies.clean = energies.clean * Self.energyDecay + Self.energy(of: clean)
    let floor = Self.inaudibleEnergy * Double(clean.count)
    if energies.clean > 2 * energies.recorded + floor {
      unsafe aacorn_speexdsp_echo_reset(state)
      energies = (0, 0)
    }
  }

  private static func round(_ samples: ArraySlice<Float>, into integers: inout [Int16]) {
    integers.removeAll(keepingCapacity: true)
    for sample in samples { integers.append(SampleConversion.int16(sample)) }
  }

  private static func energy(of samples: [Int16]) -> Double {
    var sum = 0.0
    for sample in samples { sum += Double(sample) * Double(sample) }
    return sum
  }

  /// Returns the error for a library that was not loaded.
  static func error(for unavailable: SpeexUnavailable) -> TrackError {
    guard let reason = unavailable.reason else {
      return .echoCancellerMissing(
        library: SpeexUnavailable.library, package: SpeexUnavailable.debianPackage)
    }
    return .echoCancellerUnsuitable(library: SpeexUnavailable.library, reason: reason)
  }
}
#else
/// Placeholder for systems without an echo canceller.
final class EchoCanceller {
  let blockLength = 1

  /// Throws always, because no echo canceller is available.
  init(
    channelCount: Int, referenceChannelCount: Int, sampleRate: Int, tail: Duration
  ) throws(RecordingError) {
    throw .tracks(
      .echoCancellerUnsuitable(library: "libspeexdsp", reason: "it is supported on Linux only"))
  }

  /// Appends a recorded block unchanged.
  func process(
    _ recorded: ArraySlice<Float>, _ played: ArraySlice<Float>, into output: inout [Float]
  ) {
    output += recorded
  }
}
#endif
