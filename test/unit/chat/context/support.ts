import { pathNotFound } from '../../../../src/platform/paths/clientPath.ts';
import { ChatContext } from '../../../../src/chat/context/chatContext.ts';
import type { ContentOffers } from '../../../../src/chat/models/contentOffers.ts';
import type { ContextSources } from '../../../../src/chat/context/contextSources.ts';

export const secret = 'hunter2-hunter2';

const sources = (files: ReadonlySet<string>): ContextSources => ({
  present: () => Promise.resolve([]),
  candidates: () => Promise.resolve([]),
  isWithheld: () => false,
  read: (ref) =>
    'path' in ref && ref.path !== undefined && !files.has(ref.path)
      ? Promise.reject(pathNotFound(ref.path))
      : Promise.resolve({ content: [{ kind: 'text', name: '', text: 'text' }], version: '', isWithheld: false }),
  selectLines: (path, lines) => Promise.resolve({ kind: 'selection', path, lines, text: 'what stands there now' }),
  watch: () => ({ dispose: () => undefined }),
});

/** The attachments of a chat in a workspace with these files. */
export function contextWith(...files: readonly string[]): ChatContext {
  return contextOffering({}, files);
}

/** The attachments of a chat whose servers offer this. */
export function contextOffering(offers: Partial<ContentOffers>, files: readonly string[] = []): ChatContext {
  return new ChatContext({
    sources: sources(new Set(files)),
    content: {
      offers: () => Promise.resolve({ resources: [], templates: [], prompts: [], ...offers }),
      secretsIn: (text) => Promise.resolve(text.includes(secret) ? [{ from: text.indexOf(secret), to: text.length }] : []),
    },
    completions: { complete: () => Promise.resolve([]) },
    pick: () => Promise.resolve([]),
    tools: () => [],
    chooseTool: () => Promise.resolve(),
  });
}

/** As the editor stores it. */
export class Memory {
  stored = 'null';

  get(): unknown {
    return JSON.parse(this.stored);
  }

  set(value: unknown): void {
    this.stored = JSON.stringify(value);
  }
}
