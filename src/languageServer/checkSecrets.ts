import type { Node } from 'jsonc-parser/lib/esm/main.js';
import type { DocumentKind } from './documentKind.ts';
import type { Problem } from './problem.ts';
import { propertiesOf, propertyOf, type Property } from './jsonNodes.ts';

const secretName = /token|secret|key|password|authorization/i;
/** `SSH_KEY_FILE` and `AWS_ACCESS_KEY_ID` say where or which, not the secret itself. */
const pointerName = /(path|file|dir|url|id)$/i;
/** `MAX_TOKENS: "8192"` is a number of something. */
const plainValue = /^(\d{1,9}|true|false)$/i;

/** Values that look like a secret and stand in the file itself, where a commit or a sync would publish them. */
export function checkSecrets(definition: Node, kind: DocumentKind): readonly Problem[] {
  const members = ['env', 'headers'].flatMap((field) => membersOf(definition, field));
  const clientSecret = membersOf(definition, 'auth').filter(({ name }) => name === 'clientSecret');
  return [...members.filter(({ name }) => secretName.test(name) && !pointerName.test(name)), ...clientSecret].flatMap((member) =>
    checkValue(member, kind),
  );
}

function membersOf(definition: Node, field: string): readonly Property[] {
  const object = propertyOf(definition, field)?.valueNode;
  return object === undefined ? [] : propertiesOf(object);
}

function checkValue({ name, valueNode }: Property, kind: DocumentKind): readonly Problem[] {
  const value: unknown = valueNode?.value;
  if (valueNode === undefined || typeof value !== 'string' || value.trim() === '' || plainValue.test(value) || /\$\{[^}]+\}/.test(value)) {
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
