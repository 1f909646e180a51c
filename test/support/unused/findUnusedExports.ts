import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');

interface Module {
  readonly source: ts.SourceFile;
  readonly exports: ReadonlyMap<string, number>;
}

/** Where product code begins: what the build bundles, and what it runs to write a file. */
export const entryPoints = [
  'src/extension.ts',
  'src/supervisor/main.ts',
  'src/worker/workThread.ts',
  'src/languageServer/main.ts',
  'src/bridge/main.ts',
  'src/server/recordOfflineAnswers.ts',
  'src/webview/chat/main.tsx',
  'src/webview/pages/consentPage.tsx',
  'src/webview/pages/doctorPage.tsx',
  'src/webview/pages/auditPage.tsx',
  'src/webview/pages/permissionsPage.tsx',
  'src/webview/registry/main.tsx',
  'src/webview/runner/main.tsx',
  'src/webview/traffic/main.tsx',
  'src/webview/markdown/textThread.ts',
  'src/webview/chat/apps/relayFrame.ts',
  'src/webview/chat/apps/appTab.ts',
];

/** What product code makes and does not use itself, as `file` or `file: name`. Tests do not count as users. */
export function findUnusedExports(): string[] {
  const files = sourceFiles();
  const modules = new Map(files.map((file) => [file, readModule(file)]));
  const reached = new Set<string>();
  const used = new Map<string, Set<string>>(files.map((file) => [file, new Set()]));
  const visit = (file: string): void => {
    const module = modules.get(file);
    if (module === undefined || reached.has(file)) {
      return;
    }
    reached.add(file);
    for (const { target, names } of importsOf(file, module.source)) {
      names.forEach((name) => used.get(target)?.add(name));
      visit(target);
    }
  };
  entryPoints.forEach(visit);
  return files.flatMap((file) => {
    if (!reached.has(file)) {
      return [file];
    }
    const names = used.get(file);
    const exports = [...(modules.get(file)?.exports ?? [])];
    return entryPoints.includes(file)
      ? []
      : exports.filter(([name, uses]) => uses < 2 && names?.has(name) !== true).map(([name]) => `${file}: ${name}`);
  });
}

function sourceFiles(): string[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => path.posix.join('src', file.split(path.sep).join('/')))
    .sort();
}

function readModule(file: string): Module {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const names = source.statements.flatMap(exportedNames);
  return { source, exports: new Map(names.map((name) => [name, countUses(source, name)])) };
}

function exportedNames(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) {
    return [];
  }
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as unknown as { readonly name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

/** How often a name stands in its own file, its definition included. */
function countUses(source: ts.SourceFile, name: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) {
      count += 1;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return count;
}

function importsOf(file: string, source: ts.SourceFile): { readonly target: string; readonly names: readonly string[] }[] {
  const found: { target: string; names: string[] }[] = [];
  const add = (specifier: ts.Node | undefined, names: string[]): void => {
    if (specifier !== undefined && ts.isStringLiteral(specifier) && specifier.text.startsWith('.')) {
      found.push({ target: path.posix.join(path.posix.dirname(file), specifier.text), names });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      const isNamed = bindings !== undefined && ts.isNamedImports(bindings);
      add(node.moduleSpecifier, isNamed ? bindings.elements.map((each) => (each.propertyName ?? each.name).text) : allNames(source));
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], allNames(source));
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, allNames(source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** For a module that is imported whole: any name that stands in the importing file may be one of its. */
function allNames(source: ts.SourceFile): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      names.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...names];
}
