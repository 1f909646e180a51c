import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import * as z from 'zod';
import { remoteDefinition, stdioDefinition } from '../contract/definitionSchemas.ts';
import { isOwnSetting, type DocumentKind } from './documentKind.ts';
import type { Problem, ProblemCode } from './problem.ts';
import { propertyOf, type Property } from './jsonNodes.ts';

type Issue = z.core.$ZodIssue;
type Path = (string | number)[];

/** For a definition that is neither or both: every key of either kind, so that the rest of it is still looked at. */
const eitherDefinition = z
  .strictObject({ ...stdioDefinition.shape, ...remoteDefinition.shape, type: z.enum(['stdio', 'http', 'sse', 'ws']) })
  .partial();

/** Keys that mean something to the host whose file it is. */
const foreignKeys: Readonly<Record<DocumentKind, readonly string[]>> = {
  settings: [],
  workspaceFile: [],
  vscodeMcp: ['dev', 'gallery', 'sandbox', 'sandboxEnabled', 'version'],
  mcpJson: ['alwaysLoad', 'headersHelper', 'oauth'],
  claudeDesktop: [],
};

/** Command or url, known keys, right types: by the same schemas that read the setting. */
export function checkShape(server: Property, definition: Node, kind: DocumentKind): readonly Problem[] {
  const hasCommand = propertyOf(definition, 'command') !== undefined;
  const hasUrl = propertyOf(definition, 'url') !== undefined;
  const schema = hasCommand === hasUrl ? eitherDefinition : hasCommand ? stdioDefinition : remoteDefinition;
  const value: unknown = getNodeValue(definition);
  const issues = schema.safeParse(value).error?.issues ?? [];
  const problems = issues.flatMap((issue) => problemsOf(issue, definition, kind, hasCommand ? 'command' : 'url'));
  if (hasCommand !== hasUrl) {
    return problems;
  }
  const code = hasCommand ? 'commandAndUrl' : 'neitherCommandNorUrl';
  return [{ ...rangeOf(server.keyNode), severity: 'error', code, args: { name: server.name } }, ...problems];
}

function problemsOf(issue: Issue, definition: Node, kind: DocumentKind, serverKind: 'command' | 'url'): readonly Problem[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  const node = findNodeAtLocation(definition, path) ?? definition;
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.filter((key) => path.length > 0 || !foreignKeys[kind].includes(key));
    return keys.map((key) => unknownKey(key, node, kind, path.length === 0 ? serverKind : undefined));
  }
  const { code, args } = describe(issue, path, node);
  return [{ ...rangeOf(node), severity: 'error', code, args }];
}

function unknownKey(key: string, object: Node, kind: DocumentKind, serverKind: 'command' | 'url' | undefined): Problem {
  const place = rangeOf(propertyOf(object, key)?.keyNode ?? object);
  if (serverKind !== undefined && Object.hasOwn(eitherDefinition.shape, key)) {
    return { ...place, severity: 'error', code: 'misplacedKey', args: { key, kind: serverKind } };
  }
  return isOwnSetting(kind)
    ? { ...place, severity: 'error', code: 'unknownKey', args: { key } }
    : { ...place, severity: 'warning', code: 'foreignKey', args: { key } };
}

function describe(issue: Issue, path: Path, node: Node): Pick<Problem, 'args'> & { code: ProblemCode } {
  const key = path.join('.');
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'wrongType', args: { key, expected: typeNames[issue.expected] ?? issue.expected } };
    case 'invalid_union':
      return { code: 'wrongType', args: { key, expected: 'a text, a number, true, false or null' } };
    case 'invalid_value':
      return { code: 'wrongValue', args: { key, expected: issue.values.map((value) => JSON.stringify(value)).join(', ') } };
    case 'too_small':
    case 'too_big':
      return { code: 'badValue', args: { key, reason: limitOf(issue, node) } };
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return { code: 'badValue', args: { key, reason: issue.message } };
  }
}

function limitOf(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>, node: Node): string {
  if (node.type === 'string') {
    return 'it is empty';
  }
  return issue.code === 'too_small' ? `the least is ${String(issue.minimum)}` : `the most is ${String(issue.maximum)}`;
}

const typeNames: Readonly<Partial<Record<string, string>>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

function rangeOf(node: Node): { start: number; end: number } {
  return { start: node.offset, end: node.offset + node.length };
}
