/// The observers of notifications; the implementation of the notification center.
package enum SimulatedNotifications {
  package typealias Contents = [String: any Sendable]

  /// An observer, which is also its own token.
  package final class Observer: Sendable {
    let name: String
    /// The only sender that is observed; nil for every sender.
    let sender: ObjectIdentifier?
    let action: @Sendable (String, Contents) -> Void

    init(
      _ name: String, _ sender: ObjectIdentifier?,
      _ action: @escaping @Sendable (String, Contents) -> Void
    ) {
      (self.name, self.sender, self.action) = (name, sender, action)
    }
  }

  private static let observers = Guarded<[Observer]>([])

  package static func add(
    _ name: String, from sender: ObjectIdentifier? = nil,
    _ action: @escaping @Sendable (String, Contents) -> Void
  ) -> Observer {
    let observer = Observer(name, sender, action)
    observers.change { $0.append(observer) }
    return observer
  }

  package static func remove(_ token: AnyObject) {
    observers.change { observers in observers.removeAll { $0 === token } }
  }

  /// The number of observers.
  package static var count: Int { observers.change(\.count) }

  /// Notifies the observers of `name` and of the sender on this thread.
  package static func post(
    _ name: String, _ contents: Contents = [:], from sender: ObjectIdentifier? = nil
  ) {
    let notified = observers.change { observers in
      observers.filter { $0.name == name && ($0.sender == nil || $0.sender == sender) }
    }
    for observer in notified {
      observer.action(name, contents)
    }
  }
}
