public import AacornCodec

extension AACBackEnd {
  /// Whether the operating system includes an AAC encoder.
  public static var hasSystemEncoder: Bool {
    #if canImport(AudioToolbox) && !os(watchOS)
    return true
    #else
    return false
    #endif
  }

  /// Throws the reason why this back end cannot encode with a configuration.
  ///
  /// Checks only what is known without creating an encoder. The package's own encoder validates its
  /// configuration itself, so this method never throws for it.
  public func validate(_ configuration: AACEncoder.Configuration) throws(AACBackEndError) {
    guard case .system(let processing) = self else { return }
    guard Self.hasSystemEncoder else { throw .noSystemEncoder }
    try SystemEncoderConfiguration(configuration, processing).validate()
  }
}
