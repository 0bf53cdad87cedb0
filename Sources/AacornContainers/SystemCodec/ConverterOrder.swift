import AacornCodec

/// What a converter is to make of what, and who is to do it.
package struct ConverterOrder: Equatable, Sendable {
  /// An encoder by the three names of a component.
  package struct Maker: Equatable, Sendable {
    /// What it is: an encoder.
    package let type = FourCharacterCode("a", "e", "n", "c").rawValue
    /// The format that it makes.
    package let subtype: UInt32
    /// Who it is of, which also says what it runs on.
    package let manufacturer: UInt32
  }

  /// What goes in.
  package let source: ConverterFormat
  /// What comes out.
  package let target: ConverterFormat
  /// Who may do it; empty if the system is to choose.
  package let makers: [Maker]

  /// What a configuration asks for.
  package init(_ configuration: SystemEncoderConfiguration) {
    source = ConverterFormat(samplesFor: configuration)
    target = ConverterFormat(codedFor: configuration)
    let manufacturer: FourCharacterCode
    switch configuration.processing {
    case .any:
      makers = []
      return
    case .hardware: manufacturer = FourCharacterCode("a", "p", "h", "w")
    case .software: manufacturer = FourCharacterCode("a", "p", "p", "l")
    }
    makers = [Maker(subtype: target.formatID, manufacturer: manufacturer.rawValue)]
  }
}
