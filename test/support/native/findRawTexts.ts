import ts from 'typescript';
import { placeOf, readProduct, visit } from './program.ts';
import { SafeTexts } from './safeTexts.ts';

/** What VS Code shows of an object it is given. What a person may edit (`value`) is no markup. */
const shown = new Set([
  'label',
  'description',
  'detail',
  'title',
  'subtitle',
  'tooltip',
  'text',
  'message',
  'name',
  'placeHolder',
  'placeholder',
  'prompt',
  'validationMessage',
]);

/** Functions of `vscode.window` that show nothing of what they are given. */
const silent = /^(?:on[A-Z]|register|showTextDocument|showNotebookDocument|createTextEditorDecorationType)/;

/**
 * Every place where VS Code is given a text that is neither written out, nor translated with safe arguments, nor made safe
 * by `nativeText`, as `file:line the text`. Functions, parameters and fields are followed through the product.
 */
export function findRawTexts(extra?: Readonly<Record<string, string>>): string[] {
  const product = readProduct(extra);
  const texts = new SafeTexts(product);
  const raw: string[] = [];
  const check = (expression: ts.Node): void => {
    texts
      .rawIn(expression)
      .forEach((node) => raw.push(`${placeOf(expression)} ${expression.getText()} (${placeOf(node)} ${node.getText()})`));
  };
  const checkShown = (given: ts.Node): void => {
    if (texts.isText(given)) {
      check(given);
    } else {
      texts
        .unknownIn(given)
        .filter((node) => showsSomething(product.checker.getTypeAtLocation(node)))
        .forEach((node) => raw.push(`${placeOf(given)} ${given.getText()} (${placeOf(node)} ${node.getText()})`));
      texts.objectsIn(given).forEach((object) => {
        shown.forEach((name) => texts.propertiesOf(object, name).forEach(check));
        texts.propertiesOf(object, 'validateInput').forEach((validate) => texts.returnsOf(validate).forEach(checkShown));
      });
    }
  };
  for (const source of product.sources) {
    visit(source, (node) => {
      givenToEditor(node, product.checker).forEach(checkShown);
    });
  }
  return [...new Set(raw)].sort();
}

function showsSomething(type: ts.Type): boolean {
  const [one = type, ...others] = type.isUnion() ? type.types : [type];
  const element = one.getNumberIndexType();
  const isItself =
    one.getCallSignatures().length === 0 &&
    (one.flags & ts.TypeFlags.Object) !== 0 &&
    [...shown].some((name) => one.getProperty(name) !== undefined);
  return (
    isItself || (element !== undefined && (one.flags & ts.TypeFlags.Object) !== 0 && showsSomething(element)) || others.some(showsSomething)
  );
}

function givenToEditor(node: ts.Node, checker: ts.TypeChecker): readonly ts.Node[] {
  if (ts.isCallExpression(node)) {
    return givenToCall(node, checker);
  }
  if (ts.isNewExpression(node)) {
    return /^vscode\.(?:TreeItem|MarkdownString|CodeLens|Hover|Diagnostic|QuickInputButton)$/.test(node.expression.getText())
      ? (node.arguments ?? [])
      : [];
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isPropertyAccessExpression(node.left)) {
    const isOfEditor = isDeclaredByEditor(checker.getSymbolAtLocation(node.left.name));
    const { text: name } = node.left.name;
    return isOfEditor && (shown.has(name) || name === 'badge' || name === 'accessibilityInformation') ? [node.right] : [];
  }
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && shown.has(node.name.text)) {
    const asked = checker.getContextualType(node.parent)?.getProperty(node.name.text);
    return isDeclaredByEditor(asked) ? [node.initializer] : [];
  }
  return [];
}

function givenToCall(call: ts.CallExpression, checker: ts.TypeChecker): readonly ts.Node[] {
  const called = call.expression;
  if (!ts.isPropertyAccessExpression(called)) {
    return [];
  }
  const owner = called.expression.getText();
  if (owner === 'vscode.window' || owner === 'window') {
    return silent.test(called.name.text) ? [] : call.arguments;
  }
  if (owner === 'vscode.commands' && call.arguments[0]?.getText() === "'vscode.diff'") {
    return call.arguments.slice(3, 4);
  }
  const isProgress = called.name.text === 'report' && isDeclaredByEditor(checker.getSymbolAtLocation(called.name));
  return isProgress ? call.arguments : [];
}

function isDeclaredByEditor(symbol: ts.Symbol | undefined): boolean {
  return symbol?.declarations?.some((declaration) => /[\\/]@types[\\/]vscode[\\/]/.test(declaration.getSourceFile().fileName)) ?? false;
}
