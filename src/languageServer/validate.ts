import { parseTree, type Node } from 'jsonc-parser/lib/esm/main.js';
import { maxNameLength, readServerName, shownName } from '../definitions/serverNames.ts';
import { checkAddress } from './checkAddress.ts';
import { checkSecrets } from './checkSecrets.ts';
import { checkShape } from './checkShape.ts';
import { checkVariables, knownInputs, type VariableScope } from './checkVariables.ts';
import { isOwnSetting, type DocumentKind } from './documentKind.ts';
import type { Problem, ProblemSeverity } from './problem.ts';
import { findServers, isWrapper, nameOf, propertiesOf, type Property } from './jsonNodes.ts';

/** Beyond this nobody wrote the file by hand, and help would only cost time. */
const maxText = 2_000_000;

/** Pure: everything wrong with the server definitions in a document. Broken JSON is left to the editor's own JSON support. */
export function validate(text: string, kind: DocumentKind): readonly Problem[] {
  const root = text.length > maxText ? undefined : parseTree(text, [], { allowTrailingComma: true, disallowComments: false });
  if (root === undefined) {
    return [];
  }
  const scope: VariableScope = { kind, inputs: knownInputs(root, kind), source: text };
  const problems = findServers(root, kind).flatMap((servers) => checkServers(servers, scope));
  return problems.sort((a, b) => a.start - b.start);
}

function checkServers(servers: Node, scope: VariableScope): readonly Problem[] {
  if (servers.type !== 'object') {
    const { offset: start, length } = servers;
    const args = { key: nameOf(servers), expected: 'servers' };
    return [{ start, end: start + length, severity: 'error', code: 'wrongType', args }];
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

function checkName(server: Property, isRepeated: boolean, kind: DocumentKind): readonly Problem[] {
  const { keyNode } = server;
  const name = shownName(server.name);
  const place = { start: keyNode.offset, end: keyNode.offset + keyNode.length };
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

function checkDefinition(server: Property, scope: VariableScope): readonly Problem[] {
  const { valueNode } = server;
  if (valueNode?.type !== 'object') {
    const at = valueNode ?? server.keyNode;
    const args = { key: server.name, expected: 'definition' };
    return [{ start: at.offset, end: at.offset + at.length, severity: 'error', code: 'wrongType', args }];
  }
  const { kind } = scope;
  return [
    ...checkShape(server, valueNode, kind),
    ...checkAddress(valueNode),
    ...checkSecrets(valueNode, kind),
    ...checkVariables(valueNode, scope),
  ];
}
