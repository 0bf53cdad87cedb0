/// How a device's built-in microphone listens.
///
/// A phone has several microphones, and combines them into patterns. Recording in stereo needs a
/// pattern for it, and the orientation that says which side is left:
///
///     choice.microphone = .stereo(.landscapeRight, from: .back)
public struct CoreAudioMicrophone: Sendable, Equatable {
  /// Where a microphone is, or where it listens to.
  public enum Place: Sendable, Equatable, CaseIterable {
    /// The side of the screen.
    case front
    /// The side away from it.
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

  /// From which directions sound is taken.
  public enum Pattern: Sendable, Equatable, CaseIterable {
    /// All.
    case omnidirectional
    /// The front.
    case cardioid
    /// The front above all.
    case subcardioid
    /// Left and right in two channels; not with voice processing, which has one.
    ///
    /// The built-in microphone becomes the preferred input, also beside a headset, unless another
    /// input is asked for.
    case stereo
  }

  /// How the device is held, which decides what is left and right.
  public enum Orientation: Sendable, Equatable, CaseIterable {
    /// Upright.
    case portrait
    /// Upright, with the connector on top.
    case portraitUpsideDown
    /// Lying, with the connector on the right.
    case landscapeRight
    /// Lying, with the connector on the left.
    case landscapeLeft
  }

  /// Where the microphone is; nil means anywhere.
  public var place: Place?
  /// Its pattern; nil leaves it as it is.
  public var pattern: Pattern?
  /// How the device is held, for ``Pattern/stereo``.
  public var orientation: Orientation

  /// Creates a choice of microphone.
  public init(
    place: Place? = nil, pattern: Pattern? = nil, orientation: Orientation = .portrait
  ) {
    self.place = place
    self.pattern = pattern
    self.orientation = orientation
  }

  /// Two channels, from a device that is held like this.
  public static func stereo(
    _ orientation: Orientation, from place: Place? = nil
  ) -> CoreAudioMicrophone {
    CoreAudioMicrophone(place: place, pattern: .stereo, orientation: orientation)
  }
}

/// A microphone of an input, as the system tells of it.
struct CoreAudioDataSource: Sendable, Equatable {
  /// Where it is, if that is known.
  var place: CoreAudioMicrophone.Place?
  /// The patterns it offers; none if it has only one.
  var patterns: [CoreAudioMicrophone.Pattern] = []
}

extension CoreAudioMicrophone {
  /// The first of an input's microphones that is as wished; nil if none is.
  func index(among sources: [CoreAudioDataSource]) -> Int? {
    sources.firstIndex { source in
      let isInPlace = place == nil || source.place == place
      guard let pattern else { return isInPlace }
      return isInPlace && source.patterns.contains(pattern)
    }
  }

  /// What is told if there is none.
  static var absence: String {
    "The input has no microphone of the wished place and pattern; it listens as the system chooses."
  }
}
