import { isJsonObject } from '../base/json.ts';
import { secretMark } from '../base/secretMark.ts';
import type { ScriptRefusal } from '../contract/trafficMessages.ts';
import { inheritedNames } from '../definitions/childEnvironment.ts';
import { isPlainSecret } from '../definitions/plainSecrets.ts';
import { secretValuesOf } from '../definitions/secretValues.ts';
import type { ServerDefinition, WorkspaceFolder } from '../definitions/serverDefinition.ts';
import { expand } from '../definitions/variables.ts';
import { exchangeScript, partsOf, variableName, type ScriptTarget, type ScriptText } from '../traffic/exchangeScript.ts';
import { isSecretField } from '../traffic/secretFields.ts';
import type { TrafficRecord } from '../traffic/trafficLog.ts';
import type { TrafficPeer } from '../traffic/trafficTap.ts';
import { withoutSecrets } from './withoutSecrets.ts';

export interface ScriptPlace {
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  /** By OAuth: then a token is needed that nobody but Duplex has. */
  readonly isSignedIn: boolean;
}

/** A server as a script reaches it. None for one that neither is a program nor speaks plain HTTP. Throws for a definition that cannot be expanded. */
export function scriptTarget(definition: ServerDefinition, place: ScriptPlace): ScriptTarget | undefined {
  const { folders, userHome, isSignedIn, platform } = place;
  const folder = definition.folder ?? folders[0];
  const known = secretValuesOf(definition, {});
  const write = (text: string, purpose: string): ScriptText => {
    const shown = expand(text, { folder, folders, userHome, env: {} }).shown;
    // Variables and inputs stay names, whatever they hold.
    return shown.split(/(\$\{(?:env|input):[^}]*\})/).flatMap((part, index): ScriptText => {
      const name = /^\$\{(?:env|input):([^}]*)\}$/.exec(part)?.[1];
      return index % 2 === 1 && name !== undefined
        ? [{ variable: variableFor(name) }]
        : partsOf(withoutSecrets(part, known), (at) => (at === 1 ? variableFor(purpose) : `${variableFor(purpose)}_${at}`));
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
      args: args.map((argument, index) => write(argument, `ARGUMENT_${index + 1}`)),
      env: { ...named(env), ...Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === null ? [[name, null]] : []))) },
      inherited: inheritedNames(platform),
      base: folder?.path ?? userHome,
      cwd: cwd === undefined ? ['.'] : write(cwd, 'CWD'),
      ...(envFile !== undefined && { envFile: write(envFile, 'ENV_FILE') }),
    };
  }
  const { url, headers = {}, type, tls } = definition.raw;
  const token: Readonly<Record<string, ScriptText>> = isSignedIn ? { Authorization: ['Bearer ', { variable: 'ACCESS_TOKEN' }] } : {};
  return type === 'ws' || type === 'sse' || tls !== undefined || !/^https?:/i.test(url)
    ? undefined
    : { kind: 'http', url: write(url, 'URL_SECRET'), headers: { ...token, ...named(headers) } };
}

/** Its own name if that can be a variable's. */
function variableFor(name: string): string {
  return /^[A-Za-z_]\w{0,100}$/.test(name) ? name : variableName(name);
}

/** Where a script would reach a peer, or why it cannot. */
export type TargetOf = (peer: TrafficPeer) => ScriptTarget | ScriptRefusal;

/** Undefined where there can be a script for this exchange. */
export function whyNoScript(record: TrafficRecord, targetOf: TargetOf): ScriptRefusal | undefined {
  const target = targetFor(record, targetOf);
  return typeof target === 'string' ? target : undefined;
}

/** A script for one exchange; none where that cannot be repeated from outside. */
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

/** The editor's own server, with whatever token the person gives the script. */
export function ownScriptTarget(url: string): ScriptTarget {
  return { kind: 'http', url: [url], headers: { Authorization: ['Bearer ', { variable: 'DUPLEX_TOKEN' }] } };
}
