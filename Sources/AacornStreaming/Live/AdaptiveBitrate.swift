import AacornSystem

/// A bitrate that follows what servers take, for live outputs that get the same coding.
///
///     let bitrate = AdaptiveBitrate(48_000...128_000, from: 128_000) { change in print(change) }
///     let live = LiveOutput(IcecastService(station), bitrate: bitrate)
///     let recorder = Recorder(from: source, to: [live], RecordingConfiguration(bitrate: 128_000))
///     bitrate.drive { [weak recorder] in _ = recorder?.setBitrate($0) }
///
/// One coding has one bitrate: of several outputs, the slowest decides, and all others get what suits
/// it. Those that have no connection have no say. HLS announces the bitrates of its renditions and
/// cannot share a coding that changes.
public final class AdaptiveBitrate: Sendable {
  private struct State {
    var controller: BitrateController
    /// What each output has waiting and has dropped; nil while it has no connection.
    var outputs: [BitrateController.Observation?] = []
    var time = Duration.zero
    /// What carries out the wishes.
    var encoder: (@Sendable (Int) -> Void)?
  }

  private let state: Lock<State>
  /// Held while somebody is told, so that what was decided first is told first.
  private let telling = Lock(())
  private let changes: @Sendable (BitrateChange) -> Void

  /// A bitrate within bounds, all in bits per second, that begins at one of them or at the nearest.
  ///
  /// The bounds must lie within `RecordingConfiguration.adaptableBitrates(ofRendition:)`: beyond
  /// that the coding does not follow. `changes` is called with every change, in order, on the thread
  /// of an output; it must neither wait nor call ``drive(_:)``.
  public init(
    _ bounds: ClosedRange<Int>, from bitrate: Int,
    changes: @escaping @Sendable (BitrateChange) -> Void = { _ in }
  ) {
    state = Lock(State(controller: BitrateController(bounds, from: bitrate)))
    self.changes = changes
  }

  /// The bits per second of now.
  public var bitrate: Int { state.withLock { $0.controller.bitrate } }

  /// Has an encoder follow: it is called with the bits per second of now, and with every change.
  public func drive(_ encoder: @escaping @Sendable (Int) -> Void) {
    telling.withLock { _ in
      let bitrate = state.withLock { state in
        state.encoder = encoder
        return state.controller.bitrate
      }
      encoder(bitrate)
    }
  }

  // MARK: - The outputs' side

  /// The number of another output.
  func join() -> Int {
    state.withLock { state in
      state.outputs.append(nil)
      return state.outputs.count - 1
    }
  }

  /// Takes what an output knows of its connection.
  func take(_ observation: BitrateController.Observation, of output: Int) {
    telling.withLock { _ in
      let (change, encoder) = decide(observation, of: output)
      guard let change else { return }
      encoder?(change.to)
      changes(change)
    }
  }

  /// What an observation changes, and who has to follow.
  private func decide(
    _ observation: BitrateController.Observation, of output: Int
  ) -> (BitrateChange?, (@Sendable (Int) -> Void)?) {
    state.withLock { state in
      // With another output, other amounts are compared from here on.
      if state.outputs[output] == nil { state.controller.pause() }
      state.outputs[output] = observation
      state.time = max(state.time, observation.time)
      let known = state.outputs.compactMap(\.self)
      let longest = known.reduce(Duration.zero) { max($0, $1.queued) }
      let dropped = known.reduce(Duration.zero) { $0 + $1.dropped }
      let change = state.controller.take(
        BitrateController.Observation(queued: longest, dropped: dropped, at: state.time))
      return (change, state.encoder)
    }
  }

  /// An output has no connection, so that nothing can be learned from it.
  func rest(_ output: Int) {
    state.withLock { state in
      if state.outputs[output] == nil { return }
      state.outputs[output] = nil
      state.controller.pause()
    }
  }
}
