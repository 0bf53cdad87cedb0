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

  /// Performs a call for an object.
  ///
  /// If the object was disposed of, records a fault of the caller and returns an error code.
  func perform(_ call: String, _ handle: OpaquePointer, _ body: (Object) -> Int32) -> Int32 {
    if let object = content.change({ $0.objects[Int(bitPattern: handle)] }) { return body(object) }
    SimulatedUnits.recordFault("\(call) for a \(kind) that was disposed of.")
    return UnitStatus.parameter
  }

  func remove(_ handle: OpaquePointer) {
    content.change { _ = $0.objects.removeValue(forKey: Int(bitPattern: handle)) }
  }

  func removeAll() {
    content.change { $0.objects = [:] }
  }
}
