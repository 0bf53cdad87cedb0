/// The kinds of syntactic element in a raw_data_block (ISO/IEC 14496-3, table 4.85).
@frozen
public enum ElementKind: UInt8, Equatable, Sendable {
  /// One channel (SCE).
  case single = 0
  /// Two channels coded together (CPE).
  case pair = 1
  /// A coupling channel (CCE).
  case coupling = 2
  /// The low-frequency effects channel (LFE).
  case lowFrequency = 3
  /// Arbitrary bytes (DSE).
  case data = 4
  /// A program config element (PCE).
  case programConfig = 5
  /// Fill bits, or an extension such as SBR (FIL).
  case fill = 6
  /// The end of the block.
  case end = 7
}
