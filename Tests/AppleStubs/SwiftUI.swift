// swift-format-ignore-file
// A stub of Apple's SwiftUI for Scripts/check-apple: only the declarations that
// Examples/RecorderApp uses, as Swift imports them. It is for type checking on other systems and
// cannot be linked or run.

@_exported public import Foundation

// CGGeometry.h, macOS 10.0, iOS 2. A separate structure in Apple's header; the example converts
// where necessary.
public typealias CGFloat = Double

public struct CGSize: Sendable {
  public var width: CGFloat
  public var height: CGFloat
}

public struct CGRect: Sendable {
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {}
}

// SwiftUI: App and Scene, iOS 14, macOS 11.
@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor @preconcurrency
  public static func main() { fatalError() }
}

@MainActor @preconcurrency
public protocol Scene {}

// SwiftUI, iOS 13, macOS 10.15.
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

// Not in Apple's interface.
/// A view of the stub, which needs no body.
@MainActor @preconcurrency
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { fatalError() }
}

// SwiftUI, iOS 13, macOS 10.15.
extension Optional: View where Wrapped: View {
  public var body: Never { fatalError() }
}

// Not in Apple's interface.
/// A view that replaces views of any type, because declarations of generic types with several
/// parameters need iOS 17.
public struct AnyStubView: PrimitiveView {
  nonisolated init() {}
}

// SwiftUI, iOS 14, macOS 11.
@resultBuilder
public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

// SwiftUI, iOS 13, macOS 10.15.
@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> AnyStubView { AnyStubView() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

// SwiftUI, iOS 14, macOS 11.
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

// SwiftUI: State and Binding, iOS 13, macOS 10.15.
@propertyWrapper
public struct State<Value> {
  public init(wrappedValue value: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() {}
}

@propertyWrapper
public struct Binding<Value> {
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
}

// SwiftUI: containers, iOS 13, macOS 10.15.
public enum HorizontalAlignment {
  case leading, center, trailing
}

public struct VStack<Content: View>: PrimitiveView {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {}
}

public struct HStack<Content: View>: PrimitiveView {
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}

public struct TabView<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

// SwiftUI, iOS 16, macOS 13.
public struct NavigationStack<Content: View>: PrimitiveView {
  public init(@ViewBuilder root: () -> Content) {}
}

// SwiftUI, iOS 13, macOS 10.15.
public struct Form<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Content: View>: PrimitiveView {
  public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {}

public struct List<Content: View>: PrimitiveView {
  public init<Data: RandomAccessCollection, RowContent: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Data.Element: Identifiable, Content == ForEach<Data, Data.Element.ID, RowContent> {}
}

// SwiftUI: controls and contents, iOS 13, macOS 10.15.
public struct Text: PrimitiveView {
  public init<Content: StringProtocol>(_ content: Content) {}
}

// SwiftUI, iOS 14, macOS 11.
public struct Label: PrimitiveView {
  public init<Title: StringProtocol>(_ title: Title, systemImage: String) {}
}

// SwiftUI, iOS 13, macOS 10.15.
public struct Spacer: PrimitiveView {
  public init() {}
}

public struct Button: PrimitiveView {
  public init<Title: StringProtocol>(
    _ title: Title, action: @escaping @MainActor () -> Void
  ) {}
}

public struct TextField: PrimitiveView {
  public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
}

// SwiftUI, iOS 16, macOS 13.
public struct ShareLink: PrimitiveView {
  public init(item: URL) {}
}

// SwiftUI, iOS 13, macOS 10.15.
public struct Path {
  public init(_ rect: CGRect) {}
}

// SwiftUI, iOS 15, macOS 12.
public struct GraphicsContext {
  public struct Shading {
    public static func color(_ color: Color) -> Shading { fatalError() }
  }
  public func fill(_ path: Path, with shading: Shading) {}
}

public struct Canvas: PrimitiveView {
  public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
}

// SwiftUI: styles, iOS 13, macOS 10.15.
public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle {
  public static var accentColor: Color { fatalError() }
}

// SwiftUI, iOS 15, macOS 12.
public struct HierarchicalShapeStyle: ShapeStyle {}

// SwiftUI, iOS 13, macOS 10.15.
extension ShapeStyle where Self == Color {
  public static var red: Color { fatalError() }
  public static var green: Color { fatalError() }
}

// SwiftUI, iOS 15, macOS 12.
extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { fatalError() }
}

// SwiftUI, iOS 13, macOS 10.15.
public struct Font: Sendable {
  public static let largeTitle = Font()
  public static let title = Font()
}

public protocol PrimitiveButtonStyle {}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  public static var borderless: BorderlessButtonStyle { fatalError() }
}

// SwiftUI, iOS 15; not on Macs.
public struct TextInputAutocapitalization: Sendable {
  public static var never: TextInputAutocapitalization { fatalError() }
}

// SwiftUI: modifiers, iOS 13, macOS 10.15.
extension View {
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { AnyStubView() }
  public func padding() -> some View { AnyStubView() }
  public func font(_ font: Font?) -> some View { AnyStubView() }
  // iOS 15, macOS 12.
  public func monospacedDigit() -> some View { AnyStubView() }
  public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View { AnyStubView() }
  // iOS 13, macOS 10.15.
  public func disabled(_ disabled: Bool) -> some View { AnyStubView() }
  public func buttonStyle<Style: PrimitiveButtonStyle>(_ style: Style) -> some View {
    AnyStubView()
  }
  public func autocorrectionDisabled(_ disable: Bool = true) -> some View { AnyStubView() }
  // iOS 15; not on Macs.
  public func textInputAutocapitalization(
    _ autocapitalization: TextInputAutocapitalization?
  ) -> some View { AnyStubView() }
  // iOS 14, macOS 11.
  public func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View {
    AnyStubView()
  }
  // iOS 13, macOS 10.15.
  public func tabItem<Content: View>(@ViewBuilder _ label: () -> Content) -> some View {
    AnyStubView()
  }
  // iOS 15, macOS 12.
  public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { AnyStubView() }
}
