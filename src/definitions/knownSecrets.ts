import type { InputDefinition } from '../contract/definitionSchemas.ts';
import type { InputValues } from './inputs.ts';
import { isSecretValue } from '../secrets/secretNames.ts';
import { minSecretLength, secretsOfFile, secretValuesIn } from '../secrets/definitionSecrets.ts';
import type { ServerDefinition } from './serverDefinition.ts';

/** The limit for one server: tokens are renewed again and again, and very old ones open nothing. */
const maxHanded = 50;
/** The limit for one server: each of them is searched for in every message. */
const maxFromFile = 200;

/** The secrets of each server: those in its definition, and those it was given since. They are kept in memory only. */
export class KnownSecrets {
  readonly #definitionOf: (serverId: string) => ServerDefinition | undefined;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #defined = new WeakMap<ServerDefinition, readonly string[]>();
  readonly #handed = new Map<string, Set<string>>();
  readonly #fromFile = new Map<string, Set<string>>();

  constructor(definitionOf: (serverId: string) => ServerDefinition | undefined, env: Readonly<Record<string, string | undefined>>) {
    this.#definitionOf = definitionOf;
    this.#env = env;
  }

  of(serverId: string): readonly string[] {
    const definition = this.#definitionOf(serverId);
    const defined = definition === undefined ? [] : this.#definedBy(definition);
    const handed = this.#handed.get(serverId) ?? [];
    const fromFile = this.#fromFile.get(serverId) ?? [];
    return [...defined, ...handed, ...fromFile];
  }

  /** A secret stays known after it was deleted or renewed, because a running server still has it. */
  add(serverId: string, secret: string | undefined): void {
    if (secret === undefined || secret.length < minSecretLength) {
      return;
    }
    keepNewest(this.#handed, serverId, [secret], maxHanded);
  }

  /** Adds the secrets among the variables that a starting server gets from its envFile. */
  addFile(serverId: string, variables: Readonly<Record<string, string>>): void {
    keepNewest(this.#fromFile, serverId, secretsOfFile(variables), maxFromFile);
  }

  #definedBy(definition: ServerDefinition): readonly string[] {
    const defined = this.#defined.get(definition) ?? secretValuesOf(definition, this.#env);
    this.#defined.set(definition, defined);
    return defined;
  }
}

function keepNewest(all: Map<string, Set<string>>, serverId: string, secrets: readonly string[], max: number): void {
  const kept = all.get(serverId) ?? new Set<string>();
  for (const secret of secrets) {
    kept.delete(secret);
    kept.add(secret);
  }
  all.set(serverId, new Set([...kept].slice(-max)));
}

/** Wraps the answers to inputs so that each secret among them becomes known. */
export function rememberedInputs(inputs: InputValues, known: KnownSecrets): InputValues {
  const note = (serverId: string, input: InputDefinition, value: string | undefined): string | undefined => {
    known.add(serverId, value !== undefined && mayBeSecret(input, value) ? value : undefined);
    return value;
  };
  return {
    get: async (owner, input) => note(owner.id, input, await inputs.get(owner, input)),
    ask: async (owner, input, signal) => note(owner.id, input, await inputs.ask(owner, input, signal)),
    keep: (owner, input, value) => {
      note(owner.id, input, value);
      return inputs.keep(owner, input, value);
    },
    forget: (owner, forgotten) => inputs.forget(owner, forgotten),
  };
}

/** Finds what a definition gives its server that looks like a secret, itself or by a variable of the environment. */
export function secretValuesOf(definition: ServerDefinition, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const members = Object.entries((definition.kind === 'stdio' ? definition.raw.env : definition.raw.headers) ?? {});
  const clientSecret = definition.kind === 'remote' ? definition.raw.auth?.clientSecret : undefined;
  return secretValuesIn(
    {
      named: [
        ...members.map(([name, value]) => [name, String(value)] as const),
        ...(clientSecret === undefined ? [] : [['clientSecret', clientSecret] as const]),
      ],
      args: definition.kind === 'stdio' ? (definition.raw.args ?? []) : [definition.raw.url],
    },
    env,
  );
}

/** Guesses generously, because few definitions say that an input is a password. A default that the settings show is not a secret. */
function mayBeSecret(input: InputDefinition, value: string): boolean {
  return input.type === 'promptString' && (input.password === true || (value !== input.default && isSecretValue(value)));
}
