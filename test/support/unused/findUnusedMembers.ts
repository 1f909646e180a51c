import * as path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');

interface Member {
  readonly owner: ts.ClassDeclaration | ts.InterfaceDeclaration;
  readonly declaration: ts.ClassElement | ts.TypeElement;
  readonly name: ts.Identifier;
}

/** Methods, accessors and fields that no product code reads, as `file: Owner.member`. What an interface asks for counts as read. */
export function findUnusedMembers(): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(path.join(root, 'tsconfig.json'), {}, configHost);
  const program = ts.createProgram(config?.fileNames ?? [], config?.options ?? {});
  const checker = program.getTypeChecker();
  const sources = program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && fileName.startsWith(path.join(root, 'src')));
  const read = new Set<ts.Declaration>();
  const members: Member[] = [];
  for (const source of sources) {
    visit(source, (node) => {
      symbolRead(node, checker)?.declarations?.forEach((declaration) => read.add(declaration));
      members.push(...membersOf(node));
    });
  }
  return members
    .filter((member) => !read.has(member.declaration) && !isAskedFor(member, checker))
    .map(({ owner, name }) => `${path.relative(root, owner.getSourceFile().fileName)}: ${owner.name?.text ?? ''}.${name.text}`)
    .sort();
}

const configHost: ts.ParseConfigFileHost = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** `thing.name`, or `{ name } = thing`. */
function symbolRead(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name)) {
    return checker.getSymbolAtLocation(node.name);
  }
  if (ts.isBindingElement(node)) {
    const name = node.propertyName ?? node.name;
    return ts.isIdentifier(name) ? checker.getTypeAtLocation(node.parent).getProperty(name.text) : undefined;
  }
  return undefined;
}

function membersOf(node: ts.Node): Member[] {
  if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) {
    return [];
  }
  return [...node.members].flatMap((declaration) => {
    const { name } = declaration;
    const isLooked =
      ts.isMethodDeclaration(declaration) ||
      ts.isMethodSignature(declaration) ||
      ts.isGetAccessor(declaration) ||
      ts.isPropertyDeclaration(declaration);
    return isLooked && name !== undefined && ts.isIdentifier(name) ? [{ owner: node, declaration, name }] : [];
  });
}

function isAskedFor({ owner, name }: Member, checker: ts.TypeChecker): boolean {
  const heritage = owner.heritageClauses?.flatMap(({ types }) => [...types]) ?? [];
  return heritage.some((type) => checker.getTypeAtLocation(type).getProperty(name.text) !== undefined);
}
