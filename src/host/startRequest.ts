import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { Answer, ConsentRequest } from '../consent/consentModel.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import type { Difference } from '../contract/questions.ts';
import type { Choice } from '../contract/questions/answers.ts';
import type { StartServerQuestion } from '../contract/questions/startQuestion.ts';
import { isDangerousVariable } from '../definitions/childEnvironment.ts';
import type { PreparedLaunch } from '../definitions/prepareLaunch.ts';
import type { ServerDefinition } from '../definitions/serverDefinition.ts';
import type { Expanded } from '../definitions/variables.ts';
import { maskMaterial, startDifferences } from './hiddenSecrets.ts';
import { inputFields, inputMaterial } from './startInputs.ts';

export const startChoices: readonly Choice[] = ['deny', 'allow'];

export interface StartRequest {
  readonly request: ConsentRequest;
  readonly detail: StartServerQuestion;
  /** What is other than what was allowed before. */
  readonly differencesFrom: (previous: JsonObject) => Difference[];
}

const lookedUpLater = 'looked up on the PATH of your login shell once you allow it';
const dependsOnInput = 'depends on what you enter once you allow it';
const debuggerMeaning = 'it can be debugged from this machine; the port 0 stands for a free one';
const fromFile = 'a value from the envFile';

/** Whether the person has ever allowed a server to start. */
export function hasAllowedAny(answers: readonly Answer[]): boolean {
  return answers.some(({ action, answer }) => action === 'startServer' && answer === 'allow');
}

/**
 * Pure. Shows and fingerprints what will run, whole; of the environment's variables the names, never the values. `key` is known
 * on this installation only.
 */
export function startRequest(launch: PreparedLaunch, key: string): StartRequest {
  const parts = { material: materialOf(launch), fields: fieldsOf(launch), disclosures: disclosuresOf(launch) };
  return startRequestOf(launch.definition, parts, key);
}

export interface StartParts {
  /** Without the values of variables and inputs. What looks like a secret in the definition itself is still in it. */
  readonly material: JsonObject;
  readonly fields: readonly Field[];
  readonly disclosures: StartServerQuestion['disclosures'];
}

/** Every kind of server asks the same question. */
export function startRequestOf(definition: ServerDefinition, parts: StartParts, key: string): StartRequest {
  const { material, hidden } = maskMaterial(parts.material, key);
  const shown = revealDeep(material);
  return {
    request: {
      principal: 'host',
      action: 'startServer',
      subject: ['server', definition.id],
      // Of the exact text: two that only look alike are two.
      fingerprint: fingerprintOf(material),
      material: shown,
    },
    differencesFrom: (previous) => startDifferences(previous, shown, key),
    detail: {
      kind: 'startServer',
      server: revealInvisible(definition.label),
      configuredIn: revealInvisible(definition.location),
      serverId: definition.id,
      fields: parts.fields.map(({ name, value, isDangerous = false, isHidden = hidden.has(name) }) => ({
        name: revealInvisible(name),
        value: revealInvisible(hidden.get(name) ?? value),
        isDangerous,
        ...(isHidden ? { isHidden } : {}),
      })),
      disclosures: parts.disclosures.map(({ name, destination }) => ({
        name: revealInvisible(name),
        destination: revealInvisible(destination),
      })),
    },
  };
}

function materialOf(launch: PreparedLaunch): JsonObject {
  const env = Object.entries(launch.configuredEnv);
  return {
    command: launch.command.shown,
    executable: shownExecutable(launch),
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

function devMaterial(launch: PreparedLaunch): JsonObject | undefined {
  const watched = watchedFiles(launch);
  const debug = launch.debugger?.kind;
  return watched.length === 0 && debug === undefined ? undefined : { watch: watched.length === 0 ? undefined : watched, debug };
}

function watchedFiles({ definition: { raw } }: PreparedLaunch): readonly string[] {
  return [raw.dev?.watch ?? []].flat();
}

/** A path that an input decides would tell what was entered. */
function shownExecutable({ executable, dependsOnInput: isOpen }: PreparedLaunch): string {
  return isOpen ? dependsOnInput : (executable ?? lookedUpLater);
}

/** What every kind of definition has. Of an input everything but its value. */
export function commonMaterial({ raw, inputs }: ServerDefinition): JsonObject {
  return {
    inputs: inputMaterial(inputs),
    timeout: raw.timeout,
    tools: raw.tools === undefined ? undefined : { include: raw.tools.include, exclude: raw.tools.exclude },
  };
}

export function commonFields({ raw, inputs }: ServerDefinition): readonly Field[] {
  return [
    ...inputFields(inputs),
    ...(raw.timeout === undefined ? [] : [{ name: 'timeout', value: `${raw.timeout} ms` }]),
    ...(raw.tools === undefined ? [] : [{ name: 'tools', value: JSON.stringify(raw.tools) }]),
  ];
}

export interface Field {
  readonly name: string;
  readonly value: string;
  readonly isDangerous?: boolean;
  /** A secret that is not shown stands in it. */
  readonly isHidden?: boolean;
}

/** One field per argument and variable: nothing joined, so that nothing can pretend to be two. */
function fieldsOf(launch: PreparedLaunch): readonly Field[] {
  const configured = Object.entries(launch.configuredEnv).map(([name, each]) => ({
    name: `env.${name}`,
    value: each === null ? '(removed)' : each.shown,
    isDangerous: isDangerousVariable(name),
  }));
  const filed = Object.keys(launch.envFile?.variables ?? {}).map((name) => ({
    name: `envFile.${name}`,
    value: fromFile,
    isDangerous: isDangerousVariable(name),
  }));
  return [
    { name: 'command', value: launch.command.shown },
    { name: 'executable', value: shownExecutable(launch) },
    ...launch.args.map(({ shown }, index) => ({ name: `args[${index}]`, value: shown })),
    { name: 'cwd', value: launch.cwd },
    ...configured,
    ...(launch.envFile === undefined ? [] : [{ name: 'envFile', value: launch.envFile.path }]),
    ...filed,
    ...watchedFiles(launch).map((value, index) => ({ name: `dev.watch[${index}]`, value })),
    ...(launch.debugger === undefined ? [] : [{ name: 'dev.debug', value: `${launch.debugger.kind} (${debuggerMeaning})` }]),
    ...commonFields(launch.definition),
  ];
}

/** Everything of the person's environment and answers that reaches the server beyond the safe list. */
function disclosuresOf(launch: PreparedLaunch): StartServerQuestion['disclosures'] {
  const to = (names: readonly string[], destination: string): StartServerQuestion['disclosures'] =>
    names.map((name) => ({ name, destination }));
  const of = (each: Expanded | null, destination: string): StartServerQuestion['disclosures'] =>
    to([...(each?.variables ?? []), ...(each?.inputs ?? [])], destination);
  return [
    ...of(launch.command, 'the command'),
    ...launch.args.flatMap((each, index) => of(each, `args[${index}]`)),
    ...Object.entries(launch.configuredEnv).flatMap(([name, each]) => of(each, `env.${name}`)),
    ...to(Object.keys(launch.envFile?.variables ?? {}), 'its environment, from the envFile'),
  ];
}

/** For people: the same value with nothing hidden in its texts. */
export function revealDeep(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [revealInvisible(key), revealValue(member)]));
}

function revealValue(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') {
    return revealInvisible(value);
  }
  if (Array.isArray(value)) {
    return value.map((each: JsonValue) => revealValue(each) ?? null);
  }
  return isJsonObject(value) ? revealDeep(value) : value;
}
