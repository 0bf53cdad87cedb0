/// The longest run of consecutive numbers among captured frames.
///
/// A busy server may insert silence, which has the number 0.
package struct NumberRun {
  package private(set) var maxCount = 0
  private var count = 0
  private var last = 0

  package init() {}

  package mutating func append(_ number: Int) {
    if number == 0 { return }
    count = number == last + 1 ? count + 1 : 1
    last = number
    maxCount = max(maxCount, count)
  }
}
