import { neverAborted } from '../../base/abort.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { secretMark } from '../../secrets/secretMarks.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { ScriptRefusal } from '../../contract/pages/trafficMessages.ts';
import { inheritedNames } from '../../definitions/childEnvironment.ts';
import { isPlainSecret, isSecretField } from '../../secrets/secretNames.ts';
import { secretValuesOf } from '../../definitions/knownSecrets.ts';
import type { ServerDefinition, WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import { expand } from '../../definitions/variables.ts';
import type { ContentReader } from '../../host/resources/contentReader.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import { calledServerError, requireResult } from '../../host/tools/runTool.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import type { CallOutcome } from '../../host/tools/toolCaller.ts';
import { exchangeScript, partsOf, type ScriptTarget, type ScriptText, variableName } from '../../traffic/exchangeScript.ts';
import type { TrafficRecord } from '../../traffic/trafficLog.ts';
import type { TrafficPeer } from '../../traffic/trafficTap.ts';
import { withoutSecrets } from '../../secrets/redactSecrets.ts';

export interface SendAgainPorts {
  readonly registry: Pick<HostRegistry, 'servers' | 'requireTrust'>;
  readonly reader: Pick<ContentReader, 'read'>;
  readonly call: (server: ServerSnapshot, tool: string, args: JsonObject) => Promise<CallOutcome>;
  /** Asks the person, in the consent panel. */
  readonly ask: Ask;
}

/** Sends a request of ours once more, under permissions of its own: what was allowed to the chat or to Run Tool is not used. */
export async function sendAgain({ registry, reader, call, ask }: SendAgainPorts, { peer, subject, again }: TrafficRecord): Promise<void> {
  registry.requireTrust();
  const params = isJsonObject(again?.['params']) ? again['params'] : {};
  const server = registry.servers().find(({ id }) => id === peer.id);
  if (server === undefined || again === undefined) {
    throw calledServerError('runTool.unknownServer', { server: peer.name });
  }
  const common = {
    principal: 'traffic',
    decidedBy: 'person',
    serverId: server.id,
    signal: neverAborted(),
    ask,
    recordedAs: subject,
  } as const;
  const { name, uri, arguments: args } = params;
  if (again['method'] === 'resources/read' && typeof uri === 'string') {
    await reader.read({ ...common, kind: 'resource', uri });
  } else if (again['method'] === 'prompts/get' && typeof name === 'string') {
    await reader.read({ ...common, kind: 'prompt', name, arguments: textsOf(args) });
  } else if (again['method'] === 'tools/call' && typeof name === 'string') {
    const outcome = await call(server, name, isJsonObject(args) ? args : {});
    if (outcome.kind !== 'cancelled' && !(outcome.kind === 'denied' && outcome.by === 'person')) {
      requireResult(outcome, server.label, name); // a refusal of the person is known to them; every other failure is reported
    }
  }
}

function textsOf(args: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(isJsonObject(args) ? args : {}).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

export interface ScriptPlace {
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  /** Whether the person signed in by OAuth: then the script needs a token that only Duplex has. */
  readonly isSignedIn: boolean;
}

/**
 * How a script reaches a server; undefined for one that is neither a program nor speaks plain HTTP. Throws for a definition whose
 * variables cannot be expanded.
 */
export function scriptTarget(definition: ServerDefinition, place: ScriptPlace): ScriptTarget | undefined {
  const { folders, userHome, isSignedIn, platform } = place;
  const folder = definition.folder ?? folders[0];
  const known = secretValuesOf(definition, {});
  const write = (text: string, purpose: string): ScriptText => {
    const shown = expand(text, { folder, folders, userHome, env: {} }).shown;
    // Variables of the environment and inputs stay names in the script: their values may be secret.
    return shown.split(/(\$\{(?:env|input):[^}]*\})/).flatMap((part, index): ScriptText => {
      const [, kind, name] = /^\$\{(env|input):([^}]*)\}$/.exec(part) ?? [];
      return index % 2 === 1 && name !== undefined
        ? [{ variable: kind === 'env' ? environmentName(name) : variableName(name) }]
        : partsOf(withoutSecrets(part, known), (at) => (at === 1 ? variableName(purpose) : `${variableName(purpose)}_${at}`));
    });
  };
  const named = (members: Readonly<Record<string, string | number | boolean | null>>): Readonly<Record<string, ScriptText>> =>
    Object.fromEntries(
      Object.entries(members).flatMap(([name, value]) => {
        const isSecret = isPlainSecret(name, String(value)) || (isSecretField(name) && !String(value).includes('${'));
        return value === null ? [] : [[name, write(isSecret ? secretMark : String(value), name)]];
      }),
    );
  if (definition.kind === 'stdio') {
    const { command, args = [], env = {}, cwd, envFile } = definition.raw;
    return {
      kind: 'stdio',
      command: write(command, 'COMMAND'),
      npmProgram: platform === 'win32' ? npmProgramOf(command) : undefined,
      args: args.map((argument, index) => write(argument, `ARGUMENT_${index + 1}`)),
      env: { ...named(env), ...Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === null ? [[name, null]] : []))) },
      inherited: inheritedNames(platform),
      base: folder?.path ?? userHome,
      cwd: cwd === undefined ? ['.'] : write(cwd, 'CWD'),
      ...(envFile !== undefined && { envFile: write(envFile, 'ENV_FILE') }),
    };
  }
  const { url, headers = {}, type, tls } = definition.raw;
  const token: Readonly<Record<string, ScriptText>> = isSignedIn
    ? { Authorization: ['Bearer ', { variable: variableName('access token') }] }
    : {};
  return type === 'ws' || type === 'sse' || tls !== undefined || !/^https?:/i.test(url)
    ? undefined
    : { kind: 'http', url: write(url, 'URL_SECRET'), headers: { ...token, ...named(headers) } };
}

function npmProgramOf(command: string): 'npx' | 'npm' | undefined {
  const name = /^(np[mx])(?:\.cmd)?$/i.exec(command)?.[1]?.toLowerCase();
  return name === 'npx' || name === 'npm' ? name : undefined;
}

/** The variable that the definition itself reads from the environment, which the person was told before the server started. */
function environmentName(name: string): string {
  return /^[A-Za-z_]\w{0,100}$/.test(name) ? name : variableName(name);
}

/** Says where a script would reach a peer, or why it cannot. */
export type TargetOf = (peer: TrafficPeer) => ScriptTarget | ScriptRefusal;

/** Why there can be no script for this exchange; undefined where there can be one. */
export function whyNoScript(record: TrafficRecord, targetOf: TargetOf): ScriptRefusal | undefined {
  const target = targetFor(record, targetOf);
  return typeof target === 'string' ? target : undefined;
}

/** Writes a script that repeats one exchange; undefined where it cannot be repeated from outside. */
export function scriptOf(record: TrafficRecord, targetOf: TargetOf): string | undefined {
  const target = targetFor(record, targetOf);
  const request: unknown = typeof target === 'string' ? undefined : JSON.parse(record.message.text);
  return typeof target !== 'string' && isJsonObject(request) ? exchangeScript(target, request) : undefined;
}

function targetFor({ kind, peer, direction, message }: TrafficRecord, targetOf: TargetOf): ScriptTarget | ScriptRefusal {
  if (kind !== 'request' || (peer.side === 'server') !== (direction === 'sent')) {
    return 'notARequest';
  }
  return message.isCut ? 'tooLong' : targetOf(peer);
}

/** How a script reaches the editor's own server, with a token that the person gives it. */
export function ownScriptTarget(url: string): ScriptTarget {
  return { kind: 'http', url: [url], headers: { Authorization: ['Bearer ', { variable: 'DUPLEX_TOKEN' }] } };
}
