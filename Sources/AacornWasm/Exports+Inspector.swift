import AacornCodec
import AacornContainers
import AacornInspection

// Inspections of files. This is a separate module, which only pages that inspect files load.
//
//     handle = aacorn_inspector_create(byteCount)
//     while ((step = aacorn_inspector_step(handle)) > 0)
//       1   bytes at aacorn_inspector_offset, at most aacorn_inspector_wanted → input,
//           aacorn_inspector_supply(handle, length)
//       2   aacorn_inspector_rows(handle) rows ← output
//     length = aacorn_inspector_report(handle), JSON ← output

/// Creates an inspection of a file of `byteCount` bytes; returns a handle or a failure.
@c(aacorn_inspector_create)
func createInspector(_ byteCount: Double) -> Int32 {
  guard let count = wholeNumber(byteCount) else { return Failure.tooLong }
  return Sessions.add(InspectorSession(byteCount: count))
}

/// Continues; returns 0 when finished, 1 if it requests bytes, 2 if there are rows, or a failure.
@c(aacorn_inspector_step)
func stepInspector(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asInspector?.step().rawValue ?? Failure.unknownHandle
}

/// Returns the file offset of the requested bytes.
@c(aacorn_inspector_offset)
func inspectorOffset(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.wantedOffset ?? 0)
}

/// Returns the number of requested bytes.
@c(aacorn_inspector_wanted)
func inspectorWanted(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.wantedCount ?? 0)
}

/// Supplies bytes from the input; fewer than requested means that the file ends there.
///
/// Returns 0 or a failure.
@c(aacorn_inspector_supply)
func supplyInspector(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asInspector?.supply(Int(byteCount)) ?? Failure.unknownHandle
}

/// Returns the number of rows in the output.
@c(aacorn_inspector_rows)
func inspectorRows(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asInspector?.rowCount ?? Failure.unknownHandle
}

/// Outputs the report as JSON; returns its length or a failure.
@c(aacorn_inspector_report)
func putReport(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asInspector?.putReport() ?? Failure.unknownHandle
}

/// Outputs `count` audio levels, a byte each; returns their number or a failure.
@c(aacorn_inspector_levels)
func putLevels(_ handle: Int32, _ count: Int32) -> Int32 {
  Sessions[handle]?.asInspector?.putLevels(Int(count)) ?? Failure.unknownHandle
}

/// Outputs the name of an audio object type; returns its length or a failure.
@c(aacorn_inspector_profile)
func putProfile(_ handle: Int32, _ objectType: Int32) -> Int32 {
  guard let session = Sessions[handle] else { return Failure.unknownHandle }
  var text: [UInt8] = []
  text.append(text: AudioObjectType(rawValue: UInt8(truncatingIfNeeded: objectType)).name)
  return session.put(text)
}
