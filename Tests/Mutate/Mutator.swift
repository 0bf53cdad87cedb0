import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Adds all mutants to a file, on the same lines.
final class Mutator: SyntaxRewriter {
  /// The number of the next mutant.
  private(set) var next: Int
  private let file: String
  private let skipped: Set<Int>
  private let lines: [Substring]
  private let converter: SourceLocationConverter

  init(_ file: String, _ source: String, _ tree: some SyntaxProtocol, next: Int, skipped: Set<Int>)
  {
    self.file = file
    self.next = next
    self.skipped = skipped
    lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    converter = SourceLocationConverter(fileName: file, tree: tree)
  }

  /// Prints a mutant, which replaces a range of the file, and returns its number; nil if the compiler refuses mutants in these lines.
  private func add(
    _ operation: String, _ range: Range<AbsolutePosition>, _ replacement: String,
    isTime: Bool = false
  ) -> Int? {
    let line = converter.location(for: range.lowerBound).line
    let last = converter.location(for: range.upperBound).line
    guard skipped.isDisjoint(with: line...last) else { return nil }
    let fields = [
      "\(next)", operation, isTime ? "1" : "0", file, "\(line)", "\(range.lowerBound.utf8Offset)",
      "\(range.upperBound.utf8Offset)", replacement,
    ]
    print(fields.joined(separator: "\0"), terminator: "\u{1E}")
    next += 1
    return next - 1
  }

  private func add(_ operation: String, _ node: some SyntaxProtocol, _ replacement: String) -> Int?
  {
    add(operation, node.trimmedRange, replacement)
  }

  /// Returns the negation of a Bool if its mutant is chosen.
  private func negated(
    _ operation: String, _ node: ExprSyntax, _ rewritten: ExprSyntax
  )
    -> ExprSyntax
  {
    guard !node.is(BooleanLiteralExprSyntax.self) || operation == "return",
      let number = add(operation, node, "!(\(node.trimmedDescription))")
    else { return rewritten }
    return text("aacorn_negated(\(number), \(rewritten.trimmedDescription))", around: node)
  }

  // MARK: Conditions

  override func visit(_ node: ConditionElementSyntax) -> ConditionElementSyntax {
    let rewritten = super.visit(node)
    guard case .expression(let condition) = node.condition,
      case .expression(let inner) = rewritten.condition
    else { return rewritten }
    return rewritten.with(\.condition, .expression(negated("condition", condition, inner)))
  }

  override func visit(_ node: TernaryExprSyntax) -> ExprSyntax {
    let rewritten = super.visit(node).cast(TernaryExprSyntax.self)
    return ExprSyntax(
      rewritten.with(\.condition, negated("condition", node.condition, rewritten.condition)))
  }

  override func visit(_ node: WhereClauseSyntax) -> WhereClauseSyntax {
    let rewritten = super.visit(node)
    return rewritten.with(\.condition, negated("condition", node.condition, rewritten.condition))
  }

  override func visit(_ node: RepeatStmtSyntax) -> StmtSyntax {
    let rewritten = super.visit(node).cast(RepeatStmtSyntax.self)
    return StmtSyntax(
      rewritten.with(\.condition, negated("condition", node.condition, rewritten.condition)))
  }

  // MARK: Bounds

  private static let others = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
  ]

  override func visit(_ node: InfixOperatorExprSyntax) -> ExprSyntax {
    let inner = super.visit(node).cast(InfixOperatorExprSyntax.self)
    let sign = node.operator.trimmedDescription
    guard let other = Self.others[sign] else { return ExprSyntax(inner) }
    let left = inner.leftOperand
    let right = inner.rightOperand
    switch sign {
    case "==", "!=":
      // A condition and a returned value are negated anyway.
      guard !isNegated(node), let number = add("bound", node.operator, other) else { break }
      return text("aacorn_negated(\(number), \(inner.trimmedDescription))", around: node)
    case "&&", "||":
      guard let number = add("bound", node.operator, other) else { break }
      let gap = left.trailingTrivia.description + inner.operator.leadingTrivia.description
      let rest = inner.operator.trailingTrivia.description + right.leadingTrivia.description
      let first = "aacorn_negated(\(number), \(left.trimmedDescription)\(gap))"
      let second = "(\(rest)\(right.trimmedDescription))"
      return text(
        sign == "&&"
          ? "(\(first) ? \(second) : aacorn_mutated(\(number)))"
          : "(\(first) ? !aacorn_mutated(\(number)) : \(second))",
        around: node)
    default:
      // The compiler's time grows fast with the length of such an expression.
      guard inner.trimmedDescription.utf8.count < 160, !node.trimmedDescription.contains("\n"),
        let number = add("bound", node.operator, other)
      else { break }
      let sides = (left.trimmedDescription, right.trimmedDescription)
      return text(
        "(aacorn_mutated(\(number)) ? \(sides.0) \(other) \(sides.1)"
          + " : \(sides.0) \(sign) \(sides.1))",
        around: node)
    }
    return ExprSyntax(inner)
  }

  private func isNegated(_ node: InfixOperatorExprSyntax) -> Bool {
    guard let parent = node.parent else { return false }
    return parent.is(ConditionElementSyntax.self) || parent.is(ReturnStmtSyntax.self)
      || parent.is(CodeBlockItemSyntax.self) || parent.is(WhereClauseSyntax.self)
      || parent.as(TernaryExprSyntax.self)?.condition.id == node.id
  }

  // MARK: Numbers

  override func visit(_ node: IntegerLiteralExprSyntax) -> ExprSyntax {
    let unchanged = ExprSyntax(node)
    guard let value = Int(node.literal.text.filter { $0 != "_" }) else { return unchanged }
    var operators = 0
    for ancestor in ancestors(of: node) {
      if ancestor.is(ArrayExprSyntax.self) || ancestor.is(SubscriptCallExprSyntax.self)
        || ancestor.is(ExpressionPatternSyntax.self)
      {
        return unchanged
      }
      if let infix = ancestor.as(InfixOperatorExprSyntax.self) {
        if ["<<", ">>", "&", "|"].contains(infix.operator.trimmedDescription) { return unchanged }
        operators += 1
      }
    }
    let line = lines[converter.location(for: node.positionAfterSkippingLeadingTrivia).line - 1]
    let isTime =
      value >= 1_000_000
      || Self.words.contains { line.lowercased().contains($0) } && !line.contains("sampleRate")
    guard value > (isTime ? 0 : 1), operators < 5,
      let zero = add("number", node.trimmedRange, "0", isTime: isTime)
    else { return unchanged }
    var other = node.literal.text
    // A larger number could be too large for its type.
    if value > 1, let half = add("number", node.trimmedRange, "\(value / 2)", isTime: isTime) {
      other = "aacorn_mutated(\(half)) ? \(value / 2) : \(other)"
    }
    return text("(aacorn_mutated(\(zero)) ? 0 : \(other))", around: node)
  }

  private static let words = [
    "second", "time", "delay", "duration", "interval", "deadline", "pause", "wait", "patience",
    "period", "latency",
  ]

  // MARK: Statements

  override func visit(_ node: ReturnStmtSyntax) -> StmtSyntax {
    let rewritten = super.visit(node).cast(ReturnStmtSyntax.self)
    guard let value = node.expression, let inner = rewritten.expression,
      !value.is(NilLiteralExprSyntax.self), returnsBool(Syntax(node))
    else { return StmtSyntax(rewritten) }
    return StmtSyntax(rewritten.with(\.expression, negated("return", value, inner)))
  }

  override func visit(_ node: CodeBlockItemListSyntax) -> CodeBlockItemListSyntax {
    let items = Array(node)
    var rewritten = items.map { super.visit($0) }
    let isValue = items.count == 1 && isValue(node)
    if isValue, case .expr(let value) = items[0].item, case .expr(let inner) = rewritten[0].item,
      !value.is(IfExprSyntax.self), !value.is(SwitchExprSyntax.self), returnsBool(Syntax(value))
    {
      rewritten[0].item = .expr(negated("return", value, inner))
    }
    guard !isValue else { return CodeBlockItemListSyntax(rewritten) }
    for (index, item) in items.enumerated() where isCall(item) {
      guard let number = add("call", item, "") else { continue }
      let call = rewritten[index].trimmedDescription
      rewritten[index].item = .expr(text("if !aacorn_mutated(\(number)) { \(call) }", around: item))
    }
    var index = 0
    while index + 1 < items.count {
      let pair = (items[index], items[index + 1])
      let texts = (pair.0.trimmedDescription, pair.1.trimmedDescription)
      let range = pair.0.positionAfterSkippingLeadingTrivia..<pair.1.endPositionBeforeTrailingTrivia
      guard isCall(pair.0), isCall(pair.1), !(texts.0 + texts.1).contains("\n"),
        texts.0 != texts.1,
        let number = add("order", range, "\(texts.1)\n\(texts.0)")
      else {
        index += 1
        continue
      }
      let calls = (
        rewritten[index].trimmedDescription, rewritten[index + 1].trimmedDescription
      )
      rewritten[index].item = .expr(
        text(
          "if aacorn_mutated(\(number)) { \(calls.1); \(calls.0) } else { \(calls.0)",
          around: pair.0))
      rewritten[index + 1].item = .expr(text("\(calls.1) }", around: pair.1))
      index += 2
    }
    return CodeBlockItemListSyntax(rewritten)
  }

  // MARK: What has no mutants

  static let checks: Set = [
    "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError",
  ]

  override func visit(_ node: FunctionCallExprSyntax) -> ExprSyntax {
    let isCheck = Self.checks.contains(node.calledExpression.trimmedDescription)
    return isCheck ? ExprSyntax(node) : super.visit(node)
  }

  override func visit(_ node: StringLiteralExprSyntax) -> ExprSyntax { ExprSyntax(node) }
  override func visit(_ node: AttributeSyntax) -> AttributeSyntax { node }
  override func visit(_ node: EnumCaseDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
  override func visit(_ node: FunctionParameterSyntax) -> FunctionParameterSyntax { node }
  override func visit(_ node: GenericArgumentClauseSyntax) -> GenericArgumentClauseSyntax { node }

  /// Adds mutants to the first branch if its condition holds on Linux, or else to no branch.
  override func visit(_ node: IfConfigDeclSyntax) -> DeclSyntax {
    var clauses = node.clauses
    let condition = clauses.first?.condition?.trimmedDescription ?? ""
    let isActive = ["os(Linux)", "canImport(Glibc)", "!canImport(Network)"].contains(condition)
    switch clauses.first?.elements {
    case .statements(let list) where isActive:
      clauses[clauses.startIndex].elements = .statements(visit(list))
    case .decls(let list) where isActive: clauses[clauses.startIndex].elements = .decls(visit(list))
    default: break
    }
    return DeclSyntax(node.with(\.clauses, clauses))
  }
}
