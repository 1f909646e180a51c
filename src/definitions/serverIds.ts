import { createHash } from 'node:crypto';
import type { DefinitionSource } from './serverDefinition.ts';
import { shownName } from './serverNames.ts';

/** Stable over sessions, different for every place. */
export function idOf(source: DefinitionSource, name: string): string {
  switch (source.scope) {
    case 'user':
      return `user:${name}`;
    case 'remote':
      return `remote:${shortHash(source.machine ?? '')}:${name}`;
    case 'workspace':
      return `workspace:${shortHash(source.workspace ?? '')}:${name}`;
    case 'folder':
      return `folder:${shortHash(source.folder?.path ?? '')}:${name}`;
    case 'discovered':
      return `file:${shortHash(source.file?.path ?? '')}:${name}`;
  }
}

export function builtInId(name: string): string {
  return `builtIn:${name}`;
}

/** For people: what the server of an id is called, when nothing else of it is known any more. */
export function nameInId(id: string): string {
  const [scope = '', second = '', ...rest] = id.split(':');
  const isWithoutPlace = scope === 'user' || scope === 'builtIn';
  return shownName(isWithoutPlace ? [second, ...rest].join(':') : rest.join(':'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
