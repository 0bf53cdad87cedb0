/// A receiver of recorded samples.
///
/// This is a protocol, because a stored function with a span in its type would make programs for
/// Apple's systems before version 26 need `libswiftCompatibilitySpan`, which only Xcode adds to
/// apps.
package protocol SampleListener: AnyObject, Sendable {
  /// Receives interleaved samples; the span is valid during the call only.
  func receive(_ samples: borrowing Span<Float>)
}
