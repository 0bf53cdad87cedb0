import SimulatedApple

/// The objects of a program, whose handles are numbers, so that a use after disposal is detected.
struct Handles<Object> {
  private let content = Guarded<(last: Int, objects: [Int: Object])>((last: 0, objects: [:]))
  /// The kind of the objects, for messages.
  let kind: String

  init(to kind: String) {
    self.kind = kind
  }

  var count: Int { content.change { $0.objects.count } }

  func add(_ object: Object) -> OpaquePointer? {
    let number = content.change { content in
      content.last += 1
      content.objects[content.last] = object
      return content.last
    }
    return unsafe OpaquePointer(bitPattern: number)
  }

  /// Returns the object, or nil if it was disposed of, which is recorded as a fault of the caller.
  func find(_ handle: OpaquePointer, _ call: String) -> Object? {
    let object = content.change { $0.objects[Int(bitPattern: handle)] }
    if object == nil { SimulatedUnits.recordFault("\(call) for a \(kind) that was disposed of.") }
    return object
  }

  func remove(_ handle: OpaquePointer) {
    content.change { _ = $0.objects.removeValue(forKey: Int(bitPattern: handle)) }
  }

  func removeAll() {
    content.change { $0.objects = [:] }
  }
}
