import type * as z from 'zod';
import type { AppError } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { inputDefinition, type InputDefinition, type RawServerDefinition } from '../contract/definitionSchemas.ts';
import { pathOf } from '../contract/schemaIssue.ts';
import { definitionProblem } from './definitionProblems.ts';
import { textsOf } from './definitionTexts.ts';
import type { Report } from './problemReport.ts';
import type { DefinitionSource } from './serverDefinition.ts';
import { inputsIn } from './variables.ts';

/** The inputs of one place, by id. What is wrong with one is reported and harms no other. */
export function readInputs(
  { scope, inputs: value }: Pick<DefinitionSource, 'scope' | 'inputs'>,
  report: Report,
): ReadonlyMap<string, InputDefinition> {
  const inputs = new Map<string, InputDefinition>();
  if (value === undefined || value === null) {
    return inputs;
  }
  if (!Array.isArray(value)) {
    report('error', definitionProblem('definitions.inputsNotAList'), { path: ['inputs'] });
    return inputs;
  }
  value.forEach((raw: unknown, index) => {
    const parsed = inputDefinition().safeParse(raw);
    if (parsed.success && !inputs.has(parsed.data.id)) {
      inputs.set(parsed.data.id, scope === 'user' ? parsed.data : withoutPassword(parsed.data, index, report));
      return;
    }
    const id = isJsonObject(raw) && typeof raw['id'] === 'string' ? revealInvisible(raw['id']) : String(index);
    const problem = parsed.success ? definitionProblem('definitions.repeatedInput', { id }) : problemOfInput(id, parsed.error.issues[0]);
    report('warning', problem, { path: ['inputs', index] });
  });
  return inputs;
}

/** Behind the dots nobody sees whose password it is: a repository's would sign the person in as somebody else. */
function withoutPassword(input: InputDefinition, index: number, report: Report): InputDefinition {
  if (input.type !== 'promptString' || input.password !== true || input.default === undefined) {
    return input;
  }
  report('warning', definitionProblem('definitions.passwordDefault', { id: revealInvisible(input.id) }), { path: ['inputs', index] });
  return { ...input, default: undefined };
}

function problemOfInput(id: string, issue: z.core.$ZodIssue | undefined): AppError {
  const field = issue === undefined ? '' : pathOf(issue).join('.');
  if (field === 'type') {
    const values = inputDefinition()
      .options.map(({ shape }) => JSON.stringify(shape.type.value))
      .join(', ');
    return definitionProblem('definitions.inputType', { id, values });
  }
  return field === ''
    ? definitionProblem('definitions.inputNotAnObject', { id })
    : definitionProblem('definitions.badInput', { id, field });
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
    report('error', definitionProblem('definitions.inputNotHere', { name, field }), { server: name, path: misplaced.path });
    return undefined;
  }
  const missing = used.filter((id) => !known.has(id));
  for (const id of missing.map(revealInvisible)) {
    report('error', definitionProblem('definitions.unknownInput', { name, input: id }), { server: name });
  }
  return missing.length > 0 ? undefined : used.flatMap((id) => known.get(id) ?? []);
}
