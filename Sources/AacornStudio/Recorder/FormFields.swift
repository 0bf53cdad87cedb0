import AacornNetwork
import AacornRecording

/// The fields of a form, with validation of their values.
struct FormFields {
  private let fields: [HTTPField]

  /// The maximum length of a value in bytes.
  ///
  /// Most values are sent to all pages again at every change.
  static let valueLimit = 2000

  /// Reads the fields of a request, if any; throws if the body is not a form.
  init(_ request: HTTPRequest) throws(StudioError) {
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

  /// Accesses the value of a field; nil if the field is missing or empty.
  subscript(name: String) -> String? {
    fields.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// Returns all values of a field.
  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// Returns the value of a field that accepts only certain words; nil if the field is missing.
  func choice<Value>(
    _ name: String, _ value: (String) -> Value?
  ) throws(StudioError) -> Value? {
    guard let text = self[name] else { return nil }
    guard let value = value(text) else {
      throw .impossible("The field “\(name)” does not accept “\(HTTPRequest.printable(text))”.")
    }
    return value
  }

  /// Returns the value of a field with a whole number; nil if the field is missing.
  func number(_ name: String, in range: ClosedRange<Int>) throws(StudioError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .impossible(
        "The field “\(name)” takes a number from \(range.lowerBound) to \(range.upperBound), not "
          + "“\(HTTPRequest.printable(text))”.")
    }
    return number
  }

  /// Returns the value of a field with `true` or `false`; nil if the field is missing.
  func flag(_ name: String) throws(StudioError) -> Bool? { try choice(name) { Bool($0) } }

  /// Returns the gain in decibels, from −60 to 60; nil if the field is missing.
  func gain() throws(StudioError) -> Double? {
    guard let text = self["gain"] else { return nil }
    guard let gain = Gain.parse(text) else {
      throw .impossible(
        "The gain must be in decibels from -60 to 60, not “\(HTTPRequest.printable(text))”.")
    }
    return gain
  }
}
