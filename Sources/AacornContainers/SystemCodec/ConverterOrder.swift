import AacornCodec

/// The formats of a conversion and the encoders that may perform it.
package struct ConverterOrder: Equatable, Sendable {
  /// An encoder, identified by the type, subtype and manufacturer of its component.
  package struct CodecComponent: Equatable, Sendable {
    /// The component type: encoder.
    package let type = FourCharacterCode("a", "e", "n", "c").rawValue
    /// The component subtype: the coded format.
    package let subtype: UInt32
    /// The component manufacturer, which differs between hardware and software encoders.
    package let manufacturer: UInt32
  }

  /// The input format.
  package let source: ConverterFormat
  /// The output format.
  package let target: ConverterFormat
  /// The permitted encoders; empty if the system may choose.
  package let components: [CodecComponent]

  /// Creates the order for a configuration.
  package init(_ configuration: SystemEncoderConfiguration) {
    source = ConverterFormat(samplesFor: configuration)
    target = ConverterFormat(codedFor: configuration)
    let manufacturer: FourCharacterCode
    switch configuration.processing {
    case .any:
      components = []
      return
    case .hardware: manufacturer = FourCharacterCode("a", "p", "h", "w")
    case .software: manufacturer = FourCharacterCode("a", "p", "p", "l")
    }
    components = [CodecComponent(subtype: target.formatID, manufacturer: manufacturer.rawValue)]
  }
}
