import path from 'node:path';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { FormValues } from '../../contract/forms/formFields.ts';
import type { FilledDefinition } from '../../definitions/pasted/newInputs.ts';
import { fieldsOf, type InstallField, type SlotField } from '../installForm.ts';
import { FormAnswers, usableDefinition } from '../newServer.ts';
import { registryError } from '../registryErrors.ts';
import type { RegistryInput } from '../serverJson.ts';
import type { BundleManifest, BundleOption } from './bundleManifest.ts';

/** The machine that a bundle is to run on. */
export interface BundleMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** A bundle whose files are known. */
export interface Bundle {
  readonly manifest: BundleManifest;
  /** The folder that it will stand in. */
  readonly folder: string;
  /** The paths of its files, with slashes. */
  readonly files: ReadonlySet<string>;
}

/** The most values that the person can give to an option that takes several. */
const maxRepeats = 8;

/** The form of a bundle: what its manifest lets the person configure. */
export function bundleFields({ manifest }: Bundle, machine: BundleMachine): readonly InstallField[] {
  return optionsOf(manifest, machine).flatMap((option) => fieldsOf(option.field, option.field.input.isRequired));
}

interface Option {
  readonly key: string;
  readonly option: BundleOption;
  readonly field: SlotField;
}

function optionsOf({ user_config: config = {} }: BundleManifest, machine: BundleMachine): readonly Option[] {
  return Object.entries(config).map(([key, option]) => {
    const given = option.default === undefined ? [] : Array.isArray(option.default) ? option.default : [String(option.default)];
    const defaults = given.map((each) => expand(each, (name) => systemVariable(name, machine)) ?? each);
    const count = option.multiple === true ? maxRepeats : 1;
    const names = Array.from({ length: count }, (_, index) => (index === 0 ? `config:${key}` : `config:${key}#${index}`));
    const isSecret = option.sensitive === true;
    const range = { minimum: option.min, maximum: option.max };
    return {
      key,
      option,
      field: { variable: key, input: inputOf(option, defaults[0]), names, label: option.title, isSecret, defaults, range },
    };
  });
}

function inputOf({ type, description, required, sensitive }: BundleOption, initial: string | undefined): RegistryInput {
  const format = type === 'number' || type === 'boolean' ? type : type === 'string' ? 'string' : 'filepath';
  const isRequired = required === true && type !== 'boolean';
  return {
    description,
    isRequired,
    isSecret: sensitive === true,
    format,
    default: initial,
    placeholder: '',
    value: undefined,
    choices: undefined,
  };
}

export interface BundleServerOptions {
  /** The name that the server gets in the settings. */
  readonly name: string;
  readonly bundle: Bundle;
  readonly machine: BundleMachine;
  readonly values: FormValues;
  readonly configured: readonly JsonValue[];
}

/** Makes the definition of a bundle's server: its own command line in its own folder, without a shell, secrets as inputs. */
export function bundleServer({ name, bundle, machine, values, configured }: BundleServerOptions): FilledDefinition {
  const { manifest } = bundle;
  checkRunsHere(bundle, machine);
  const answers = new FormAnswers(name, values, configured);
  const line = lineOf(manifest, machine);
  const used = optionsOf(manifest, machine).filter(({ key }) => JSON.stringify(line).includes(`\${user_config.${key}}`));
  const given = new Map(used.map((option) => [`user_config.${option.key}`, textsOf(option, answers)]));
  const own = (variable: string): string | undefined => ownVariable(variable, bundle, machine);
  const { command, args = [], env = {} } = line;
  const filled = (text: string): readonly string[] => {
    const whole = /^\$\{([^}]*)\}$/.exec(text)?.[1] ?? '';
    if (given.has(whole)) {
      return given.get(whole) ?? [];
    }
    const isLeftOut = [...given].some(([variable, texts]) => texts.length === 0 && text.includes(`\${${variable}}`));
    const expanded = isLeftOut ? undefined : expand(text, (variable) => given.get(variable)?.join(',') ?? own(variable), text);
    return expanded === undefined ? [] : [expanded];
  };
  const variables = Object.fromEntries(Object.entries(env).flatMap(([key, text]) => pairOf(key, filled(text))));
  const definition: JsonObject = {
    command: programOf(expand(command, own, command) ?? '', bundle, machine),
    args: args.flatMap(filled),
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
  };
  return usableDefinition(definition, answers);
}

function pairOf(key: string, texts: readonly string[]): readonly (readonly [string, string])[] {
  if (!/^[A-Za-z_]\w*$/.test(key)) {
    throw registryError('registry.badVariable', { name: key.slice(0, 200) });
  }
  return texts.length === 0 ? [] : [[key, texts.join(',')]];
}

function textsOf({ option, field }: Option, answers: FormAnswers): readonly string[] {
  const [first = ''] = field.names;
  if (option.type === 'boolean') {
    return [answers.isTicked(first) ? 'true' : 'false'];
  }
  const texts = field.names.flatMap((name, index) => answers.answer(field, name, field.input.isRequired && index === 0) ?? []);
  if (texts.length === 0 && field.input.isRequired) {
    throw registryError('registry.missing', { field: field.label });
  }
  return texts;
}

function lineOf(
  { server }: BundleManifest,
  { platform }: BundleMachine,
): {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
} {
  const { mcp_config: config } = server;
  if (config === undefined) {
    return { command: 'uv', args: ['run', '--directory', '${__dirname}', server.entry_point] };
  }
  const { platform_overrides: overrides = {}, ...usual } = config;
  const own = Object.hasOwn(overrides, platform) ? overrides[platform] : undefined;
  return { command: own?.command ?? usual.command, args: own?.args ?? usual.args, env: own?.env ?? usual.env };
}

/** Whether two versions of a bundle are started with the same line, but for the folder that they stand in. */
export function isStartedAlike(one: BundleManifest, other: BundleManifest, machine: BundleMachine): boolean {
  return JSON.stringify(lineOf(one, machine)) === JSON.stringify(lineOf(other, machine));
}

/** Throws an AppError if a bundle is for other systems, or lacks what it would start. */
export function checkRunsHere(bundle: Bundle, machine: BundleMachine): void {
  checkSystem(bundle.manifest, machine);
  checkEntry(bundle);
  programOf(expand(lineOf(bundle.manifest, machine).command, (name) => ownVariable(name, bundle, machine)) ?? '', bundle, machine);
}

/** The program of this machine that a bundle needs; undefined where it brings its own. */
export function programNeeded(bundle: Bundle, machine: BundleMachine): string | undefined {
  const { command } = lineOf(bundle.manifest, machine);
  return isProgramName(command, bundle) ? command : undefined;
}

function checkSystem({ compatibility }: BundleManifest, { platform }: BundleMachine): void {
  const platforms: readonly string[] | undefined = compatibility?.platforms;
  if (platforms !== undefined && !platforms.includes(platform)) {
    throw registryError('registry.otherSystem', { systems: platforms.join(', ') });
  }
}

function checkEntry({ manifest: { server }, files }: Bundle): void {
  const entry = path.posix.normalize(server.entry_point);
  if (!files.has(entry) && !(server.type === 'binary' && files.has(`${entry}.exe`))) {
    throw registryError('registry.bundleEntry', { name: server.entry_point.slice(0, 200) });
  }
}

/** A program of the bundle by its whole path, or one of this machine by its name alone. */
function programOf(command: string, { folder, files }: Bundle, { platform }: BundleMachine): string {
  if (isProgramName(command, { files })) {
    return command;
  }
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const target = paths.resolve(folder, command);
  const inside = paths.relative(folder, target).split(paths.sep).join('/');
  if (!files.has(inside) && !(platform === 'win32' && files.has(`${inside}.exe`))) {
    throw registryError('registry.bundleCommand', { command: command.slice(0, 200) });
  }
  return target;
}

function isProgramName(command: string, { files }: Pick<Bundle, 'files'>): boolean {
  return /^[A-Za-z0-9][\w.+-]*$/.test(command) && !files.has(command);
}

function ownVariable(name: string, { folder }: Bundle, machine: BundleMachine): string | undefined {
  return name === '__dirname' ? folder : systemVariable(name, machine);
}

function systemVariable(name: string, { platform, home }: BundleMachine): string | undefined {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  switch (name) {
    case 'HOME':
      return home;
    case 'DESKTOP':
      return paths.join(home, 'Desktop');
    case 'DOCUMENTS':
      return paths.join(home, 'Documents');
    case 'DOWNLOADS':
      return paths.join(home, 'Downloads');
    case '/':
    case 'pathSeparator':
      return paths.sep;
    default:
      return undefined;
  }
}

/**
 * A text with its variables filled in. One that is unknown would be read by our settings as a variable of this machine: with `strict`,
 * the text that is told of, that is an error, and otherwise the text is left alone.
 */
function expand(text: string, valueOf: (variable: string) => string | undefined, strict?: string): string | undefined {
  const parts = text.split(/\$\{([^}]*)\}/);
  const values = parts.map((part, index) => (index % 2 === 0 ? part : valueOf(part)));
  const literals = parts.filter((_, index) => index % 2 === 0);
  const whole = values.join('');
  const count = (each: string | undefined): number => (each ?? '').split('${').length - 1;
  // Pieces that are harmless each could make a variable together.
  const isWhole = count(whole) === values.reduce((sum, each) => sum + count(each), 0);
  if (values.includes(undefined) || literals.some((each) => each.includes('${')) || !isWhole) {
    if (strict !== undefined) {
      throw registryError('registry.hiddenVariable', { text: strict.slice(0, 200) });
    }
    return undefined;
  }
  return whole;
}
