/// The position, pattern and orientation of a device's built-in microphone.
///
/// A phone has several microphones, and combines them into patterns. Recording in stereo needs a
/// stereo pattern, and the orientation that determines the left side:
///
///     choice.microphone = .stereo(.landscapeRight, from: .back)
public struct CoreAudioMicrophone: Sendable, Equatable {
  /// The position of a microphone, or the direction in which it captures.
  public enum Position: Sendable, Equatable, CaseIterable {
    /// The side of the screen.
    case front
    /// The side opposite the screen.
    case back
    /// The upper edge.
    case top
    /// The lower edge.
    case bottom
    /// The left edge.
    case left
    /// The right edge.
    case right
  }

  /// The directions from which sound is captured.
  public enum Pattern: Sendable, Equatable, CaseIterable {
    /// All directions.
    case omnidirectional
    /// The front.
    case cardioid
    /// Mostly the front.
    case subcardioid
    /// Left and right in two channels; not with voice processing, which has one channel.
    ///
    /// The built-in microphone becomes the preferred input, even if a headset is connected, unless
    /// another input is requested.
    case stereo
  }

  /// The orientation of the device, which determines the left and right channels.
  public enum Orientation: Sendable, Equatable, CaseIterable {
    /// Upright.
    case portrait
    /// Upright, with the connector on top.
    case portraitUpsideDown
    /// Horizontal, with the connector on the right.
    case landscapeRight
    /// Horizontal, with the connector on the left.
    case landscapeLeft
  }

  /// The position of the microphone; nil means any position.
  public var position: Position?
  /// The pattern of the microphone; nil leaves it unchanged.
  public var pattern: Pattern?
  /// The orientation of the device, for ``Pattern/stereo``.
  public var orientation: Orientation

  /// Creates a selection of a microphone.
  public init(
    position: Position? = nil, pattern: Pattern? = nil, orientation: Orientation = .portrait
  ) {
    self.position = position
    self.pattern = pattern
    self.orientation = orientation
  }

  /// Returns a selection for stereo, on a device in this orientation.
  public static func stereo(
    _ orientation: Orientation, from position: Position? = nil
  ) -> CoreAudioMicrophone {
    CoreAudioMicrophone(position: position, pattern: .stereo, orientation: orientation)
  }
}

/// A microphone of an input, as described by the system.
struct CoreAudioDataSource: Sendable, Equatable {
  /// The position of the microphone, if known.
  var position: CoreAudioMicrophone.Position?
  /// The supported patterns; empty if the microphone has only one.
  var patterns: [CoreAudioMicrophone.Pattern] = []
}

extension CoreAudioMicrophone {
  /// Returns the index of the first matching microphone of an input, or nil.
  func index(among sources: [CoreAudioDataSource]) -> Int? {
    sources.firstIndex { source in
      let hasPosition = position == nil || source.position == position
      guard let pattern else { return hasPosition }
      return hasPosition && source.patterns.contains(pattern)
    }
  }

  /// The message for an input that has no matching microphone.
  static var absence: String {
    "The input has no microphone with this position and pattern. The system chooses the microphone."
  }
}

/// An input of a session, with the properties by which an input is chosen.
struct CoreAudioInputPort: Sendable, Equatable {
  var id: String
  /// The kind of the input; nil if `CoreAudioSessionOptions.Input` has no case for it.
  var kind: CoreAudioSessionOptions.Input?

  /// The decision about the session's input.
  enum Decision: Sendable, Equatable {
    /// Change nothing: the input matches, or the system chooses it.
    case keep
    /// Use the input with this id.
    case take(id: String)
    /// Fail: the requested device is not available.
    case fail
    /// Use the system's choice: no input of the preferred kind is available.
    case useDefault
  }

  /// Returns the decision for the available `ports`, of which `presentID` is in use.
  ///
  /// A pinned device is required; a kind is only a preference.
  static func decision(
    pinnedID: String?, kind: CoreAudioSessionOptions.Input?, among ports: [CoreAudioInputPort],
    presentID: String?
  ) -> Decision {
    if let pinnedID {
      if pinnedID == presentID { return .keep }
      return ports.contains { $0.id == pinnedID } ? .take(id: pinnedID) : .fail
    }
    guard let kind else { return .keep }
    let suitable = ports.filter { $0.kind == kind }
    if suitable.contains(where: { $0.id == presentID }) { return .keep }
    guard let first = suitable.first else { return .useDefault }
    return .take(id: first.id)
  }
}
