import { isPlainSecret } from './plainSecrets.ts';
import type { ServerDefinition } from './serverDefinition.ts';

/** Shorter ones are words that stand anywhere. */
export const minSecretLength = 6;
const reference = /\$\{env:([^}]{1,200})\}/g;

/** What a definition gives its server that looks like a secret, itself or by a variable of the environment: to know it elsewhere. */
export function secretValuesOf(definition: ServerDefinition, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries((definition.kind === 'stdio' ? definition.raw.env : definition.raw.headers) ?? {});
  if (definition.kind === 'remote' && definition.raw.auth?.clientSecret !== undefined) {
    named.push(['clientSecret', definition.raw.auth.clientSecret]);
  }
  const args = definition.kind === 'stdio' ? (definition.raw.args ?? []) : [definition.raw.url];
  const found = args.flatMap((argument, index) => secretsIn(argument, args[index - 1] ?? ''));
  for (const [name, value] of named) {
    if (isPlainSecret(name, String(value))) {
      // `Bearer …`: the token is one alone, too.
      found.push(String(value), String(value).replace(/^\w{1,20} /, ''));
    }
  }
  for (const text of [...args, ...named.map(([, value]) => String(value))]) {
    for (const [, name = ''] of text.matchAll(reference)) {
      const value = env[name] ?? '';
      if (isPlainSecret(name, value)) {
        found.push(value);
      }
    }
  }
  return [...new Set(found)].filter(({ length }) => length >= minSecretLength);
}

/** Rather one too many: nothing is hidden here from somebody who decides. */
function secretsIn(argument: string, before: string): readonly string[] {
  const assigned = [...argument.matchAll(/([\w.-]{1,100})=([^&\s]{1,8000})/g)].flatMap(([, name = '', value = '']) =>
    isPlainSecret(name, value) ? [value] : [],
  );
  return before.startsWith('-') && isPlainSecret(before, argument) ? [argument, ...assigned] : assigned;
}
