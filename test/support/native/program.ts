import * as path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');
/** Those that know VS Code. */
const rooms = ['src/app/', 'src/editor/', 'src/views/', 'src/extension.ts'];
const configHost: ts.ParseConfigFileHost = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };

/** The code that speaks to VS Code, with its types, and who calls, makes and fills what. */
export interface Product {
  readonly checker: ts.TypeChecker;
  readonly sources: readonly ts.SourceFile[];
  readonly callsOf: (declaration: ts.Node) => readonly (ts.CallExpression | ts.NewExpression)[];
  /** What is put into a property: by an assignment, or by an object that is written out for its type. */
  readonly valuesOf: (declaration: ts.Node) => readonly ts.Node[];
}

/** `extra` are files that exist only in the test, by their path in the project. */
export function readProduct(extra: Readonly<Record<string, string>> = {}): Product {
  const config = ts.getParsedCommandLineOfConfigFile(path.join(root, 'tsconfig.json'), {}, configHost);
  const options = config?.options ?? {};
  const invented = new Map(Object.entries(extra).map(([file, text]) => [path.join(root, file), text]));
  const disk = ts.createCompilerHost(options, true);
  const host: ts.CompilerHost = {
    ...disk,
    getSourceFile: (file, version) => {
      const text = invented.get(file);
      return text === undefined ? disk.getSourceFile(file, version) : ts.createSourceFile(file, text, version, true);
    },
    fileExists: (file) => invented.has(file) || disk.fileExists(file),
    readFile: (file) => invented.get(file) ?? disk.readFile(file),
  };
  const program = ts.createProgram([...(config?.fileNames ?? []), ...invented.keys()], options, host);
  const checker = program.getTypeChecker();
  const sources = program
    .getSourceFiles()
    .filter((source) => !source.isDeclarationFile && rooms.some((room) => source.fileName.startsWith(path.join(root, room))));
  return { checker, sources, ...indexOf(sources, checker) };
}

export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${path.relative(root, source.fileName)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

function indexOf(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): Pick<Product, 'callsOf' | 'valuesOf'> {
  const calls = new Map<ts.Node, (ts.CallExpression | ts.NewExpression)[]>();
  const values = new Map<ts.Node, ts.Node[]>();
  const put = <T>(map: Map<ts.Node, T[]>, keys: readonly ts.Node[] | undefined, value: T): void =>
    keys?.forEach((key) => map.set(key, [...(map.get(key) ?? []), value]));
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const declaration = checker.getResolvedSignature(node)?.declaration;
      put(calls, declaration === undefined ? [] : [declaration], node);
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      put(values, checker.getSymbolAtLocation(node.left)?.declarations, node.right);
    } else if (ts.isObjectLiteralExpression(node)) {
      const type = checker.getContextualType(node);
      for (const property of node.properties) {
        const name = property.name !== undefined && ts.isIdentifier(property.name) ? property.name.text : undefined;
        const asked = name === undefined ? undefined : type?.getProperty(name);
        put(values, asked?.declarations, ts.isPropertyAssignment(property) ? property.initializer : property);
      }
    }
  };
  sources.forEach((source) => visit(source, look));
  return { callsOf: (declaration) => calls.get(declaration) ?? [], valuesOf: (declaration) => values.get(declaration) ?? [] };
}
