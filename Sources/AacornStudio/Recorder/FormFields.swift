import AacornRecording
import AacornWeb

/// The fields of a form, and their possible values.
struct FormFields {
  private let fields: [HTTPField]

  /// The longest value in bytes: most are sent to all pages again at every change.
  static let valueLimit = 2000

  /// The fields of a request, which may have none; throws if its body is not a form.
  init(_ request: HTTPRequest) throws(StudioRefusal) {
    guard let fields = request.body.isEmpty ? [] : request.form() else {
      throw .impossible("The request's body is not a form (application/x-www-form-urlencoded).")
    }
    for field in fields where field.value.utf8.count > Self.valueLimit {
      throw .impossible(
        "The field “\(HTTPRequest.printable(field.name, longest: 40))” has more than the"
          + " \(Self.valueLimit) bytes that are allowed. Shorten it.")
    }
    self.fields = fields
  }

  /// The value of a field that exists and is not empty.
  subscript(name: String) -> String? {
    fields.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of a field.
  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// One of several words.
  func choice<Value>(
    _ name: String, _ value: (String) -> Value?
  ) throws(StudioRefusal) -> Value? {
    guard let text = self[name] else { return nil }
    guard let value = value(text) else {
      throw .impossible("The field “\(name)” does not accept “\(HTTPRequest.printable(text))”.")
    }
    return value
  }

  /// A whole number.
  func number(_ name: String, in range: ClosedRange<Int>) throws(StudioRefusal) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .impossible(
        "The field “\(name)” takes a number from \(range.lowerBound) to \(range.upperBound), not "
          + "“\(HTTPRequest.printable(text))”.")
    }
    return number
  }

  /// `true` or `false`.
  func flag(_ name: String) throws(StudioRefusal) -> Bool? { try choice(name) { Bool($0) } }

  /// Decibels.
  func gain() throws(StudioRefusal) -> Double? {
    guard let text = self["gain"] else { return nil }
    guard let gain = Gain.parse(text) else {
      throw .impossible(
        "The gain must be in decibels from -60 to 60, not “\(HTTPRequest.printable(text))”.")
    }
    return gain
  }
}
