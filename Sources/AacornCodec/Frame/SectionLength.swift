/// How the length of a section is coded: in fields of a few bits, of which all but the last are
/// full (ISO/IEC 14496-3, table 4.52).
struct SectionLength {
  /// Bits of a field.
  let fieldWidth: Int

  init(isShort: Bool) {
    fieldWidth = isShort ? 3 : 5
  }

  /// The value of a full field, which another one follows.
  var escape: Int { 1 << fieldWidth - 1 }
}
