import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');
export const bundlePath = path.join(root, 'l10n/bundle.l10n.json');

export interface GatheredTexts {
  /** English → English, as VS Code wants the bundle that translators start from. */
  readonly bundle: Readonly<Record<string, string>>;
  /** Calls whose text is not written out where it stands, so that nobody could translate it. */
  readonly problems: readonly string[];
}

/** Every text that people read: from the calls of `l10n.t` and of the pages' own `t`, and from the tables of sentences of all rooms. */
export function gatherTexts(files = sourceFiles()): GatheredTexts {
  const texts = new Set<string>();
  const problems: string[] = [];
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true, scriptKind(file));
    visitCalls(source, (call) => {
      const text = textOf(call.arguments[0]);
      if (text === undefined) {
        const { line } = source.getLineAndCharacterOfPosition(call.getStart());
        problems.push(`${file}:${line + 1} translates a text that is not written out there`);
      } else {
        texts.add(text);
      }
    });
    visitTables(source, (table) =>
      textsOfTable(table)
        .filter(hasWords)
        .forEach((text) => texts.add(text)),
    );
  }
  const sorted = [...texts].sort((one, other) => (one < other ? -1 : 1));
  return { bundle: Object.fromEntries(sorted.map((text) => [text, text])), problems };
}

export function bundleText({ bundle }: GatheredTexts): string {
  return `${JSON.stringify(bundle, undefined, 2)}\n`;
}

function sourceFiles(): string[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => path.posix.join('src', file.split(path.sep).join('/')))
    .sort();
}

function scriptKind(file: string): ts.ScriptKind {
  return file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

function visitCalls(node: ts.Node, visit: (call: ts.CallExpression) => void): void {
  if (ts.isCallExpression(node) && isTranslation(node.expression)) {
    visit(node);
  }
  ts.forEachChild(node, (child) => visitCalls(child, visit));
}

/** `{ … } as const satisfies SentenceTable`: what a room says by code. */
function visitTables(node: ts.Node, visit: (table: ts.Expression) => void): void {
  if (ts.isSatisfiesExpression(node) && node.type.getText() === 'SentenceTable') {
    visit(node.expression);
  }
  ts.forEachChild(node, (child) => visitTables(child, visit));
}

/** The sentences: each is a text, or two by whether an argument is known. A table that is spread into another is gathered where it stands. */
function textsOfTable(table: ts.Expression): string[] {
  const object = ts.isAsExpression(table) ? table.expression : table;
  if (!ts.isObjectLiteralExpression(object)) {
    return [];
  }
  return object.properties.filter(ts.isPropertyAssignment).flatMap(({ initializer }) => {
    if (!ts.isObjectLiteralExpression(initializer)) {
      return textOf(initializer) ?? [];
    }
    return initializer.properties
      .filter(ts.isPropertyAssignment)
      .filter(({ name }) => ['text', 'otherwise'].includes(name.getText()))
      .flatMap((property) => textOf(property.initializer) ?? []);
  });
}

/** A text that is nothing but an argument says the same in every language. */
function hasWords(text: string): boolean {
  return !/^\{\w+\}$/.test(text);
}

/** `t(…)`, `l10n.t(…)`, `vscode.l10n.t(…)`. */
function isTranslation(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) {
    return called.text === 't';
  }
  return ts.isPropertyAccessExpression(called) && called.name.text === 't' && /(?:^|\.)l10n$/.test(called.expression.getText());
}

function textOf(argument: ts.Expression | undefined): string | undefined {
  if (argument === undefined) {
    return undefined;
  }
  if (ts.isStringLiteralLike(argument)) {
    return argument.text;
  }
  // Long texts are broken over several lines.
  if (ts.isBinaryExpression(argument) && argument.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(argument.left), textOf(argument.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
}
