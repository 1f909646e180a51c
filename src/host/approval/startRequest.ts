import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { AnswerScope, ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { InputDefinition } from '../../contract/definitionSchemas.ts';
import type { Choice, Difference } from '../../contract/questions/questions.ts';
import type { StartServerQuestion } from '../../contract/questions/serverQuestions.ts';
import { startNotes } from '../../contract/questions/startNotes.ts';
import { isDangerousVariable } from '../../definitions/childEnvironment.ts';
import type { PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import type { PreparedRemote } from '../../definitions/prepareRemote.ts';
import type { ServerDefinition } from '../../definitions/serverDefinition.ts';
import type { Expanded } from '../../definitions/variables.ts';
import { hiddenMark } from '../../secrets/secretMarks.ts';
import { maskMaterial, startDifferences } from './hiddenSecrets.ts';
import { revealDeep } from '../shared/shownJson.ts';
import { boxDetail, boxMaterial, isOfRepository, startSubject, type StartBox } from './startBox.ts';

export const startChoices: readonly Choice[] = ['deny', 'allowSession', 'allow'];

export interface StartRequest {
  readonly request: ConsentRequest;
  /** Tells what starts from everything else that could start under the same name, but not one project from another if both run the same. */
  readonly identity: string;
  readonly detail: StartServerQuestion;
  /** Lists what changed since the earlier permission. */
  readonly differencesFrom: (previous: JsonObject) => Difference[];
  /** Where each answer holds. */
  readonly scopes: Readonly<Partial<Record<Choice, AnswerScope>>>;
}

/**
 * The question about the start of a local server: it shows and fingerprints everything that will run, but only the names of
 * environment variables, never their values. `key` is known on this installation only.
 */
export function startRequest(launch: PreparedLaunch, key: string, box?: StartBox): StartRequest {
  const material = { ...materialOf(launch), confined: boxMaterial(box) };
  const parts = { material, fields: fieldsOf(launch), disclosures: disclosuresOf(launch) };
  const start = startRequestOf(launch.definition, parts, key, launch.dependsOnFolder);
  return box === undefined ? start : { ...start, detail: { ...start.detail, box: boxDetail(box) } };
}

export interface StartParts {
  /** The material without the values of variables and inputs. Secrets in the definition itself are still in it. */
  readonly material: JsonObject;
  readonly fields: readonly Field[];
  readonly disclosures: StartServerQuestion['disclosures'];
}

/** Builds the question, which has the same form for every kind of server. */
function startRequestOf(definition: ServerDefinition, parts: StartParts, key: string, dependsOnFolder = false): StartRequest {
  const { material, hidden } = maskMaterial(parts.material, key);
  const shown = revealDeep(material);
  const holdsIn = isOfRepository(definition) ? 'workspace' : 'always';
  return {
    scopes: { allow: holdsIn },
    request: {
      ...startSubject(definition),
      // The fingerprint is made of the exact text: two texts that only look alike are different.
      fingerprint: fingerprintOf(material),
      material: shown,
    },
    identity: fingerprintOf(dependsOnFolder || hasFolderOfItsOwn(definition) ? material : withoutFolder(material)),
    differencesFrom: (previous) => startDifferences(previous, shown, key),
    detail: {
      kind: 'startServer',
      server: revealInvisible(definition.label),
      configuredIn: revealInvisible(definition.location),
      serverId: definition.id,
      holdsIn,
      fields: parts.fields.map(({ name, value, isDangerous = false, isHidden = hidden.has(name), note }) => ({
        name: revealInvisible(name),
        value: revealInvisible(hidden.get(name) ?? value),
        isDangerous,
        ...(isHidden ? { isHidden } : {}),
        ...(note === undefined ? {} : { note }),
      })),
      disclosures: parts.disclosures.map(({ name, destination, ...rest }) => ({
        name: revealInvisible(name),
        destination: revealInvisible(destination),
        ...rest,
      })),
    },
  };
}

/**
 * Whether its definition makes the folder in which it starts a part of what the server is. The person's own servers run wherever they work,
 * unless the folder decides what they run.
 */
function hasFolderOfItsOwn(definition: ServerDefinition): boolean {
  return isOfRepository(definition) || (definition.kind === 'stdio' && definition.raw.cwd !== undefined);
}

/** The box of such a server opens the same folder. */
function withoutFolder({ cwd, confined, ...rest }: JsonObject): JsonObject {
  const read = isJsonObject(confined) ? confined['read'] : undefined;
  const elsewhere = Array.isArray(read) ? { read: read.filter((place: JsonValue) => place !== cwd) } : {};
  return { ...rest, confined: isJsonObject(confined) ? { ...confined, ...elsewhere } : undefined };
}

function materialOf(launch: PreparedLaunch): JsonObject {
  const env = Object.entries(launch.configuredEnv);
  return {
    command: launch.command.shown,
    executable: shownExecutable(launch),
    batchFile: batchMaterial(launch),
    args: launch.args.map(({ shown }) => shown),
    cwd: launch.cwd,
    env: env.length === 0 ? undefined : Object.fromEntries(env.map(([name, each]) => [name, each === null ? null : each.shown])),
    envFile:
      launch.envFile === undefined
        ? undefined
        : { path: launch.envFile.path, content: launch.envFile.hash, names: Object.keys(launch.envFile.variables).sort() },
    dev: devMaterial(launch),
    ...commonMaterial(launch.definition),
  };
}

function batchMaterial({ batchFile, dependsOnInput: isOpen }: PreparedLaunch): JsonObject | undefined {
  return batchFile === undefined || isOpen ? undefined : { path: batchFile.path, isRun: batchFile.isRun, env: batchFile.env };
}

/** A batch file is named beside the program that is started for it, with the variables that it would set. */
function batchFields({ batchFile, dependsOnInput: isOpen }: PreparedLaunch): readonly Field[] {
  if (batchFile === undefined || isOpen) {
    return [];
  }
  const set = Object.entries(batchFile.env).map(([name, value]) => ({
    name: `env.${name}`,
    value,
    isDangerous: isDangerousVariable(name),
    note: 'setByBatchFile' as const,
  }));
  return [
    { name: 'batch file', value: `${batchFile.path} (${batchFile.isRun ? startNotes.runByInterpreter : startNotes.readInstead})` },
    ...set,
  ];
}

function devMaterial(launch: PreparedLaunch): JsonObject | undefined {
  const watched = watchedFiles(launch);
  const debug = launch.debugger?.kind;
  return watched.length === 0 && debug === undefined ? undefined : { watch: watched.length === 0 ? undefined : watched, debug };
}

function watchedFiles({ definition: { raw } }: PreparedLaunch): readonly string[] {
  return [raw.dev?.watch ?? []].flat();
}

/** The path of a program that an input decides is hidden, because it would tell what the person entered. */
function shownExecutable({ executable, dependsOnInput: isOpen }: PreparedLaunch): string {
  return isOpen ? startNotes.dependsOnInput : (executable ?? startNotes.lookedUpLater);
}

/** The material that every kind of definition has. Of an input it holds everything but the value. */
function commonMaterial({ raw, inputs }: ServerDefinition): JsonObject {
  return {
    inputs: inputMaterial(inputs),
    timeout: raw.timeout,
    tools: raw.tools === undefined ? undefined : { include: raw.tools.include, exclude: raw.tools.exclude },
  };
}

function commonFields({ raw, inputs }: ServerDefinition): readonly Field[] {
  return [
    ...inputFields(inputs),
    ...(raw.timeout === undefined ? [] : [{ name: 'timeout', value: `${raw.timeout} ms` }]),
    ...(raw.tools === undefined ? [] : [{ name: 'tools', value: JSON.stringify(raw.tools) }]),
  ];
}

/** Names the variables that are not set. They are no part of the material: one that is set later makes no other server of it. */
function unsetFields(names: readonly string[]): readonly Field[] {
  return names.map((name) => ({ name: 'not set', value: `\${env:${name}}: ${startNotes.nothingStands}` }));
}

interface Field {
  readonly name: string;
  readonly value: string;
  readonly isDangerous?: boolean;
  /** Whether the value holds a secret that is not shown. */
  readonly isHidden?: boolean;
  readonly note?: StartServerQuestion['fields'][number]['note'];
}

/** Makes the fields of a local server. Each argument and each variable is one of its own: joined, one could pretend to be two. */
function fieldsOf(launch: PreparedLaunch): readonly Field[] {
  const configured = Object.entries(launch.configuredEnv).map(([name, each]) => ({
    name: `env.${name}`,
    value: each?.shown ?? '',
    isDangerous: isDangerousVariable(name),
    ...(each === null && { note: 'removed' as const }),
  }));
  const filed = Object.keys(launch.envFile?.variables ?? {}).map((name) => ({
    name: `envFile.${name}`,
    value: startNotes.fromFile,
    isDangerous: isDangerousVariable(name),
  }));
  return [
    { name: 'command', value: launch.command.shown },
    { name: 'executable', value: shownExecutable(launch) },
    ...batchFields(launch),
    ...launch.args.map(({ shown }, index) => ({ name: `args[${index}]`, value: shown })),
    { name: 'cwd', value: launch.cwd },
    ...configured,
    ...(launch.envFile === undefined ? [] : [{ name: 'envFile', value: launch.envFile.path }]),
    ...filed,
    ...watchedFiles(launch).map((value, index) => ({ name: `dev.watch[${index}]`, value })),
    ...(launch.debugger === undefined ? [] : [{ name: 'dev.debug', value: `${launch.debugger.kind} (${startNotes.debuggerMeaning})` }]),
    ...unsetFields(launch.unset),
    ...commonFields(launch.definition),
  ];
}

/** Everything of the person's environment and answers that the server gets beyond the safe list. */
function disclosuresOf(launch: PreparedLaunch): StartServerQuestion['disclosures'] {
  const to = (names: readonly string[], destination: string): StartServerQuestion['disclosures'] =>
    names.map((name) => ({ name, destination }));
  const of = (each: Expanded | null, destination: string): StartServerQuestion['disclosures'] =>
    to([...(each?.variables ?? []), ...(each?.inputs ?? [])], destination);
  return [
    ...of(launch.command, startNotes.theCommand),
    ...launch.args.flatMap((each, index) => of(each, `args[${index}]`)),
    ...Object.entries(launch.configuredEnv).flatMap(([name, each]) => of(each, `env.${name}`)),
    ...to(Object.keys(launch.envFile?.variables ?? {}), startNotes.fromEnvFile),
  ];
}

/**
 * The question about connecting to a remote server: it shows and fingerprints everything, but only the names of secrets.
 * `secretTo` lists the origins that may get the client's secret, once they are known; `key` is known on this installation
 * only.
 */
export function remoteStartRequest(remote: PreparedRemote, key: string, secretTo: readonly string[] = []): StartRequest {
  const parts = { material: remoteMaterial(remote), fields: remoteFields(remote), disclosures: remoteDisclosures(remote, secretTo) };
  return startRequestOf(remote.definition, parts, key);
}

function remoteMaterial(remote: PreparedRemote): JsonObject {
  const headers = Object.entries(remote.shownHeaders);
  const { tls, auth } = remote;
  return {
    url: remote.shownUrl.shown,
    // The exact host stands beside the text, because two texts may only look like one host.
    host: remote.url.host,
    type: remote.type,
    encryption: remote.isUnencrypted ? 'none' : undefined,
    headers: headers.length === 0 ? undefined : Object.fromEntries(headers.map(([name, { shown }]) => [name, shown])),
    tls: tls && { ...tls.shown, authorities: tls.caHash },
    auth: auth && { clientId: auth.clientId?.shown, clientSecret: auth.clientSecret?.shown, scopes: auth.scopes },
    ...commonMaterial(remote.definition),
  };
}

/** Makes the fields of a remote server. Each header is one of its own: joined, one could pretend to be two. */
function remoteFields({
  definition,
  shownUrl,
  url,
  type,
  isUnencrypted,
  shownHeaders,
  tls,
  auth,
  unset,
}: PreparedRemote): readonly Field[] {
  const text = (name: string, value: string | undefined): readonly Field[] => (value === undefined ? [] : [{ name, value }]);
  return [
    { name: 'url', value: shownUrl.shown },
    { name: 'host', value: url.host },
    { name: 'type', value: type },
    ...(isUnencrypted ? [{ name: 'encryption', value: startNotes.notEncrypted, isDangerous: true }] : []),
    ...Object.entries(shownHeaders).map(([name, { shown }]) => ({ name: `headers.${name}`, value: shown })),
    ...text('tls.ca', tls?.shown.ca),
    ...text('tls.cert', tls?.shown.cert),
    ...text('tls.key', tls?.shown.key),
    ...text('auth.clientId', auth?.clientId?.shown),
    ...text('auth.clientSecret', auth?.clientSecret?.shown),
    ...text('auth.scopes', auth?.scopes === undefined ? undefined : JSON.stringify(auth.scopes)),
    ...unsetFields(unset),
    ...commonFields(definition),
  ];
}

/** The name of every secret and variable, once for each place it is sent to. */
function remoteDisclosures(
  { url, shownUrl, shownHeaders, auth }: PreparedRemote,
  secretTo: readonly string[],
): StartServerQuestion['disclosures'] {
  const sent = [shownUrl, ...Object.values(shownHeaders), ...(auth?.clientId === undefined ? [] : [auth.clientId])];
  const toHost = new Set(sent.flatMap(({ variables, inputs }) => [...variables, ...inputs]));
  const toAuthorization = new Set([...(auth?.clientSecret?.variables ?? []), ...(auth?.clientSecret?.inputs ?? [])]);
  const unknown = { destination: url.host, isSignIn: true };
  const destinations = secretTo.length > 0 ? secretTo.map((destination) => ({ destination })) : [unknown];
  return [
    ...[...toHost].map((name) => ({ name, destination: url.host })),
    ...[...toAuthorization].flatMap((name) => destinations.map((to) => ({ name, ...to }))),
  ];
}

/**
 * Everything that decides what an input can put into the definition, but not the person's answer. The default of a password
 * is still in it.
 */
export function inputMaterial(inputs: readonly InputDefinition[]): JsonObject | undefined {
  const parts = inputs.map((input): readonly [string, JsonObject] => [
    input.id,
    {
      type: typeOf(input),
      description: input.description,
      default: input.default,
      options: input.type === 'pickString' ? input.options : undefined,
    },
  ]);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

interface InputField {
  readonly name: string;
  readonly value: string;
  readonly isHidden?: boolean;
}

/**
 * The fields that show an input. The label and the value of an option are separate fields: the label says what is picked,
 * the value is what the server gets.
 */
export function inputFields(inputs: readonly InputDefinition[]): readonly InputField[] {
  return inputs.flatMap((input) => {
    const name = `inputs.${input.id}`;
    const options = input.type === 'pickString' ? input.options : [];
    return [
      { name, value: input.description === undefined ? typeOf(input) : `${typeOf(input)}: ${input.description}` },
      ...defaultFields(`${name}.default`, input),
      ...options.flatMap((option, index) => optionFields(`${name}.options[${index}]`, option)),
    ];
  });
}

function defaultFields(name: string, input: InputDefinition): readonly InputField[] {
  if (input.default === undefined) {
    return [];
  }
  return [isPassword(input) ? { name, value: hiddenMark, isHidden: true } : { name, value: input.default }];
}

function optionFields(name: string, option: string | { readonly label: string; readonly value: string }): readonly InputField[] {
  return typeof option === 'string'
    ? [{ name, value: option }]
    : [
        { name: `${name}.label`, value: option.label },
        { name: `${name}.value`, value: option.value },
      ];
}

function typeOf(input: InputDefinition): string {
  return isPassword(input) ? 'password' : input.type;
}

function isPassword(input: InputDefinition): boolean {
  return input.type === 'promptString' && input.password === true;
}
