import SwiftSyntax

/// Returns code as an expression, with the spaces and comments around a node.
func text(_ code: String, around node: some SyntaxProtocol) -> ExprSyntax {
  let token = TokenSyntax.identifier(
    code, leadingTrivia: node.leadingTrivia, trailingTrivia: node.trailingTrivia)
  return ExprSyntax(DeclReferenceExprSyntax(baseName: token))
}

/// Returns the nodes around a node in its statement or member, nearest first.
func ancestors(of node: some SyntaxProtocol) -> [Syntax] {
  var found: [Syntax] = []
  var next = node.parent
  while let parent = next, !parent.is(CodeBlockItemSyntax.self),
    !parent.is(MemberBlockItemSyntax.self)
  {
    found.append(parent)
    next = parent.parent
  }
  return found
}

/// Whether a statement is a call whose result is not used, so that it can be left out.
func isCall(_ item: CodeBlockItemSyntax) -> Bool {
  guard case .expr(var expression) = item.item else { return false }
  if let assignment = expression.as(InfixOperatorExprSyntax.self),
    assignment.operator.is(AssignmentExprSyntax.self),
    assignment.leftOperand.is(DiscardAssignmentExprSyntax.self)
  {
    expression = assignment.rightOperand
  }
  while true {
    if let inner = expression.as(TryExprSyntax.self) {
      expression = inner.expression
    } else if let inner = expression.as(AwaitExprSyntax.self) {
      expression = inner.expression
    } else if let inner = expression.as(UnsafeExprSyntax.self) {
      expression = inner.expression
    } else if let inner = expression.as(OptionalChainingExprSyntax.self) {
      expression = inner.expression
    } else {
      break
    }
  }
  guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
  let name = call.calledExpression.trimmedDescription
  return !Mutator.checks.contains(name) && !name.hasSuffix(".init")
}

/// Whether the only statement of a list may be the value of a function, closure, `if` or `switch`.
func isValue(_ list: CodeBlockItemListSyntax) -> Bool {
  guard let parent = list.parent, list.count == 1 else { return false }
  if parent.is(SwitchCaseSyntax.self) { return isUsed(parent.parent?.parent) }
  guard parent.is(CodeBlockSyntax.self), let owner = parent.parent else { return true }
  if let function = owner.as(FunctionDeclSyntax.self) {
    return function.signature.returnClause != nil
  }
  if let accessor = owner.as(AccessorDeclSyntax.self) {
    return accessor.accessorSpecifier.tokenKind == .keyword(.get)
  }
  return owner.is(IfExprSyntax.self) && isUsed(owner)
}

/// Whether the value of an `if` or `switch` may be used.
private func isUsed(_ branches: Syntax?) -> Bool {
  guard let parent = branches?.parent else { return true }
  if parent.is(IfExprSyntax.self) { return isUsed(parent) }
  guard parent.is(ExpressionStmtSyntax.self) || parent.is(CodeBlockItemSyntax.self) else {
    return true
  }
  let item = parent.is(CodeBlockItemSyntax.self) ? parent : parent.parent
  return item?.parent?.as(CodeBlockItemListSyntax.self).map(isValue) ?? true
}

/// Whether the function or property around a node returns a Bool.
func returnsBool(_ node: Syntax) -> Bool {
  var next = node.parent
  while let parent = next {
    if let function = parent.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause?.type.trimmedDescription == "Bool"
    }
    if let property = parent.as(PatternBindingSyntax.self) {
      return property.typeAnnotation?.type.trimmedDescription == "Bool"
    }
    let isSetter = parent.as(AccessorDeclSyntax.self)?.accessorSpecifier.text != "get"
    let isOther = parent.is(ClosureExprSyntax.self) || parent.is(DeclSyntax.self)
    if isOther, !parent.is(AccessorDeclSyntax.self) || isSetter { return false }
    next = parent.parent
  }
  return false
}
