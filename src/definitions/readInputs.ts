import { isJsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { inputDefinition, type InputDefinition, type RawServerDefinition } from '../contract/definitionSchemas.ts';
import type { Report } from './problemReport.ts';
import { inputsIn } from './variables.ts';

/** The inputs of one place, by id. What is wrong with one is reported and harms no other. */
export function readInputs(value: unknown, report: Report): ReadonlyMap<string, InputDefinition> {
  const inputs = new Map<string, InputDefinition>();
  if (value === undefined || value === null) {
    return inputs;
  }
  if (!Array.isArray(value)) {
    report({ severity: 'error', code: 'definitions.inputsNotAList', path: ['inputs'], message: 'The inputs must be a list.' });
    return inputs;
  }
  value.forEach((raw: unknown, index) => {
    const parsed = inputDefinition.safeParse(raw);
    if (parsed.success && !inputs.has(parsed.data.id)) {
      inputs.set(parsed.data.id, parsed.data);
      return;
    }
    const id = isJsonObject(raw) && typeof raw['id'] === 'string' ? revealInvisible(raw['id']) : String(index);
    const reason = parsed.success ? 'There is another input with this id.' : (parsed.error.issues[0]?.message ?? '');
    const message = `The input “${id}” is not used: ${reason}`;
    report({ severity: 'warning', code: 'definitions.badInput', path: ['inputs', index], args: { id, reason }, message });
  });
  return inputs;
}

/** The inputs a definition uses, from its own place only; undefined, and reported, when it uses one that it cannot have. */
export function usedInputs(
  raw: RawServerDefinition,
  known: ReadonlyMap<string, InputDefinition>,
  name: string,
  report: Report,
): readonly InputDefinition[] | undefined {
  const texts = textsOf(raw);
  const used = [...new Set(texts.filter((each) => each.mayHaveInput).flatMap((each) => inputsIn(each.text)))];
  const misplaced = texts.find((each) => !each.mayHaveInput && inputsIn(each.text).length > 0);
  if (misplaced !== undefined) {
    const field = misplaced.path.join('.');
    const message = `“${name}”: ${field} may not hold an input.`;
    report({
      severity: 'error',
      code: 'definitions.inputNotHere',
      server: name,
      path: misplaced.path,
      args: { name, field },
      message,
    });
    return undefined;
  }
  const missing = used.filter((id) => !known.has(id));
  for (const id of missing.map(revealInvisible)) {
    const message = `“${name}” uses the input “${id}”, which is not defined in the same place.`;
    report({ severity: 'error', code: 'definitions.unknownInput', server: name, args: { name, input: id }, message });
  }
  return missing.length > 0 ? undefined : used.flatMap((id) => known.get(id) ?? []);
}

interface FieldText {
  readonly path: readonly string[];
  readonly text: string;
  readonly mayHaveInput: boolean;
}

/** A path is shown before the person is asked for anything, so no input may decide it. */
function textsOf(raw: RawServerDefinition): readonly FieldText[] {
  const text = (path: readonly string[], value: unknown, mayHaveInput = true): readonly FieldText[] =>
    typeof value === 'string' ? [{ path, text: value, mayHaveInput }] : [];
  const members = (path: string, values: Readonly<Record<string, unknown>> | undefined, mayHaveInput = true): readonly FieldText[] =>
    Object.entries(values ?? {}).flatMap(([key, value]) => text([path, key], value, mayHaveInput));
  if ('command' in raw) {
    return [
      ...text(['command'], raw.command),
      ...(raw.args ?? []).flatMap((value, index) => text(['args', String(index)], value)),
      ...members('env', raw.env),
      ...text(['cwd'], raw.cwd, false),
      ...text(['envFile'], raw.envFile, false),
    ];
  }
  return [
    ...text(['url'], raw.url),
    ...members('headers', raw.headers),
    ...text(['auth', 'clientSecret'], raw.auth?.clientSecret),
    ...text(['auth', 'clientId'], raw.auth?.clientId, false),
    ...members('tls', raw.tls, false),
  ];
}
