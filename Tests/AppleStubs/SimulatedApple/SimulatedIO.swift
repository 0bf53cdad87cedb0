/// A unit that moves samples, as the rest of the simulated system sees it.
package protocol SimulatedIO: AnyObject, Sendable {
  /// Whether it calls its callbacks.
  var isRunning: Bool { get }
  /// Whether it takes sound in.
  var captures: Bool { get }
  /// Ends its calls from outside, as an interruption does; it may be started again.
  func halt()
  /// Ends it for good: the service that it belonged to is gone.
  func orphan()
  /// Has it move the blocks of so many seconds on its own thread, to the nearest block, and waits until
  /// it has; nothing if it does not run.
  func step(_ seconds: Double)
  /// Lets a block pass without moving it, as if the thread came too late.
  func skip()
  /// The settings of its voice processing, by their properties.
  var voiceSettings: [UInt32: UInt32] { get }
  /// How long its blocks are, in seconds.
  var blockSeconds: Double { get }
}

/// All units that were made and not disposed of, on a phone or a Mac.
package enum SimulatedUnits {
  private static let content = Guarded<[any SimulatedIO]>([])
  private static let faultContent = Guarded<[String]>([])

  /// Those that are open.
  package static var open: [any SimulatedIO] { content.change { $0 } }
  /// Those that run.
  package static var running: [any SimulatedIO] { open.filter(\.isRunning) }

  package static func add(_ unit: any SimulatedIO) {
    content.change { $0.append(unit) }
  }

  package static func remove(_ unit: any SimulatedIO) {
    content.change { units in units.removeAll { $0 === unit } }
  }

  /// Lets all units that run move a block; those with shorter ones sometimes move two.
  package static func step() {
    let running = running
    let seconds = running.map(\.blockSeconds).max() ?? 0.01
    SimulatedTime.pass(seconds) {
      for unit in running { unit.step(seconds) }
    }
  }

  /// Lets a block pass of which nobody is told.
  package static func skip() {
    let running = running
    for unit in running { unit.skip() }
    SimulatedTime.pass(running.map(\.blockSeconds).max() ?? 0.01)
  }

  // MARK: Faults of callers

  /// What no program may do, whatever the system answers: wrong order, use after the end.
  package static var faults: [String] { faultContent.change { $0 } }

  package static func blame(_ fault: String) {
    faultContent.change { $0.append(fault) }
  }

  /// Forgets everything.
  package static func reset() {
    content.change { $0 = [] }
    faultContent.change { $0 = [] }
  }
}
