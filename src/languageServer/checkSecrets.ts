import type { Node } from 'jsonc-parser/lib/esm/main.js';
import { isPlainSecret, isSecretValue } from '../definitions/plainSecrets.ts';
import type { DocumentKind } from './documentKind.ts';
import type { Problem } from './problem.ts';
import { propertiesOf, propertyOf, type Property } from './jsonNodes.ts';

/** Values that look like a secret and stand in the file itself, where a commit or a sync would publish them. */
export function checkSecrets(definition: Node, kind: DocumentKind): readonly Problem[] {
  const members = ['env', 'headers'].flatMap((field) => membersOf(definition, field));
  const clientSecret = membersOf(definition, 'auth').filter(({ name }) => name === 'clientSecret');
  return [
    ...members.filter(({ name, valueNode }) => isPlainSecret(name, textOf(valueNode))),
    ...clientSecret.filter(({ valueNode }) => isSecretValue(textOf(valueNode))),
  ].flatMap((member) => problemOf(member, kind));
}

function membersOf(definition: Node, field: string): readonly Property[] {
  const object = propertyOf(definition, field)?.valueNode;
  return object === undefined ? [] : propertiesOf(object);
}

/** Empty where no text stands: then there is no secret. */
function textOf(node: Node | undefined): string {
  const value: unknown = node?.value;
  return typeof value === 'string' ? value : '';
}

function problemOf({ name, valueNode }: Property, kind: DocumentKind): readonly Problem[] {
  if (valueNode === undefined) {
    return [];
  }
  const { offset: start, length } = valueNode;
  const args = { key: name, variable: kind === 'mcpJson' ? `\${${environmentName(name)}}` : `\${env:${environmentName(name)}}` };
  return [{ start, end: start + length, severity: 'warning', code: 'secretInPlainText', args }];
}

/** What such a variable is usually called (Claude Code writes it without `env:`): `X-Api-Key` becomes `X_API_KEY`, `clientSecret` `CLIENT_SECRET`. */
function environmentName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}
