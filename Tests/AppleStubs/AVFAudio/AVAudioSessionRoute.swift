// swift-format-ignore-file
// Part of the stub of Apple's AVFAudio: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

#if !os(macOS)
internal import SimulatedApple

// AVFAudio/AVAudioSessionRoute.h, iOS 6, tvOS 9
open class AVAudioSessionChannelDescription {}

// iOS 6, tvOS 9
open class AVAudioSessionDataSourceDescription {
  let source: SimulatedPort.Source
  init(_ source: SimulatedPort.Source) { self.source = source }

  public var dataSourceName: String { source.name }
  // iOS 7, tvOS 9; nil if unknown
  public var orientation: AVAudioSession.Orientation? {
    source.location.map { AVAudioSession.Orientation(rawValue: $0) }
  }
  // iOS 7, tvOS 9; nil if there is no choice
  public var supportedPolarPatterns: [AVAudioSession.PolarPattern]? {
    source.patterns.isEmpty
      ? nil : source.patterns.map { AVAudioSession.PolarPattern(rawValue: $0) }
  }
  // iOS 7, tvOS 9
  public var preferredPolarPattern: AVAudioSession.PolarPattern? {
    SimulatedPhone.session.preferredPattern[source.name].map { AVAudioSession.PolarPattern(rawValue: $0) }
  }
  // iOS 7, tvOS 9
  public func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
    try SimulatedPhone.setPreferredPattern(pattern?.rawValue, of: source)
  }
}

// iOS 6, tvOS 9
open class AVAudioSessionPortDescription {
  let port: SimulatedPort
  init(_ port: SimulatedPort) { self.port = port }

  public var portType: AVAudioSession.Port { AVAudioSession.Port(rawValue: port.type) }
  public var portName: String { port.name }
  public var uid: String { port.id }
  public var channels: [AVAudioSessionChannelDescription]? {
    (0..<port.channelCount).map { _ in AVAudioSessionChannelDescription() }
  }
  // iOS 7, tvOS 9
  public var dataSources: [AVAudioSessionDataSourceDescription]? {
    port.sources.isEmpty ? nil : port.sources.map { AVAudioSessionDataSourceDescription($0) }
  }
  // iOS 7, tvOS 9
  public var preferredDataSource: AVAudioSessionDataSourceDescription? {
    let name = SimulatedPhone.session.preferredSource[port.id]
    return port.sources.first { $0.name == name }.map { AVAudioSessionDataSourceDescription($0) }
  }
  // iOS 7, tvOS 9
  public func setPreferredDataSource(
    _ dataSource: AVAudioSessionDataSourceDescription?
  ) throws { try SimulatedPhone.setPreferredSource(dataSource?.dataSourceName, of: port.id) }
}

// iOS 6, tvOS 9
open class AVAudioSessionRouteDescription {
  public let inputs: [AVAudioSessionPortDescription]
  public let outputs: [AVAudioSessionPortDescription]
  init() {
    inputs = SimulatedPhone.input.map { [AVAudioSessionPortDescription($0)] } ?? []
    outputs = SimulatedPhone.output.map { [AVAudioSessionPortDescription($0)] } ?? []
  }
}
#endif
