// swift-format-ignore-file
// A stub of Apple's SwiftUI for Scripts/check-apple: the declarations that Examples/RecorderApp uses,
// in the form in which Swift sees them, and nothing else. It is for checking types on other systems;
// nothing can be linked or run with it.

@_exported public import Foundation

// CoreGraphics/CGGeometry.h. A structure of its own there; the example converts wherever it has to.
public typealias CGFloat = Double

public struct CGSize: Sendable {
  public var width: CGFloat
  public var height: CGFloat
}

public struct CGRect: Sendable {
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {}
}

// App, Scene, View; iOS 14, 14 and 13.
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

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

/// What all the stub's own views have for a body.
@MainActor @preconcurrency
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError() }
}

/// What stands for views of any type: generic types of several need iOS 17 where they are declared.
public struct AnyStubView: PrimitiveView {
  nonisolated init() {}
}

@resultBuilder
public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> AnyStubView { AnyStubView() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

// State and Binding; iOS 13.
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

// Containers; iOS 13, but for NavigationStack, iOS 16.
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

public struct NavigationStack<Content: View>: PrimitiveView {
  public init(@ViewBuilder root: () -> Content) {}
}

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

// Controls and contents; iOS 13, but for Label, iOS 14, and ShareLink, iOS 16.
public struct Text: PrimitiveView {
  public init<Content: StringProtocol>(_ content: Content) {}
}

public struct Label: PrimitiveView {
  public init<Title: StringProtocol>(_ title: Title, systemImage: String) {}
}

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

public struct ShareLink: PrimitiveView {
  public init(item: URL) {}
}

// Canvas; iOS 15.
public struct Path {
  public init(_ rect: CGRect) {}
}

public struct GraphicsContext {
  public struct Shading {
    public static func color(_ color: Color) -> Shading { fatalError() }
  }
  public func fill(_ path: Path, with shading: Shading) {}
}

public struct Canvas: PrimitiveView {
  public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
}

// Styles.
public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle {
  public static var accentColor: Color { fatalError() }
}

public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == Color {
  public static var red: Color { fatalError() }
  public static var green: Color { fatalError() }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { fatalError() }
}

public struct Font: Sendable {
  public static let largeTitle = Font()
  public static let title = Font()
}

public protocol PrimitiveButtonStyle {}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  public static var borderless: BorderlessButtonStyle { fatalError() }
}

/// TextInputAutocapitalization; iOS 15.
public struct TextInputAutocapitalization: Sendable {
  public static var never: TextInputAutocapitalization { fatalError() }
}

// Modifiers; `task` iOS 15, `foregroundStyle` iOS 15, `monospacedDigit` iOS 15.
extension View {
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { AnyStubView() }
  public func padding() -> some View { AnyStubView() }
  public func font(_ font: Font?) -> some View { AnyStubView() }
  public func monospacedDigit() -> some View { AnyStubView() }
  public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View { AnyStubView() }
  public func disabled(_ disabled: Bool) -> some View { AnyStubView() }
  public func buttonStyle<Style: PrimitiveButtonStyle>(_ style: Style) -> some View {
    AnyStubView()
  }
  public func autocorrectionDisabled(_ disable: Bool = true) -> some View { AnyStubView() }
  public func textInputAutocapitalization(
    _ autocapitalization: TextInputAutocapitalization?
  ) -> some View { AnyStubView() }
  public func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View {
    AnyStubView()
  }
  public func tabItem<Content: View>(@ViewBuilder _ label: () -> Content) -> some View {
    AnyStubView()
  }
  public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { AnyStubView() }
}
