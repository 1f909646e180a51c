/**
 * What a room may import: of ours, with values or types, but for what is in `never`; of ours, types alone; and from outside
 * (`node:` is every built-in module).
 */
export interface Border {
  readonly ours: readonly string[];
  readonly never?: readonly string[];
  readonly typesOf?: readonly string[];
  readonly outside: readonly string[];
}

const everyRoom = [
  'app',
  'base',
  'bridge',
  'chat',
  'consent',
  'contract',
  'definitions',
  'editor',
  'host',
  'languageServer',
  'platform',
  'schemaForms',
  'server',
  'supervisor',
  'testRuns',
  'views',
] as const;

const underServer = ['base', 'contract', 'consent', 'platform', 'testRuns'];
const underWire = [...underServer, 'server/seen', 'server/access', 'server/offer', 'server/protocol'];
const ofServer = ['node:', 'zod', 'ws', 'picomatch'];

/** It implements what the rooms below ask for: of them it knows ports and types, and calls nothing. */
function ofEditor(...folders: readonly string[]): Border {
  return {
    ours: ['base', 'contract', 'platform', ...folders.map((folder) => `editor/${folder}`)],
    typesOf: ['consent', 'testRuns', 'chat', 'definitions', 'host', 'server'],
    outside: ['vscode', 'node:', 'ignore', 'picomatch'],
  };
}

/**
 * The table of the architecture, as data. The longest name that begins a file's path is its room, so that a folder within a
 * room can have a border of its own; a name in `ours` opens that folder and what is in it.
 */
export const borders: Readonly<Record<string, Border>> = {
  base: { ours: [], outside: [] },
  contract: { ours: ['base'], outside: ['zod'] },
  consent: { ours: ['base', 'contract'], outside: ['node:crypto', 'zod'] },
  platform: { ours: ['base'], outside: ['node:'] },
  schemaForms: { ours: ['base', 'contract'], outside: ['node:crypto', 'zod'] },
  testRuns: { ours: ['base', 'contract'], outside: ['node:crypto', 'zod', 'sax'] },
  chat: { ours: ['base', 'contract', 'consent', 'schemaForms'], outside: ['zod'] },
  'chat/models': { ours: ['base', 'contract', 'consent', 'schemaForms', 'chat'], outside: ['zod', '@anthropic-ai/sdk'] },
  definitions: { ours: ['base', 'contract', 'platform'], outside: ['node:', 'zod', 'jsonc-parser'] },
  host: {
    ours: ['base', 'contract', 'consent', 'definitions', 'platform', 'schemaForms'],
    outside: ['node:', 'zod', 'ws', '@modelcontextprotocol/client'],
  },
  // Within the server one direction: window and oauth on top, then wire, protocol, what is offered, who may, what is seen.
  server: {
    ours: [
      ...underServer,
      'server/seen',
      'server/access',
      'server/offer',
      'server/protocol',
      'server/wire',
      'server/oauth',
      'server/window',
    ],
    outside: ofServer,
  },
  'server/seen': { ours: underServer, outside: ofServer },
  'server/access': { ours: [...underServer, 'server/seen'], outside: ofServer },
  'server/offer': { ours: [...underServer, 'server/seen', 'server/access'], outside: ofServer },
  'server/protocol': { ours: underWire, outside: ofServer },
  // The two eras stand side by side on what they share.
  'server/protocol/legacy': { ours: underWire, never: ['server/protocol/modern'], outside: ofServer },
  'server/protocol/modern': { ours: underWire, never: ['server/protocol/legacy'], outside: ofServer },
  'server/wire': { ours: underWire, outside: ofServer },
  'server/oauth': { ours: [...underServer, 'server/seen', 'server/access', 'server/wire/http'], outside: ofServer },
  'server/window': {
    ours: [...underServer, 'server/seen', 'server/access', 'server/offer', 'server/protocol', 'server/wire', 'server/oauth'],
    outside: ofServer,
  },
  // Within the editor one direction too: what all use, each port, and on top the editor that is served.
  editor: ofEditor('shared'),
  'editor/shared': ofEditor(),
  'editor/documents': ofEditor('shared'),
  'editor/terminals': ofEditor('shared'),
  'editor/workspace': ofEditor('shared'),
  'editor/language': ofEditor('shared', 'documents', 'workspace'),
  'editor/acting': ofEditor('shared', 'settingsReader.ts', 'documents', 'workspace', 'language'),
  'editor/tests': ofEditor('shared', 'settingsReader.ts', 'workspace'),
  'editor/served': ofEditor('shared', 'documents', 'terminals', 'workspace', 'language', 'acting', 'tests'),
  views: {
    ours: ['base', 'contract', 'consent', 'testRuns', 'chat', 'definitions', 'host', 'server', 'editor', 'platform', 'schemaForms'],
    // What the language server says is said in the person's language here, in the editor's process.
    typesOf: ['languageServer'],
    outside: ['vscode', 'node:', 'zod'],
  },
  app: { ours: everyRoom, outside: ['vscode', 'node:', 'vscode-languageclient'] },
  'extension.ts': { ours: everyRoom, outside: ['vscode', 'node:'] },
  webview: { ours: ['base', 'contract', 'schemaForms'], outside: ['preact', 'marked', 'highlight.js'] },
  languageServer: {
    ours: ['base', 'contract', 'definitions', 'platform'],
    outside: ['node:', 'vscode-languageserver', 'vscode-languageserver-textdocument', 'jsonc-parser', 'zod'],
  },
  worker: { ours: ['base', 'contract', 'testRuns', 'schemaForms'], outside: ['node:'] },
  bridge: { ours: ['base', 'contract', 'platform'], outside: ['node:', 'ws'] },
  supervisor: { ours: ['base', 'contract', 'platform'], outside: ['node:'] },
};
