import { isPlainSecret, isSecretValue } from './plainSecrets.ts';
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

/** Of a file that is there to hold what no settings should: by its name, by its look, and the password of an address. */
export function secretsOfFile(variables: Readonly<Record<string, string>>): readonly string[] {
  const found = Object.entries(variables).flatMap(([name, value]) => {
    const [, password = ''] = /^[a-z][a-z\d+.-]{0,30}:\/\/[^/\s:@]{0,500}:([^/\s@]{1,2000})@/i.exec(value) ?? [];
    return isPlainSecret(name, value) || looksRandom(value) ? [value, password] : [password];
  });
  return [...new Set(found)].filter(({ length }) => length >= minSecretLength);
}

/** No word, number, path or address. */
function looksRandom(value: string): boolean {
  return value.length >= 16 && /^[\w.+=~-]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && isSecretValue(value);
}

/** Rather one too many: nothing is hidden here from somebody who decides. */
function secretsIn(argument: string, before: string): readonly string[] {
  const assigned = [...argument.matchAll(/([\w.-]{1,100})=([^&\s]{1,8000})/g)].flatMap(([, name = '', value = '']) =>
    isPlainSecret(name, value) ? [value] : [],
  );
  return before.startsWith('-') && isPlainSecret(before, argument) ? [argument, ...assigned] : assigned;
}
