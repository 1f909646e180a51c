import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ArgumentRefusal, SchemaVerdict } from '../../contract/forms/formFields.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ToolInfo } from '../shared/serverState.ts';

/** A port that checks values against schemas written by servers. It works outside of this thread, because such a schema can be slow. */
export interface SchemaChecker {
  /** Without a value only the schema itself is checked. */
  check(schema: JsonObject, value: JsonValue | undefined, options: SchemaCheckOptions): Promise<SchemaVerdict>;
}

interface SchemaCheckOptions {
  readonly signal: AbortSignal;
  /** Whose schema it is: the slow schemas of one owner must not hold up those of another. */
  readonly owner: object;
}

/** How the last result of a tool compared with the output schema that the tool had at that time. */
export interface OutputVerdict {
  readonly schema: JsonObject;
  readonly verdict: SchemaVerdict;
}

/** Why a tool's schema refuses arguments: as one text, and place by place. Both are safe to show. */
export interface ArgumentsRefusal {
  readonly reason: string;
  readonly places: readonly ArgumentRefusal[];
}

export interface ToolSchemasOptions {
  readonly schemas: SchemaChecker;
  readonly log: Log;
  /** Is told how each result compared with the output schema of its tool. */
  readonly noteOutput?: ((tool: string, seen: OutputVerdict) => void) | undefined;
}

/** The most characters of the reason why a value does not fit a schema. */
const maxReasonLength = 4_000;

/** Checks the arguments and results of one connection against the schemas of its tools. */
export class ToolSchemas {
  readonly #options: ToolSchemasOptions;
  /** Tools whose input schema could not be used; the log names each of them once. */
  readonly #unusable = new Set<string>();

  constructor(options: ToolSchemasOptions) {
    this.#options = options;
  }

  /** Throws when an output schema cannot be used. The SDK would compile it in this thread, and a server can write one that takes minutes. */
  async requireUsable(outputSchema: JsonObject, signal: AbortSignal): Promise<void> {
    requireFit(await this.#options.schemas.check(outputSchema, undefined, { signal, owner: this }));
  }

  /**
   * Throws when a result does not match the output schema. When the check took too long it resolves to a note for the reader
   * instead: the tool has acted by then, and a model that saw a failure would act again.
   */
  async checkOutput(
    { name }: ToolInfo,
    outputSchema: JsonObject,
    structuredContent: JsonValue | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { schemas, log, noteOutput } = this.#options;
    if (structuredContent === undefined) {
      noteOutput?.(name, { schema: outputSchema, verdict: { kind: 'misfit', reason: 'no structured content', places: [] } });
      throw hostError('host.invalidAnswer', { reason: `${name} has an output schema but did not return structured content.` });
    }
    const verdict = await schemas.check(outputSchema, structuredContent, { signal, owner: this });
    noteOutput?.(name, { schema: outputSchema, verdict });
    if (verdict.kind !== 'gaveUp') {
      requireFit(verdict);
      return undefined;
    }
    log.warn(`The result of ${revealInvisible(name)} was not held against its output schema: it ${verdict.reason}.`);
    return `Note: this result was not checked against the tool's output schema. Checking it was given up: it ${verdict.reason}.`;
  }

  /** Undefined when the input schema accepts the arguments, and also when it cannot be used or is too slow: the server decides then. */
  async argumentsRefusal({ name, inputSchema }: ToolInfo, args: JsonObject, signal: AbortSignal): Promise<ArgumentsRefusal | undefined> {
    const verdict = await this.#options.schemas.check(inputSchema, args, { signal, owner: this });
    if ((verdict.kind === 'badSchema' || verdict.kind === 'gaveUp') && !this.#unusable.has(name)) {
      this.#unusable.add(name);
      this.#options.log.warn(
        `Arguments of ${revealInvisible(name)} were not held against its input schema: ${revealInvisible(verdict.reason)}`,
      );
    }
    return verdict.kind === 'misfit' ? shownRefusal(verdict) : undefined;
  }
}

function shownRefusal({ reason, places }: Extract<SchemaVerdict, { readonly kind: 'misfit' }>): ArgumentsRefusal {
  return {
    reason: revealInvisible(reason.slice(0, maxReasonLength)),
    places: places.map((place) => ({ ...place, wanted: revealInvisible(place.wanted), reason: revealInvisible(place.reason) })),
  };
}

function requireFit(verdict: SchemaVerdict): void {
  const reason = misfitOf(verdict);
  if (reason !== undefined) {
    throw hostError('host.invalidAnswer', { reason: revealInvisible(reason.slice(0, maxReasonLength)) });
  }
}

function misfitOf(verdict: SchemaVerdict): string | undefined {
  switch (verdict.kind) {
    case 'fits':
      return undefined;
    case 'misfit':
      return `its structured content does not match the tool's output schema: ${verdict.reason}`;
    case 'badSchema':
      return `the tool's output schema cannot be used: ${verdict.reason}`;
    case 'gaveUp':
      return `checking the tool's output schema was given up: it ${verdict.reason}.`;
  }
}
