import AacornSystem

/// An up-to-date list of the devices for capture, without polling.
///
/// A system is queried when the watcher starts, and again after the system reported a change. The
/// watcher has no thread. Its owner calls `refresh` on one thread: at the start, after each call of
/// `change`, and after `pause` without a call:
///
///     while !isStopping {
///       if let listings = watcher.refresh() { show(listings) }
///       _ = wake.wait(milliseconds: watcher.pause)
///     }
package struct DeviceWatcher: Sendable {
  /// The systems that are queried.
  package enum Scope: Sendable {
    /// All systems.
    case all
    /// The systems up to the first one with devices; the others offer the same devices under other
    /// names.
    case preferred
  }

  /// The devices of a system, or the reason why it cannot be used.
  package struct Listing: Sendable {
    package let system: any DeviceSystem.Type
    package let result: Result<[Device], DeviceError>

    package init(_ system: any DeviceSystem.Type) {
      self.system = system
      result = Result { () throws(DeviceError) in try system.usableDevices(for: .capture) }
    }

    /// The devices; empty if the system cannot be used.
    package var devices: [Device] { (try? result.get()) ?? [] }

    /// The reason why there are no devices.
    package var error: DeviceError? {
      if case .failure(let error) = result { error } else { nil }
    }
  }

  private struct Entry: Sendable {
    let system: any DeviceSystem.Type
    var listing: Listing?
    /// Reports changes to the watcher until it is released; nil before the first query, or if the
    /// system cannot report changes.
    var watch: (any Sendable & AnyObject)?

    /// The interval in milliseconds between queries of a system that cannot report changes; nil if
    /// it reports all changes or cannot become usable.
    var pollInterval: Int? {
      guard let listing else { return nil }
      return switch listing.error {
      case .libraryMissing, .libraryUnsuitable, .notPreferred, .backendUnavailable: nil
      // No system reports that the user grants permission.
      case .permissionDenied: DeviceWatcher.pollInterval
      default: watch == nil ? DeviceWatcher.pollInterval : nil
      }
    }
  }

  private let scope: Scope
  private let change: @Sendable () -> Void
  private let reports: ChangeReports
  private var entries: [Entry]
  /// The indexes of the systems to query.
  private var changed: Set<Int>

  /// The maximum time in milliseconds until the next call of `refresh`.
  package private(set) var pause = 0

  /// Milliseconds without further changes before a query: connecting a device causes several
  /// changes.
  private static let settleMilliseconds = 50
  /// Milliseconds between queries of a system that cannot report changes.
  private static let pollInterval = 2000
  /// Milliseconds between calls of `refresh` if all systems report their changes.
  private static let longPause = 60_000

  /// Creates a watcher of systems in order of preference; `change` is called on any thread.
  package init(
    _ systems: [any DeviceSystem.Type], _ scope: Scope, _ change: @escaping @Sendable () -> Void
  ) {
    self.scope = scope
    self.change = change
    reports = ChangeReports()
    entries = systems.map { Entry(system: $0) }
    changed = Set(entries.indices)
  }

  /// Queries the systems that have changed, which may take seconds; returns nil if there are none,
  /// or if they may still be changing.
  package mutating func refresh() -> [Listing]? {
    let isFirst = entries.allSatisfy { $0.listing == nil }
    let new = reports.take()
    changed.formUnion(new)
    if !isFirst && !new.isEmpty {
      pause = Self.settleMilliseconds
      return nil
    }
    let isPolling = pause == Self.pollInterval
    if isPolling { changed.formUnion(entries.indices.filter { entries[$0].pollInterval != nil }) }
    let listings = changed.isEmpty ? nil : query()
    let listed = listings?.indices ?? entries.indices
    pause = listed.compactMap { entries[$0].pollInterval }.min() ?? Self.longPause
    return listings
  }

  /// Queries the changed systems that are in the scope.
  private mutating func query() -> [Listing] {
    var listings: [Listing] = []
    for index in entries.indices {
      let system = entries[index].system
      let old = entries[index].listing
      let listing: Listing
      if let old, !changed.contains(index) {
        listing = old
      } else {
        // Changes during the first query are reported, too.
        if entries[index].watch == nil { watch(index) }
        changed.remove(index)
        listing = Listing(system)
        entries[index].listing = listing
      }
      listings.append(listing)
      if scope == .preferred && !listing.devices.isEmpty { break }
    }
    return listings
  }

  private mutating func watch(_ index: Int) {
    entries[index].watch = entries[index].system.watchDevices { [reports, change] in
      if reports.add(index) { change() }
    }
  }
}

extension [DeviceWatcher.Listing] {
  /// The first system with devices; throws the reasons if there is none.
  package func preferred() throws(DeviceError) -> (
    system: any DeviceSystem.Type, devices: [Device]
  ) {
    if let listing = first(where: { !$0.devices.isEmpty }) {
      return (listing.system, listing.devices)
    }
    throw .nothingUsable(for: .capture, compactMap(\.error))
  }
}

/// The systems that have reported changes.
private final class ChangeReports: Sendable {
  private let indexes = Lock<Set<Int>>([])

  /// Adds a system; returns whether no other system has reported a change since the last `take`.
  func add(_ index: Int) -> Bool {
    indexes.withLock { indexes in
      defer { indexes.insert(index) }
      return indexes.isEmpty
    }
  }

  func take() -> Set<Int> {
    indexes.withLock { indexes in
      defer { indexes = [] }
      return indexes
    }
  }
}
