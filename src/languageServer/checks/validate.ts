// checks/: what is wrong in a configuration file: its form (this file), commands, values, and secrets in plain text.
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import * as z from 'zod';
import { foreignStdioDefinition, remoteDefinition, stdioDefinition } from '../../contract/definitionSchemas.ts';
import { expectedOfSeveral, pathOf, readIssue } from '../../contract/settings/schemaIssue.ts';
import { maxNameLength, readServerName, shownName } from '../../definitions/serverNames.ts';
import { checkCommand } from './checkCommand.ts';
import { checkSecrets } from './checkSecrets.ts';
import { checkAddress, checkVariables, knownInputs, type VariableScope } from './checkValues.ts';
import {
  type DocumentKind,
  findServers,
  foreignSections,
  isOwnSetting,
  isWrapper,
  memberName,
  propertiesOf,
  type Property,
  propertyOf,
  rangeOf,
  serversPath,
  treeOf,
} from '../documents.ts';
import { otherWords } from '../otherForms.ts';
import type { DocumentProblem, ProblemSeverity, ProblemWords } from '../problem.ts';

/** Everything wrong with the server definitions in a document. Broken JSON is left to the editor's own JSON support. */
export function validate(text: string, kind: DocumentKind): readonly DocumentProblem[] {
  const root = treeOf(text);
  if (root === undefined) {
    return [];
  }
  const scope: VariableScope = { kind, inputs: knownInputs(root, kind), source: text };
  const problems = findServers(root, kind).flatMap((servers) => checkServers(servers, scope));
  const sections = foreignSections(root, kind).map((section) => wrongSection(section, kind));
  return [...sections, ...problems].sort((a, b) => a.start - b.start);
}

function wrongSection({ name, keyNode }: Property, kind: DocumentKind): DocumentProblem {
  return { ...rangeOf(keyNode), severity: 'warning', code: 'wrongSection', args: { key: name, expected: serversPath[kind].join('.') } };
}

function checkServers(servers: Node, scope: VariableScope): readonly DocumentProblem[] {
  if (servers.type !== 'object') {
    const args = { key: memberName(servers), expected: 'servers' };
    return [{ ...rangeOf(servers), severity: 'error', code: 'wrongType', args }];
  }
  const seen = new Set<string>();
  const entries = propertiesOf(servers).filter((property) => !isWrapper(property));
  return entries.flatMap((server) => {
    const read = readServerName(server.name);
    const name = read.kind === 'name' ? read.name : server.name;
    const isRepeated = seen.has(name);
    seen.add(name);
    return [...checkName(server, isRepeated, scope.kind), ...checkDefinition(server, scope)];
  });
}

function checkName(server: Property, isRepeated: boolean, kind: DocumentKind): readonly DocumentProblem[] {
  const { keyNode } = server;
  const name = shownName(server.name);
  const place = rangeOf(keyNode);
  const severity: ProblemSeverity = isOwnSetting(kind) ? 'error' : 'warning';
  if (isRepeated) {
    return [{ ...place, severity: 'error', code: 'duplicateName', args: { name } }];
  }
  const read = readServerName(server.name);
  switch (read.kind) {
    case 'name':
      return read.isMixed ? [{ ...place, severity: 'warning', code: 'mixedScripts', args: { name } }] : [];
    case 'reserved':
      return [{ ...place, severity, code: 'reservedName', args: { name } }];
    case 'withPlace':
      return [{ ...place, severity, code: 'nameWithPlace', args: { name } }];
    case 'bad':
      return [{ ...place, severity, code: 'badName', args: { longest: String(maxNameLength) } }];
  }
}

function checkDefinition(server: Property, scope: VariableScope): readonly DocumentProblem[] {
  const { valueNode } = server;
  if (valueNode?.type !== 'object') {
    const args = { key: server.name, expected: 'definition' };
    return [{ ...rangeOf(valueNode ?? server.keyNode), severity: 'error', code: 'wrongType', args }];
  }
  const { kind } = scope;
  return [
    ...checkShape(server, valueNode, kind),
    ...checkAddress(valueNode),
    ...checkSecrets(valueNode, scope),
    ...checkVariables(valueNode, scope),
    ...checkCommand(valueNode, kind),
  ];
}

type Issue = z.core.$ZodIssue;

/** For a definition with neither or both of command and url: it knows every key of either kind, so that the rest is still checked. */
const eitherDefinition = z
  .strictObject({ ...stdioDefinition().shape, ...remoteDefinition().shape, type: z.enum(['stdio', 'http', 'sse', 'ws']) })
  .partial();

/** Keys that mean something to the host whose file it is. */
const foreignKeys: Readonly<Record<DocumentKind, readonly string[]>> = {
  settings: [],
  workspaceFile: [],
  vscodeMcp: ['dev', 'gallery', 'sandbox', 'sandboxEnabled', 'version'],
  mcpJson: ['alwaysLoad', 'headersHelper', 'oauth'],
  claudeDesktop: [],
  cursor: ['oauth'],
};

/** Checks command or url, keys and types, with the same schemas that read the setting. */
function checkShape(server: Property, definition: Node, kind: DocumentKind): readonly DocumentProblem[] {
  const hasCommand = propertyOf(definition, 'command') !== undefined;
  const hasUrl = propertyOf(definition, 'url') !== undefined;
  const local = isOwnSetting(kind) ? stdioDefinition() : foreignStdioDefinition();
  const schema = hasCommand === hasUrl ? eitherDefinition : hasCommand ? local : remoteDefinition();
  const value: unknown = getNodeValue(definition);
  const issues = schema.safeParse(value).error?.issues ?? [];
  const problems = issues.flatMap((issue) => problemsOf(issue, definition, kind, hasCommand ? 'command' : 'url'));
  if (hasCommand !== hasUrl) {
    return problems;
  }
  const code = hasCommand ? 'commandAndUrl' : 'neitherCommandNorUrl';
  return [{ ...rangeOf(server.keyNode), severity: 'error', code, args: { name: server.name } }, ...problems];
}

function problemsOf(issue: Issue, definition: Node, kind: DocumentKind, serverKind: 'command' | 'url'): readonly DocumentProblem[] {
  const path = pathOf(issue);
  const node = findNodeAtLocation(definition, path) ?? definition;
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.filter((key) => path.length > 0 || !foreignKeys[kind].includes(key));
    return keys.map((key) => unknownKey(key, node, kind, path.length === 0 ? serverKind : undefined));
  }
  return [{ ...rangeOf(node), severity: 'error', ...describe(issue, path.join('.')) }];
}

function unknownKey(key: string, object: Node, kind: DocumentKind, serverKind: 'command' | 'url' | undefined): DocumentProblem {
  const place = rangeOf(propertyOf(object, key)?.keyNode ?? object);
  const isOurs = isOwnSetting(kind) || !Object.hasOwn(stdioDefinition().shape, key) || Object.hasOwn(foreignStdioDefinition().shape, key);
  if (serverKind !== undefined && isOurs && Object.hasOwn(eitherDefinition.shape, key)) {
    return { ...place, severity: 'error', code: 'misplacedKey', args: { key, kind: serverKind } };
  }
  const own = serverKind === undefined ? undefined : otherWords.get(key);
  if (own !== undefined && propertyOf(object, own) === undefined) {
    return { ...place, severity: isOwnSetting(kind) ? 'error' : 'warning', code: 'otherToolsKey', args: { key, own } };
  }
  return isOwnSetting(kind)
    ? { ...place, severity: 'error', code: 'unknownKey', args: { key } }
    : { ...place, severity: 'warning', code: 'foreignKey', args: { key } };
}

function describe(refused: Issue, key: string): ProblemWords {
  const issue = readIssue(refused);
  switch (issue.kind) {
    case 'wrongType':
      return { code: 'wrongType', args: { key, expected: issue.expected } };
    case 'noneOfSeveral':
      return { code: 'wrongType', args: { key, expected: expectedOfSeveral(key) } };
    case 'wrongValue':
      return { code: 'wrongValue', args: { key, values: issue.values.join(', ') } };
    case 'empty':
      return { code: 'emptyValue', args: { key } };
    case 'tooSmall':
      return { code: 'tooSmall', args: { key, least: issue.least } };
    case 'tooLarge':
      return { code: 'tooLarge', args: { key, most: issue.most } };
    case 'other':
      return { code: 'badValue', args: { key, reason: issue.reason } };
  }
}
