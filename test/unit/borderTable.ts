/** What a room may import: of ours, with values or types; of ours, types alone; and from outside (`node:` is every built-in module). */
export interface Border {
  readonly ours: readonly string[];
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
  'registry',
  'schemaForms',
  'secrets',
  'server',
  'supervisor',
  'testRuns',
  'traffic',
  'views',
  'worker',
] as const;

const underServer = ['base', 'contract', 'consent', 'platform', 'secrets', 'testRuns', 'traffic', 'server/errors'];
const underOffer = [...underServer, 'server/seen', 'server/access'];
const underProtocol = [...underOffer, 'server/offer'];
const underWire = [...underProtocol, 'server/protocol'];
const ofServer = ['node:', 'zod', 'ws', 'picomatch'];

/** Within a room of the server one direction too: a folder stands on those named, and on nothing above or beside them. */
function within(room: string, below: readonly string[], ...folders: readonly string[]): Border {
  return { ours: [...below, ...folders.map((folder) => `${room}/${folder}`)], outside: ofServer };
}

/** It implements what the rooms below ask for: of them it knows ports and types, and calls nothing. */
function ofEditor(...folders: readonly string[]): Border {
  return {
    ours: ['base', 'contract', 'platform', 'secrets', ...folders.map((folder) => `editor/${folder}`)],
    typesOf: ['consent', 'testRuns', 'chat', 'definitions', 'host', 'server'],
    outside: ['vscode', 'node:', 'ignore', 'picomatch'],
  };
}

/** A folder of the chat: it may import the folders named here, which stand below it. */
function ofChat(...folders: readonly string[]): Border {
  return {
    ours: ['base', 'contract', 'consent', 'schemaForms', 'secrets', ...folders.map((folder) => `chat/${folder}`)],
    outside: ['zod'],
  };
}

const underHost = ['base', 'contract', 'consent', 'definitions', 'platform', 'schemaForms', 'secrets', 'traffic'];
const fromOutsideHost = ['node:', 'zod', 'ws', '@modelcontextprotocol/client'];

/** A folder of the host stands on what all of them share, and on those named. */
function ofHost(...folders: readonly string[]): Border {
  return { ours: [...underHost, ...['shared', ...folders].map((folder) => `host/${folder}`)], outside: fromOutsideHost };
}

/**
 * The table of the architecture, as data. The longest name that begins a file's path is its room, so that a folder within a
 * room can have a border of its own; a name in `ours` opens that folder and what is in it.
 */
export const borders: Readonly<Record<string, Border>> = {
  base: { ours: [], outside: [] },
  contract: { ours: ['base'], outside: ['zod'] },
  secrets: { ours: ['base'], outside: [] },
  consent: { ours: ['base', 'contract', 'secrets'], outside: ['node:crypto', 'zod'] },
  platform: { ours: ['base'], outside: ['node:'] },
  schemaForms: { ours: ['base', 'contract', 'secrets'], outside: ['node:crypto', 'zod'] },
  traffic: { ours: ['base', 'contract', 'secrets'], outside: ['node:crypto', 'zod'] },
  testRuns: {
    ours: ['base', 'contract', 'secrets', 'testRuns/parsers', 'testRuns/chain', 'testRuns/filter'],
    outside: ['node:crypto', 'zod'],
  },
  'testRuns/filter': { ours: ['base', 'testRuns/chain'], outside: [] },
  'testRuns/chain': { ours: ['base'], outside: ['node:crypto'] },
  'testRuns/parsers': { ours: ['base'], outside: ['zod', 'sax'] },
  // Within the chat one direction: the door, the places, a turn, what goes into it, the conversation and its files, the models.
  chat: ofChat('places'),
  'chat/places': ofChat('apps', 'turn', 'context', 'store', 'conversation'),
  'chat/apps': ofChat('turn', 'conversation'),
  'chat/turn': ofChat('budget', 'content', 'conversation', 'models'),
  'chat/budget': ofChat('content', 'conversation', 'models'),
  'chat/context': ofChat('content', 'conversation', 'models'),
  'chat/sampling': ofChat('models'),
  'chat/content': { ...ofChat('conversation', 'models'), outside: ['zod', 'yaml'] },
  'chat/store': ofChat('conversation', 'models'),
  'chat/conversation': ofChat('models'),
  'chat/models': { ...ofChat(), outside: ['zod', '@anthropic-ai/sdk'] },
  definitions: { ours: ['base', 'contract', 'platform', 'secrets'], outside: ['node:', 'zod', 'jsonc-parser'] },
  registry: { ours: ['base', 'contract', 'definitions', 'platform', 'secrets'], outside: ['node:', 'zod', 'yauzl'] },
  // Within the host one direction: what all share, the door for what servers send, processes and sign-ins, transports and features, then a connection and the
  // approval before it, the registry (the files of host/ itself), and on top of it tools, resources, what starts servers by itself and what people run by hand.
  host: ofHost('intake', 'processes', 'box', 'auth', 'transports', 'features', 'connection', 'approval'),
  'host/shared': { ours: underHost, outside: fromOutsideHost },
  'host/intake': ofHost(),
  'host/processes': ofHost('intake'),
  'host/box': ofHost('processes'),
  'host/auth': ofHost(),
  'host/transports': ofHost('intake', 'processes', 'auth'),
  'host/features': ofHost('intake'),
  'host/connection': ofHost('intake', 'transports', 'features'),
  'host/approval': ofHost('processes', 'box', 'auth', 'transports'),
  'host/tools': ofHost('features', 'connection', 'hostRegistry.ts', 'managedServer.ts'),
  'host/resources': ofHost('features', 'hostRegistry.ts'),
  'host/apps': ofHost('intake', 'connection', 'features', 'resources', 'tools', 'hostRegistry.ts'),
  'host/reports': ofHost(),
  'host/starting': ofHost('auth', 'hostRegistry.ts'),
  'host/byHand': ofHost('connection', 'tools'),
  'host/offered': ofHost('connection', 'features', 'resources', 'tools', 'hostRegistry.ts'),
  // Run by the build alone: no part of the extension, and nothing of it is needed.
  build: { ours: [], outside: ['node:', 'esbuild'] },
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
  'server/errors': { ours: ['base', 'contract'], outside: [] },
  'server/seen': { ours: underServer, outside: ofServer },
  'server/access': { ours: [...underServer, 'server/seen'], outside: ofServer },
  'server/offer': within('server/offer', underOffer, 'catalog', 'tools', 'resources', 'prompts', 'skills', 'offered'),
  'server/offer/catalog': within('server/offer', underOffer),
  'server/offer/tools': within('server/offer', underOffer, 'catalog'),
  'server/offer/resources': within('server/offer', underOffer, 'catalog', 'tools'),
  'server/offer/offered': within('server/offer', underOffer, 'catalog'),
  'server/offer/skills': within('server/offer', underOffer, 'catalog'),
  'server/offer/prompts': within('server/offer', underOffer, 'catalog', 'tools', 'resources'),
  // The two eras stand side by side on what they share; whoever holds all clients stands on both.
  'server/protocol': within('server/protocol', underProtocol, 'rpc', 'requests', 'methods', 'clients', 'tasks', 'legacy', 'modern'),
  'server/protocol/rpc': within('server/protocol', underProtocol),
  'server/protocol/requests': within('server/protocol', underProtocol, 'rpc'),
  'server/protocol/methods': within('server/protocol', underProtocol, 'rpc', 'requests'),
  'server/protocol/clients': within('server/protocol', underProtocol, 'methods'),
  'server/protocol/tasks': within('server/protocol', underProtocol, 'rpc', 'requests'),
  'server/protocol/legacy': within('server/protocol', underProtocol, 'rpc', 'requests', 'methods', 'clients', 'tasks'),
  'server/protocol/modern': within('server/protocol', underProtocol, 'rpc', 'requests', 'methods', 'clients', 'tasks'),
  'server/wire': within('server/wire', underWire, 'http', 'transports'),
  'server/wire/http': within('server/wire', underWire),
  'server/wire/transports': within('server/wire', underWire, 'http'),
  'server/oauth': { ours: [...underOffer, 'server/wire/http'], outside: ofServer },
  'server/window': {
    ours: [...underServer, 'server/seen', 'server/access', 'server/offer', 'server/protocol', 'server/wire', 'server/oauth'],
    outside: ofServer,
  },
  // Within the editor one direction too: what all use, each port, and on top the editor that is served.
  editor: ofEditor('shared'),
  'editor/shared': ofEditor(),
  'editor/documents': ofEditor('shared', 'settingsReader.ts'),
  'editor/terminals': ofEditor('shared'),
  'editor/workspace': ofEditor('shared', 'settingsReader.ts', 'documents'),
  'editor/language': ofEditor('shared', 'documents', 'workspace'),
  'editor/acting': ofEditor('shared', 'settingsReader.ts', 'documents', 'workspace', 'language'),
  'editor/tests': ofEditor('shared', 'settingsReader.ts', 'workspace'),
  'editor/context': ofEditor('shared', 'documents'),
  'editor/debug': ofEditor('shared', 'settingsReader.ts', 'workspace', 'acting/tasks'),
  'editor/served': ofEditor('shared', 'documents', 'terminals', 'workspace', 'language', 'acting', 'tests', 'debug'),
  views: {
    ours: [
      'base',
      'contract',
      'consent',
      'testRuns',
      'chat',
      'definitions',
      'host',
      'server',
      'editor',
      'platform',
      'registry',
      'schemaForms',
      'secrets',
      'traffic',
    ],
    // What the language server says is said in the person's language here, in the editor's process.
    typesOf: ['languageServer'],
    outside: ['vscode', 'node:', 'zod'],
  },
  app: { ours: everyRoom, outside: ['vscode', 'node:', 'vscode-languageclient'] },
  'extension.ts': { ours: everyRoom, outside: ['vscode', 'node:'] },
  webview: {
    ours: ['base', 'contract', 'schemaForms', 'secrets/secretMarks.ts'],
    outside: ['preact', 'marked', 'highlight.js', 'thread:./textThread.ts', 'thread:./relayFrame.ts'],
  },
  languageServer: {
    ours: ['base', 'contract', 'definitions', 'platform', 'secrets'],
    outside: ['node:', 'vscode-languageserver', 'vscode-languageserver-textdocument', 'jsonc-parser', 'zod'],
  },
  worker: {
    ours: ['base', 'contract', 'platform', 'testRuns', 'schemaForms', 'secrets'],
    outside: ['node:', '@modelcontextprotocol/client/validators/ajv'],
  },
  bridge: { ours: ['base', 'contract', 'platform'], outside: ['node:', 'ws'] },
  supervisor: { ours: ['base', 'contract', 'platform'], outside: ['node:'] },
};
