import ts from 'typescript';
import type { Product } from './program.ts';

const harmless =
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.StringLiteral |
  ts.TypeFlags.EnumLike |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null |
  ts.TypeFlags.Void |
  ts.TypeFlags.Never;

/** Follows a text back to where it comes from. */
export class SafeTexts {
  readonly #product: Product;
  readonly #checker: ts.TypeChecker;
  /** Recursion ends where it began: what is asked for again is being answered already. */
  #seen = new Set<ts.Node>();

  constructor(product: Product) {
    this.#product = product;
    this.#checker = product.checker;
  }

  /** The parts of a text that nobody made safe. */
  rawIn(expression: ts.Node): readonly ts.Node[] {
    this.#seen = new Set();
    return this.#raw(expression);
  }

  isText(node: ts.Node): boolean {
    return types(this.#checker.getTypeAtLocation(node)).some((type) => (type.flags & ts.TypeFlags.StringLike) !== 0);
  }

  /** The objects that are written out for what is given: itself, the items of an array, what a function returns. */
  objectsIn(node: ts.Node): readonly ts.ObjectLiteralExpression[] {
    return this.#sources(node).flatMap((source) => {
      if (ts.isObjectLiteralExpression(source)) {
        return [source, ...source.properties.filter(ts.isSpreadAssignment).flatMap((spread) => this.objectsIn(spread.expression))];
      }
      return [...this.#elements(source)].flatMap((element) => this.objectsIn(element));
    });
  }

  /** Where what is given cannot be followed to an object, a list or a function that is written out. */
  unknownIn(node: ts.Node): readonly ts.Node[] {
    return this.#sources(node).flatMap((source) => {
      if (ts.isObjectLiteralExpression(source)) {
        return source.properties.filter(ts.isSpreadAssignment).flatMap((spread) => this.unknownIn(spread.expression));
      }
      const elements = this.#elements(source);
      const isWritten = isFunction(source) || (ts.isArrayLiteralExpression(source) && source.elements.length === 0);
      return elements.length === 0 && !isWritten ? [source] : elements.flatMap((element) => this.unknownIn(element));
    });
  }

  propertiesOf(object: ts.ObjectLiteralExpression, name: string): readonly ts.Node[] {
    return object.properties
      .filter((property) => property.name?.getText() === name)
      .map((property) => (ts.isPropertyAssignment(property) ? property.initializer : property));
  }

  /** What a function, or a name of one, gives back. */
  returnsOf(node: ts.Node): readonly ts.Node[] {
    return this.#sources(node).flatMap((source) => (isFunction(source) ? returnsIn(source) : []));
  }

  #raw(node: ts.Node): readonly ts.Node[] {
    if (this.#seen.has(node) || ts.isStringLiteralLike(node) || this.#isHarmless(node)) {
      return [];
    }
    this.#seen.add(node);
    const parts = this.#parts(node);
    return parts === undefined ? [node] : parts.flatMap((part) => this.#raw(part));
  }

  #isHarmless(node: ts.Node): boolean {
    return types(this.#checker.getTypeAtLocation(node)).every((type) => (type.flags & harmless) !== 0);
  }

  /** What a text is made of; `undefined` when that cannot be said. */
  #parts(node: ts.Node): readonly ts.Node[] | undefined {
    if (ts.isTemplateExpression(node)) {
      return node.templateSpans.map((span) => span.expression);
    }
    if (ts.isBinaryExpression(node)) {
      return node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ? [node.right] : [node.left, node.right];
    }
    if (ts.isCallExpression(node)) {
      return this.#partsOfCall(node);
    }
    if (ts.isElementAccessExpression(node)) {
      return this.objectsIn(node.expression).flatMap((object) => object.properties.map(valueOf));
    }
    const sources = this.#sources(node);
    return sources.length === 1 && sources[0] === node ? undefined : nonEmpty(sources);
  }

  #partsOfCall(call: ts.CallExpression): readonly ts.Node[] | undefined {
    const called = call.expression;
    const text = called.getText();
    if (text === 'nativeText' || text === 'nativeLink') {
      return [];
    }
    if (/(?:^|\.)l10n\.t$/.test(text) || text === 't') {
      return call.arguments
        .slice(1)
        .flatMap((argument) => (ts.isObjectLiteralExpression(argument) ? argument.properties.map(valueOf) : [argument]));
    }
    if (text === 'String') {
      return call.arguments;
    }
    if (ts.isPropertyAccessExpression(called)) {
      if (called.name.text === 'join') {
        return this.#itemsOf(called.expression);
      }
      if (/^toLocale|^toISOString$/.test(called.name.text)) {
        return [];
      }
    }
    return nonEmpty(this.#functionsOf(call).flatMap(returnsIn));
  }

  /** Where a value is written down, through names, parameters, fields, conditions and calls. */
  #sources(node: ts.Node, depth = 0): readonly ts.Node[] {
    const next = depth > 40 ? undefined : this.#step(node);
    return next === undefined ? [node] : next.flatMap((each) => this.#sources(each, depth + 1));
  }

  #step(node: ts.Node): readonly ts.Node[] | undefined {
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node)) {
      return [node.expression];
    }
    if (ts.isAwaitExpression(node)) {
      return [node.expression];
    }
    if (ts.isConditionalExpression(node)) {
      return [node.whenTrue, node.whenFalse];
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) {
      return [node.right];
    }
    if (ts.isCallExpression(node) && !this.isText(node)) {
      return nonEmpty(this.#functionsOf(node).flatMap(returnsIn));
    }
    if (ts.isShorthandPropertyAssignment(node)) {
      return this.#stepTo(this.#checker.getShorthandAssignmentValueSymbol(node));
    }
    if (ts.isPropertyAccessExpression(node)) {
      const named = this.objectsIn(node.expression).flatMap((object) => this.propertiesOf(object, node.name.text));
      return named.length > 0 ? named : this.#stepTo(this.#checker.getSymbolAtLocation(node.name));
    }
    return ts.isIdentifier(node) ? this.#stepTo(this.#checker.getSymbolAtLocation(node)) : undefined;
  }

  #stepTo(symbol: ts.Symbol | undefined): readonly ts.Node[] | undefined {
    const aliased = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? this.#checker.getAliasedSymbol(symbol) : symbol;
    const declaration = aliased?.declarations?.[0];
    if (declaration === undefined) {
      return undefined;
    }
    if (ts.isVariableDeclaration(declaration)) {
      return declaration.initializer === undefined ? undefined : [declaration.initializer];
    }
    if (ts.isFunctionDeclaration(declaration)) {
      return [declaration];
    }
    if (ts.isBindingElement(declaration)) {
      return this.#stepIntoPattern(declaration);
    }
    if (ts.isParameter(declaration)) {
      return this.#argumentsFor(declaration);
    }
    if (ts.isPropertyDeclaration(declaration) || ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration)) {
      const initial = ts.isPropertyDeclaration(declaration) && declaration.initializer !== undefined ? [declaration.initializer] : [];
      return nonEmpty([...initial, ...this.#product.valuesOf(declaration)]);
    }
    return undefined;
  }

  #stepIntoPattern(element: ts.BindingElement): readonly ts.Node[] | undefined {
    const owner = element.parent.parent;
    const from = ts.isVariableDeclaration(owner) ? owner.initializer : undefined;
    const name = (element.propertyName ?? element.name).getText();
    const given = from !== undefined ? [from] : ts.isParameter(owner) ? this.#argumentsFor(owner) : undefined;
    return nonEmpty(given?.flatMap((each) => this.objectsIn(each)).flatMap((object) => this.propertiesOf(object, name)) ?? []);
  }

  /** What a parameter is given by all who call, or by the array whose items a callback is called with. */
  #argumentsFor(parameter: ts.ParameterDeclaration): readonly ts.Node[] | undefined {
    const owner = parameter.parent;
    const index = owner.parameters.indexOf(parameter);
    const call = owner.parent;
    if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression)) {
      return index === 0 && /^(?:map|flatMap|filter|forEach)$/.test(call.expression.name.text)
        ? nonEmpty(this.#elements(call.expression.expression))
        : undefined;
    }
    return nonEmpty(this.#product.callsOf(owner).flatMap((each) => each.arguments?.[index] ?? parameter.initializer ?? []));
  }

  /** The items of a list; a list that nobody wrote out stands for itself. */
  #itemsOf(node: ts.Node): readonly ts.Node[] {
    return this.#sources(node).flatMap((source) => nonEmpty(this.#elements(source)) ?? [source]);
  }

  #elements(node: ts.Node): readonly ts.Node[] {
    return this.#sources(node).flatMap((source) => {
      if (ts.isArrayLiteralExpression(source)) {
        return source.elements.flatMap((element) => (ts.isSpreadElement(element) ? this.#itemsOf(element.expression) : [element]));
      }
      if (ts.isCallExpression(source) && ts.isPropertyAccessExpression(source.expression)) {
        const { name, expression } = source.expression;
        const [first] = source.arguments;
        if (/^(?:filter|slice|reverse|sort|toSorted)$/.test(name.text)) {
          return this.#elements(expression);
        }
        return /^(?:map|flatMap)$/.test(name.text) && first !== undefined ? this.returnsOf(first) : [];
      }
      return [];
    });
  }

  /** With a body: the one that is called, or those that stand behind a port. */
  #functionsOf(call: ts.CallExpression): readonly ts.SignatureDeclaration[] {
    const declaration = this.#checker.getResolvedSignature(call)?.declaration;
    if (declaration === undefined || ts.isJSDocSignature(declaration)) {
      return [];
    }
    return isFunction(declaration) && declaration.body !== undefined
      ? [declaration]
      : [declaration, declaration.parent]
          .flatMap((each) => this.#product.valuesOf(each))
          .flatMap((value) => this.#sources(value).filter(isFunction));
  }
}

type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;

function isFunction(node: ts.Node): node is FunctionNode {
  return ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isMethodDeclaration(node);
}

function returnsIn(declaration: ts.Node): readonly ts.Node[] {
  if (!isFunction(declaration) || declaration.body === undefined) {
    return [];
  }
  if (!ts.isBlock(declaration.body)) {
    return [declaration.body];
  }
  const found: ts.Node[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) {
      found.push(node.expression);
    }
    if (!isFunction(node)) {
      ts.forEachChild(node, look);
    }
  };
  ts.forEachChild(declaration.body, look);
  return found;
}

function valueOf(property: ts.ObjectLiteralElementLike): ts.Node {
  return ts.isPropertyAssignment(property) ? property.initializer : property;
}

function types(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
