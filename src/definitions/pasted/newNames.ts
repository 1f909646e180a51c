import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { readDefinitions } from '../readDefinitions.ts';
import { normaliseName, readServerName } from '../serverNames.ts';

export type NameProblem = 'empty' | 'reserved' | 'taken' | 'notAllowed';

/**
 * Why a server cannot have this name. A name that is taken in the same place would replace another server; all other rules are
 * those of the definitions.
 */
export function problemOfServerName(name: string, taken: readonly string[]): NameProblem | undefined {
  if (name.trim() === '') {
    return 'empty';
  }
  if (taken.map(normaliseName).includes(normaliseName(name))) {
    return 'taken';
  }
  const { problems } = readDefinitions([{ scope: 'user', value: { [name]: { command: 'x' } }, location: '' }]);
  const code = problems.find(({ severity }) => severity === 'error')?.code;
  return code === undefined ? undefined : code === 'definitions.reservedName' ? 'reserved' : 'notAllowed';
}

/** Suggests a name for a server: the package, program or host that its definition names. */
export function suggestedName(definition: JsonValue | undefined): string {
  const { command, args, url } = isJsonObject(definition) ? definition : {};
  if (typeof url === 'string') {
    return URL.canParse(url) ? new URL(url).hostname.replace(/^(www|mcp|api)\./, '').split('.')[0] || 'remote' : 'remote';
  }
  const words = Array.isArray(args) ? args.filter((arg): arg is string => typeof arg === 'string' && !arg.startsWith('-')) : [];
  const word = words.find((each) => each !== 'run' && each !== 'exec') ?? (typeof command === 'string' ? command : '');
  const last = word.split(/[\\/]/).at(-1) ?? '';
  const name = last
    .replace(/(?:@|==)[\w.^~-]+$/, '')
    .replace(/\.([cm]?[jt]s|py|exe|cmd)$/, '')
    .replace(/^(mcp-)?server-|-mcp(-server)?$/g, '');
  return readServerName(name).kind === 'name' ? name : 'server';
}

/** The suggestion itself, or with a number behind it where a server has that name already. */
export function freeName(suggestion: string, taken: readonly string[]): string {
  const others = taken.map(normaliseName);
  let name = suggestion;
  for (let count = 2; others.includes(normaliseName(name)); count += 1) {
    name = `${suggestion}-${count}`;
  }
  return name;
}
