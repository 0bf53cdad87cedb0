/// The interface of an audio unit to the rest of the simulated system.
package protocol SimulatedIO: AnyObject, Sendable {
  /// Whether the unit calls its callbacks.
  var isRunning: Bool { get }
  /// Whether the unit has an input.
  var captures: Bool { get }
  /// Stops the callbacks from outside, as an interruption does. The unit may be started again.
  func halt()
  /// Stops the unit permanently, because its audio service has ended.
  func orphan()
  /// Moves blocks for `seconds`, rounded to whole blocks, on the unit's thread, and waits for them.
  /// Does nothing if the unit is not running.
  func step(_ seconds: Double)
  /// Skips a block, as if the thread had been late.
  func skip()
  /// The settings of voice processing, by property.
  var voiceSettings: [UInt32: UInt32] { get }
  /// The duration of a block in seconds.
  var blockSeconds: Double { get }
}

/// All units that were created and not disposed of, on a phone or a Mac.
package enum SimulatedUnits {
  private static let content = Guarded<[any SimulatedIO]>([])
  private static let faultContent = Guarded<[String]>([])

  package static var open: [any SimulatedIO] { content.change { $0 } }
  package static var running: [any SimulatedIO] { open.filter(\.isRunning) }

  package static func add(_ unit: any SimulatedIO) {
    content.change { $0.append(unit) }
  }

  package static func remove(_ unit: any SimulatedIO) {
    content.change { units in units.removeAll { $0 === unit } }
  }

  /// Moves one block of the longest duration in each running unit; units with shorter blocks may
  /// move two.
  package static func step() {
    let running = running
    let seconds = running.map(\.blockSeconds).max() ?? 0.01
    SimulatedTime.pass(seconds) {
      for unit in running { unit.step(seconds) }
    }
  }

  /// Skips a block without notifying any unit's program.
  package static func skip() {
    let running = running
    for unit in running { unit.skip() }
    SimulatedTime.pass(running.map(\.blockSeconds).max() ?? 0.01)
  }

  // MARK: Faults of callers

  /// The errors of the code under test: calls in the wrong order, and use after disposal.
  package static var faults: [String] { faultContent.change { $0 } }

  package static func recordFault(_ fault: String) {
    faultContent.change { $0.append(fault) }
  }

  /// Removes all units and recorded faults.
  package static func reset() {
    content.change { $0 = [] }
    faultContent.change { $0 = [] }
  }
}
