import * as path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');

interface Member {
  readonly owner: ts.ClassDeclaration | ts.InterfaceDeclaration;
  readonly declaration: ts.ClassElement | ts.TypeElement;
  readonly name: ts.Identifier;
}

/**
 * Methods, accessors and fields that no product code reads, as `file: Owner.member`. What an interface asks for that the
 * owner implements, by its words or by its shape, counts as read when the interface's member is.
 */
export function findUnusedMembers(): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(path.join(root, 'tsconfig.json'), {}, configHost);
  const program = ts.createProgram(config?.fileNames ?? [], config?.options ?? {});
  const checker = program.getTypeChecker();
  const read = new Set<ts.Declaration>();
  const members: Member[] = [];
  for (const source of program.getSourceFiles()) {
    if (!source.isDeclarationFile && source.fileName.startsWith(path.join(root, 'src'))) {
      visit(source, (node) => {
        symbolRead(node, checker)?.declarations?.forEach((declaration) => read.add(declaration));
        members.push(...membersOf(node));
      });
    }
  }
  const unread = members.filter(({ declaration }) => !read.has(declaration));
  const names = new Set(unread.map(({ name }) => name.text));
  const readThrough = [...read].filter(isInterfaceMember).filter((declaration) => names.has(declaration.name.getText()));
  return unread
    .filter((member) => !isAskedFor(member, checker) && !readThrough.some((declaration) => isShapedFor(member, declaration, checker)))
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
    const isLookedAt =
      ts.isMethodDeclaration(declaration) ||
      ts.isMethodSignature(declaration) ||
      ts.isGetAccessor(declaration) ||
      ts.isPropertyDeclaration(declaration);
    return isLookedAt && name !== undefined && ts.isIdentifier(name) ? [{ owner: node, declaration, name }] : [];
  });
}

function isInterfaceMember(declaration: ts.Declaration): declaration is ts.PropertySignature | ts.MethodSignature {
  return ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration);
}

function isAskedFor({ owner, name }: Member, checker: ts.TypeChecker): boolean {
  const heritage = owner.heritageClauses?.flatMap(({ types }) => [...types]) ?? [];
  return heritage.some((type) => checker.getTypeAtLocation(type).getProperty(name.text) !== undefined);
}

/** It is handed over as a port without saying that it is one. */
function isShapedFor({ owner, name }: Member, declaration: ts.PropertySignature | ts.MethodSignature, checker: ts.TypeChecker): boolean {
  return (
    declaration.name.getText() === name.text &&
    checker.isTypeAssignableTo(checker.getTypeAtLocation(owner), checker.getTypeAtLocation(declaration.parent))
  );
}
