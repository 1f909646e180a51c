import { neverAborted } from '../base/abort.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { Ask } from '../consent/consentGate.ts';
import type { ContentReader } from '../host/contentReader.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { requireResult } from '../host/requireResult.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';
import type { ToolOutcome } from '../host/toolCaller.ts';
import { calledServerError } from '../host/toolRunErrors.ts';
import type { TrafficRecord } from '../traffic/trafficLog.ts';

export interface SendAgainPorts {
  readonly registry: Pick<HostRegistry, 'servers' | 'requireTrust'>;
  readonly reader: Pick<ContentReader, 'read'>;
  readonly call: (server: ServerSnapshot, tool: string, args: JsonObject) => Promise<ToolOutcome>;
  /** Questions go to the consent panel. */
  readonly ask: Ask;
}

/** Makes a request of ours once more, exactly as if the person had made it by hand: what was allowed to the chat is not used. */
export async function sendAgain({ registry, reader, call, ask }: SendAgainPorts, { peer, subject, again }: TrafficRecord): Promise<void> {
  registry.requireTrust();
  const params = isJsonObject(again?.['params']) ? again['params'] : {};
  const server = registry.servers().find(({ id }) => id === peer.id);
  if (server === undefined || again === undefined) {
    throw calledServerError('runTool.unknownServer', { server: peer.name });
  }
  const common = { principal: 'palette', serverId: server.id, signal: neverAborted(), ask, recordedAs: subject } as const;
  const { name, uri, arguments: args } = params;
  if (again['method'] === 'resources/read' && typeof uri === 'string') {
    await reader.read({ ...common, kind: 'resource', uri });
  } else if (again['method'] === 'prompts/get' && typeof name === 'string') {
    await reader.read({ ...common, kind: 'prompt', name, arguments: textsOf(args) });
  } else if (again['method'] === 'tools/call' && typeof name === 'string') {
    const outcome = await call(server, name, isJsonObject(args) ? args : {});
    if (outcome.kind !== 'cancelled' && !(outcome.kind === 'denied' && outcome.by === 'person')) {
      requireResult(outcome, server.label, name); // whoever said no knows it; every other failure is told
    }
  }
}

function textsOf(args: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(isJsonObject(args) ? args : {}).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}
