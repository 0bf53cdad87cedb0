extension BitReader {
  /// Takes one codeword of a table of `DecodingTables` and returns its entry.
  @inline(__always)
  mutating func readSymbol(_ table: [UInt32]) -> UInt32 {
    let entry = Self.symbol(next32, table)
    skip(Int(entry & 31))
    return entry
  }

  /// The entry for the codeword at the top of `next`.
  @inline(__always)
  static func symbol(_ next: UInt32, _ table: [UInt32]) -> UInt32 {
    let entry = table[Int(next &>> 24)]
    if entry & 0x100 == 0 { return entry }
    let rest = (next &<< 8) &>> (32 &- entry & 31)
    return table[Int(entry &>> 16 &+ rest)]
  }
}
