package import AacornSystem
import Glibc

extension Simulation {
  package func access(_ call: DiskCall, count: Int, _ perform: (Int) -> Int) -> Int {
    var isNew = false
    if case .close(let descriptor) = call { descriptors.close(descriptor) }
    if case .open(let path, creates: true) = call { isNew = (try? System.status(of: path)) == nil }
    let result = disk?.access(call, count: count, perform) ?? perform(count)
    if case .open = call, result >= 0 { descriptors.add(Int32(result)) }
    switch call {
    case _ where result < 0: break
    case .write(let descriptor, _), .truncate(let descriptor): setModificationTime(of: descriptor)
    case .open(_, creates: true) where isNew: setModificationTime(of: Int32(result))
    default: break
    }
    return result
  }

  package func note(_ descriptor: Int32) { descriptors.add(descriptor) }

  /// Sets the time of a changed file, which the system has set by the real clock.
  private func setModificationTime(of descriptor: Int32) {
    let time = timespec(
      tv_sec: Int(wallTime / 1_000_000_000), tv_nsec: Int(wallTime % 1_000_000_000))
    // A pipe or a device can refuse it.
    _ = unsafe futimens(descriptor, [time, time])
  }
}
