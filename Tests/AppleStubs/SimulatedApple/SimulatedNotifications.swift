/// The observers of notifications; the implementation of the notification center.
package enum SimulatedNotifications {
  package typealias Contents = [String: any Sendable]

  /// An observer, which is also its own token.
  package final class Observer: Sendable {
    let name: String
    let action: @Sendable (String, Contents) -> Void

    init(_ name: String, _ action: @escaping @Sendable (String, Contents) -> Void) {
      self.name = name
      self.action = action
    }
  }

  private static let observers = Guarded<[Observer]>([])

  package static func add(
    _ name: String, _ action: @escaping @Sendable (String, Contents) -> Void
  ) -> Observer {
    let observer = Observer(name, action)
    observers.change { $0.append(observer) }
    return observer
  }

  package static func remove(_ token: AnyObject) {
    observers.change { observers in observers.removeAll { $0 === token } }
  }

  /// The number of observers.
  package static var count: Int { observers.change(\.count) }

  /// Notifies the observers of `name` on this thread.
  package static func post(_ name: String, _ contents: Contents = [:]) {
    for observer in observers.change({ $0.filter { $0.name == name } }) {
      observer.action(name, contents)
    }
  }
}
