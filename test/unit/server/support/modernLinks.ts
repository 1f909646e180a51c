import type { OutgoingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import type { EventReader } from './httpPeer.ts';
import { Inbox, readAnswer, type ProtocolLink } from './protocolLinks.ts';
import type { RunningCore } from './runningCore.ts';

export interface ModernLink extends ProtocolLink {
  /** Takes a request back in the transport's own way. */
  cancel(id: unknown): Promise<void>;
}

export interface ModernTransport {
  readonly name: string;
  open(core: RunningCore, token?: string): Promise<ModernLink>;
}

export function modernMeta(capabilities: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'peer', version: '9' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

/** What a client mirrors of a message. */
export function modernHeaders(message: unknown): OutgoingHttpHeaders {
  if (!isJsonObject(message)) {
    return { 'mcp-protocol-version': '2026-07-28' };
  }
  const params = isJsonObject(message.params) ? message.params : {};
  const version = isJsonObject(params._meta) ? params._meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  const name = params.name ?? params.uri ?? params.taskId;
  return {
    'mcp-protocol-version': typeof version === 'string' ? version : '2026-07-28',
    'mcp-method': typeof message.method === 'string' ? message.method : '',
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

export const statelessHttp: ModernTransport = {
  name: '/mcp',
  open: async (core, token) => {
    const peer = core.peer(token);
    const inbox = new Inbox();
    const open = new Map<unknown, EventReader>();
    return {
      ask: async (message) => {
        const reader = await peer.openPost(message, modernHeaders(message));
        open.set((message as JsonObject).id, reader);
        return readAnswer(reader, inbox);
      },
      tell: async (message) => {
        await peer.post(message, modernHeaders(message));
      },
      next: () => inbox.next(),
      cancel: async (id) => {
        // Without headers there is no reader yet: closing the whole peer is what a client that goes away does.
        const reader = open.get(id);
        if (reader === undefined) {
          peer.close();
        } else {
          reader.close();
        }
      },
    };
  },
};
