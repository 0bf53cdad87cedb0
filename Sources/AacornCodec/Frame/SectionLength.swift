/// The coding of a section's length (ISO/IEC 14496-3, table 4.52).
///
/// It is a sequence of fields of a few bits, of which all but the last have the maximum value.
struct SectionLength {
  /// The width of a field in bits.
  let fieldWidth: Int

  init(isShort: Bool) {
    fieldWidth = isShort ? 3 : 5
  }

  /// The maximum value of a field, after which another field follows.
  var escape: Int { 1 << fieldWidth - 1 }
}
