import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject } from '../../base/json.ts';
import { type Blank, findBlanks } from '../../definitions/pasted/blanks.ts';
import { isPlainSecret, isSecretValue } from '../../secrets/secretNames.ts';
import { argumentsOf } from './checkCommand.ts';
import type { VariableScope } from './checkValues.ts';
import { type DocumentKind, propertiesOf, type Property, propertyOf, rangeOf, stringOf } from '../documents.ts';
import type { DocumentProblem } from '../problem.ts';

/** Finds values that look like a secret in the file itself, where a commit or a sync would publish them. */
export function checkSecrets(definition: Node, { kind, source }: VariableScope): readonly DocumentProblem[] {
  const members = ['env', 'headers'].flatMap((field) => membersOf(definition, field));
  const clientSecret = membersOf(definition, 'auth').filter(({ name }) => name === 'clientSecret');
  return [
    ...members.filter(({ name, valueNode }) => isPlainSecret(name, textOf(valueNode))).flatMap((member) => problemOf(member, kind)),
    ...clientSecret.filter(({ valueNode }) => isSecretValue(textOf(valueNode))).flatMap((member) => problemOf(member, kind)),
    ...inTexts(definition, source),
    ...passwordInUrl(definition),
  ];
}

function membersOf(definition: Node, field: string): readonly Property[] {
  const object = propertyOf(definition, field)?.valueNode;
  return object === undefined ? [] : propertiesOf(object);
}

/** Empty when the value is no text, and so no secret. */
function textOf(node: Node | undefined): string {
  const value: unknown = node?.value;
  return typeof value === 'string' ? value : '';
}

function problemOf({ name, valueNode }: Property, kind: DocumentKind): readonly DocumentProblem[] {
  if (valueNode === undefined) {
    return [];
  }
  const args = { key: name, variable: kind === 'mcpJson' ? `\${${environmentName(name)}}` : `\${env:${environmentName(name)}}` };
  return [{ ...rangeOf(valueNode), severity: 'warning', code: 'secretInPlainText', args }];
}

/** The usual name of a variable for this key: `X-Api-Key` becomes `X_API_KEY`, `clientSecret` becomes `CLIENT_SECRET`. */
function environmentName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

/** No shorter argument is taken for a secret; most definitions have none that is longer. */
const minSecret = 12;

/** Secrets in arguments and in the query of the URL, found by the same rules as in what people paste. */
function inTexts(definition: Node, source: string): readonly DocumentProblem[] {
  const mayHaveSecret =
    argumentsOf(definition).texts.some(({ length }) => length >= minSecret) || stringOf(definition, 'url')?.text.includes('?');
  const raw: unknown = mayHaveSecret === true ? getNodeValue(definition) : undefined;
  const found = (isJsonObject(raw) ? findBlanks(raw) : []).filter(({ kind, path: [field] }) => {
    return kind === 'secret' && (field === 'args' || field === 'url');
  });
  return found.flatMap((blank): readonly DocumentProblem[] => {
    const node = findNodeAtLocation(definition, [...blank.path]);
    if (node === undefined) {
      return [];
    }
    const code = blank.path[0] === 'url' ? 'secretInUrl' : 'secretInArgument';
    return [{ ...placeOf(blank, node, source), severity: 'warning', code, args: { key: blank.label } }];
  });
}

/** The range of the secret alone; the whole text when it is written with escapes. */
function placeOf({ from, to, text }: Blank, node: Node, source: string): { readonly start: number; readonly end: number } {
  const start = node.offset + 1 + from;
  const end = node.offset + 1 + to;
  return source.slice(start, end) === text ? { start, end } : rangeOf(node);
}

/** A password before the host. It cannot be an input: nothing may decide which machine is asked but what stands in the file. */
function passwordInUrl(definition: Node): readonly DocumentProblem[] {
  const address = stringOf(definition, 'url');
  const [, user = '', password = ''] = /^[a-z][a-z\d+.-]{0,20}:\/\/([^/?#@:]{0,500}):([^/?#@]{1,2000})@/i.exec(address?.text ?? '') ?? [];
  return address !== undefined && isSecretValue(password)
    ? [{ ...rangeOf(address.node), severity: 'warning', code: 'secretInUrl', args: { key: user === '' ? 'password' : user } }]
    : [];
}
