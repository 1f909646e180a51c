import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { silentLog } from '../base/log.ts';
import type { OfflineAnswers, RecordedResult } from '../contract/bridgeFiles.ts';
import { createEditorCatalog } from './offer/editorCatalog.ts';
import { metaKey, modernRevision } from '../contract/protocolNames.ts';
import type { ClientApproval } from './access/clientApproval.ts';
import type { EditorPort } from './seen/ports/editorPort.ts';
import { createServerCore } from './window/serverCore.ts';
import { legacyRevisions } from './protocol/requests/revisions.ts';

const listKeys: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'skills/list': 'skills',
};

/** Lists that only the revision without sessions has. */
const modernLists: ReadonlySet<string> = new Set(['skills/list']);

/** For the build only: asks a server without an editor for the answers that the bridge gives while no window is open. */
export async function recordOfflineAnswers(version: string): Promise<OfflineAnswers> {
  const home = await mkdtemp(join(tmpdir(), 'duplex-build-'));
  const server = createServerCore({
    catalog: createEditorCatalog(absentEditor, { for: () => absentEditor, toActFor: () => absentEditor }),
    approval: nothing as ClientApproval,
    folders: { list: () => [], onDidChange: () => ({ dispose: () => undefined }) },
    log: silentLog,
    version,
    windowName: '',
    duplexHome: home,
  });
  try {
    const state = await server.start();
    if (state.kind !== 'listening') {
      throw new Error(`The server did not start: ${JSON.stringify(state)}`);
    }
    return await recordAll(state.urls.ws, server.windowToken ?? '');
  } finally {
    await server.stop();
    server.dispose();
    await rm(home, { recursive: true, force: true });
  }
}

async function recordAll(url: string, token: string): Promise<OfflineAnswers> {
  const entries: JsonObject[] = [];
  const places = new Map<string, number>();
  const place = (entry: JsonObject): number => {
    const text = JSON.stringify(entry);
    const known = places.get(text) ?? entries.push(entry) - 1;
    places.set(text, known);
    return known;
  };
  const revisions: Record<string, Record<string, RecordedResult>> = {};
  for (const revision of [modernRevision, ...legacyRevisions]) {
    const socket = new WebSocket(url, 'mcp', { headers: { authorization: `Bearer ${token}` } });
    await once(socket, 'open');
    const opening = revision === modernRevision ? 'server/discover' : 'initialize';
    const results: Record<string, RecordedResult> = {};
    const lists = Object.keys(listKeys).filter((method) => revision === modernRevision || !modernLists.has(method));
    for (const method of [opening, ...lists]) {
      results[method] = toRecorded(method, await ask(socket, method, paramsFor(revision, method)), place);
    }
    revisions[revision] = results;
    socket.close();
    await once(socket, 'close');
  }
  return { entries, revisions };
}

function toRecorded(method: string, result: JsonObject, place: (entry: JsonObject) => number): RecordedResult {
  const key = listKeys[method];
  if (key === undefined) {
    return { rest: result };
  }
  const { [key]: list, ...rest } = result;
  return { rest, list: { key, entries: Array.isArray(list) ? list.map((entry) => place(entry as JsonObject)) : [] } };
}

function ask(socket: WebSocket, method: string, params: JsonObject): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const listen = (data: Buffer): void => {
      const { id, result } = JSON.parse(data.toString()) as JsonObject;
      if (id === method) {
        socket.off('message', listen);
        if (isJsonObject(result)) {
          resolve(result);
        } else {
          reject(new Error(`${method} was not answered: ${data.toString()}`));
        }
      }
    };
    socket.on('message', listen);
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: method, method, params }));
  });
}

function paramsFor(revision: string, method: string): JsonObject {
  if (revision === modernRevision) {
    return { _meta: { [metaKey.protocolVersion]: revision, [metaKey.clientCapabilities]: {} } };
  }
  return method === 'initialize' ? { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'build', version: '0' } } : {};
}

/** An object with every member, all of which do nothing. The recorded lists need no editor, but the code that makes them wants one. */
const nothing: unknown = new Proxy(() => undefined, {
  get: (_target, name) => {
    if (name === 'then' || typeof name === 'symbol') {
      return name === Symbol.iterator ? () => [][Symbol.iterator]() : undefined;
    }
    return nothing;
  },
  apply: () => nothing,
});
const absentEditor = nothing as EditorPort;
