import CAacornAtomics

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension System {
  /// Returns an extended attribute of a file; nil if the file lacks it, or its disk stores none.
  package static func attribute(_ name: String, of path: String) -> String? {
    guard let path = try? cString(path), let name = try? cString(name) else { return nil }
    var value = [UInt8](repeating: 0, count: 256)
    #if canImport(Darwin)
    let count = unsafe getxattr(path, name, &value, value.count, 0, 0)
    #else
    let count = Int(unsafe aacorn_attribute(path, name, &value, Int64(value.count)))
    #endif
    return count < 0 ? nil : String(decoding: value[..<count], as: UTF8.self)
  }

  /// Sets an extended attribute of a file, if its disk stores such attributes.
  package static func setAttribute(_ name: String, of path: String, to value: String) {
    guard let path = try? cString(path), let name = try? cString(name) else { return }
    let bytes = Array(value.utf8)
    #if canImport(Darwin)
    _ = unsafe setxattr(path, name, bytes, bytes.count, 0, 0)
    #else
    _ = unsafe aacorn_set_attribute(path, name, bytes, Int64(bytes.count))
    #endif
  }
}
