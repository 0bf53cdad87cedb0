import AacornSystem

/// A bitrate that adapts to the throughput of servers, for live outputs that share one encoding.
///
///     let bitrate = AdaptiveBitrate(48_000...128_000, from: 128_000) { change in print(change) }
///     let live = LiveOutput(IcecastService(station), bitrate: bitrate)
///     let recorder = Recorder(from: source, to: [live], RecordingConfiguration(bitrate: 128_000))
///     bitrate.drive { [weak recorder] in _ = recorder?.setBitrate($0) }
///
/// One encoding has one bitrate, so the slowest of several outputs determines it for all. Outputs
/// without a connection are ignored. HLS announces the bitrates of its renditions and cannot share
/// an encoding whose bitrate changes.
public final class AdaptiveBitrate: Sendable {
  private struct State {
    var controller: BitrateController
    /// The last observation of each output; nil while the output has no connection.
    var outputs: [BitrateController.Observation?] = []
    var time = Duration.zero
    /// The function that sets the bitrate of the encoder.
    var encoder: (@Sendable (Int) -> Void)?
  }

  private let state: Lock<State>
  /// Held during callbacks, so that they are called in the order of the decisions.
  private let callbackLock = Lock(())
  private let changes: @Sendable (BitrateChange) -> Void

  /// Creates a bitrate within bounds.
  ///
  /// All values are in bits per second; `bitrate` is clamped to the bounds.
  ///
  /// The bounds must be within `RecordingConfiguration.adaptableBitrates(ofRendition:)`: the
  /// encoder does not accept other bitrates. `changes` is called with every change, in order, on
  /// the thread of an output. It must neither wait nor call ``drive(_:)``.
  public init(
    _ bounds: ClosedRange<Int>, from bitrate: Int,
    changes: @escaping @Sendable (BitrateChange) -> Void = { _ in }
  ) {
    state = Lock(State(controller: BitrateController(bounds, from: bitrate)))
    self.changes = changes
  }

  /// The current bitrate in bits per second.
  public var bitrate: Int { state.withLock { $0.controller.bitrate } }

  /// Connects an encoder: calls it with the current bitrate in bits per second, and with every
  /// change.
  public func drive(_ encoder: @escaping @Sendable (Int) -> Void) {
    callbackLock.withLock { _ in
      let bitrate = state.withLock { state in
        state.encoder = encoder
        return state.controller.bitrate
      }
      encoder(bitrate)
    }
  }

  // MARK: - Output side

  /// Registers another output, and returns its index.
  func join() -> Int {
    state.withLock { state in
      state.outputs.append(nil)
      return state.outputs.count - 1
    }
  }

  /// Processes an observation of an output, and reports a resulting change.
  func take(_ observation: BitrateController.Observation, of output: Int) {
    callbackLock.withLock { _ in
      let (change, encoder) = decide(observation, of: output)
      guard let change else { return }
      encoder?(change.to)
      changes(change)
    }
  }

  /// Returns the change that results from an observation, and the encoder to notify.
  private func decide(
    _ observation: BitrateController.Observation, of output: Int
  ) -> (BitrateChange?, (@Sendable (Int) -> Void)?) {
    state.withLock { state in
      // If this output has just connected, earlier sums over all outputs are not comparable.
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

  /// Ignores an output until its next observation, because it has no connection.
  func withdraw(_ output: Int) {
    state.withLock { state in
      if state.outputs[output] == nil { return }
      state.outputs[output] = nil
      state.controller.pause()
    }
  }
}
