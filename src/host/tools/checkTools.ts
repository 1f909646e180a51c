import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { SchemaVerdict } from '../../contract/forms/formFields.ts';
import type { OutputVerdict, SchemaChecker } from '../connection/schemaChecks.ts';
import type { ToolInfo } from '../shared/serverState.ts';

/** Something that is wrong with a tool of a server, or could be better. */
export type ToolFinding =
  | { readonly kind: 'badName' | 'longName' | 'noDescription' | 'inputNotObject' | 'noAnnotations' | 'readOnlyDestructive' }
  | { readonly kind: 'undescribedParameters' | 'unknownRequired'; readonly names: readonly string[] }
  | { readonly kind: 'badSchema' | 'slowSchema'; readonly of: 'input' | 'output'; readonly reason: string }
  | { readonly kind: 'badAnnotation'; readonly name: string }
  /** The name says that the tool changes something, but the annotations say otherwise. */
  | { readonly kind: 'unlikelyReadOnly' | 'unlikelyHarmless'; readonly word: string }
  | { readonly kind: 'outputMisfit'; readonly reason: string }
  | { readonly kind: 'outputUnseen' };

export interface CheckedTool {
  readonly name: string;
  readonly findings: readonly ToolFinding[];
}

export interface CheckToolsOptions {
  readonly tools: readonly ToolInfo[];
  readonly outputs: ReadonlyMap<string, OutputVerdict>;
  readonly schemas: SchemaChecker;
  readonly signal: AbortSignal;
}

/** The characters that the protocol allows in a name. */
const legalName = /^[A-Za-z0-9_.-]{1,128}$/;
/** Longer names are cut for models. */
const maxModelName = 64;
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const changingWords = /(?:^|[_.-])(create|write|update|set|add|insert|edit|move|rename|send|post|delete|remove|drop|kill|stop)(?:$|[_.-])/;
const destroyingWords = /(?:^|[_.-])(delete|remove|drop|erase|destroy|purge|kill|overwrite|truncate)(?:$|[_.-])/;

/**
 * Checks what a server says of its tools, and how their results compared with their schemas. It calls no tool, and rejects
 * only when the signal fired.
 */
export async function checkTools({ tools, outputs, schemas, signal }: CheckToolsOptions): Promise<readonly CheckedTool[]> {
  const checked: CheckedTool[] = [];
  const owner = {};
  for (const tool of tools) {
    signal.throwIfAborted();
    const input = schemaFinding('input', await schemas.check(tool.inputSchema, undefined, { signal, owner }));
    const output =
      tool.outputSchema === undefined ? [] : schemaFinding('output', await schemas.check(tool.outputSchema, undefined, { signal, owner }));
    const findings = [
      ...nameFindings(tool),
      ...describedFindings(tool),
      ...input,
      ...inputFindings(tool),
      ...output,
      ...outputFindings(tool, output.length > 0, outputs.get(tool.name)),
      ...annotationFindings(tool),
    ];
    checked.push({ name: tool.name, findings });
  }
  return checked;
}

function nameFindings({ name }: ToolInfo): ToolFinding[] {
  if (!legalName.test(name)) {
    return [{ kind: 'badName' }];
  }
  return name.length > maxModelName ? [{ kind: 'longName' }] : [];
}

function describedFindings({ description, inputSchema }: ToolInfo): ToolFinding[] {
  const names = Object.entries(propertiesOf(inputSchema)).flatMap(([name, schema]) => (isDescribed(schema) ? [] : [name]));
  return [
    ...(description.trim() === '' ? [{ kind: 'noDescription' as const }] : []),
    ...(names.length === 0 ? [] : [{ kind: 'undescribedParameters' as const, names }]),
  ];
}

/** A reference may lead to a description, and a constant says enough by itself. */
function isDescribed(schema: unknown): boolean {
  return isJsonObject(schema) && ['description', '$ref', 'const'].some((key) => schema[key] !== undefined && schema[key] !== '');
}

function inputFindings({ inputSchema }: ToolInfo): ToolFinding[] {
  const { required, type } = inputSchema;
  const known = propertiesOf(inputSchema);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string' && !Object.hasOwn(known, name)) : [];
  return [
    ...(type === 'object' ? [] : [{ kind: 'inputNotObject' as const }]),
    ...(names.length === 0 ? [] : [{ kind: 'unknownRequired' as const, names: names as string[] }]),
  ];
}

function outputFindings({ outputSchema }: ToolInfo, isUnusable: boolean, seen: OutputVerdict | undefined): ToolFinding[] {
  if (outputSchema === undefined || isUnusable) {
    return [];
  }
  if (seen === undefined || canonicalJson(seen.schema) !== canonicalJson(outputSchema)) {
    return [{ kind: 'outputUnseen' }];
  }
  return seen.verdict.kind === 'fits' ? [] : [{ kind: 'outputMisfit', reason: seen.verdict.reason }];
}

function annotationFindings({ name, annotations }: ToolInfo): ToolFinding[] {
  if (annotations === undefined) {
    return [{ kind: 'noAnnotations' }];
  }
  const { readOnlyHint, destructiveHint } = annotations;
  const spoken = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const changing = changingWords.exec(spoken)?.[1];
  const destroying = destroyingWords.exec(spoken)?.[1];
  const wrong = hints.filter((hint) => annotations[hint] !== undefined && typeof annotations[hint] !== 'boolean');
  return [
    ...wrong.map((hint) => ({ kind: 'badAnnotation' as const, name: hint })),
    ...(readOnlyHint === true && destructiveHint === true ? [{ kind: 'readOnlyDestructive' as const }] : []),
    ...(readOnlyHint === true && changing !== undefined ? [{ kind: 'unlikelyReadOnly' as const, word: changing }] : []),
    ...(destructiveHint === false && readOnlyHint !== true && destroying !== undefined
      ? [{ kind: 'unlikelyHarmless' as const, word: destroying }]
      : []),
  ];
}

function schemaFinding(of: 'input' | 'output', verdict: SchemaVerdict): ToolFinding[] {
  switch (verdict.kind) {
    case 'fits':
    case 'misfit':
      return [];
    case 'badSchema':
      return [{ kind: 'badSchema', of, reason: verdict.reason }];
    case 'gaveUp':
      return [{ kind: 'slowSchema', of, reason: verdict.reason }];
  }
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}
