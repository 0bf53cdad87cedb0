/// Whether the tests are compiled for debugging; the longest of them then use smaller inputs.
///
/// Only the codec is optimized in a debug build, and `swift test` should take minutes.
#if DEBUG
package let isDebugBuild = true
#else
package let isDebugBuild = false
#endif
