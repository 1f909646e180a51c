import { isJsonObject } from '../base/json.ts';
import type { ArgumentField, ArgumentGroup, ArgumentPath, ArgumentRefusal, ArgumentValue } from '../contract/argumentFields.ts';
import { chosenVariant, type PlacedProblem, type VariantChoices } from './argumentProblems.ts';
import { anyValue, pathText, valueAt } from './argumentValues.ts';

/** What the validator says, beside the field of the form where a person can do something about it. */
export function placedRefusal(
  form: ArgumentGroup,
  value: ArgumentValue,
  { path, keyword, wanted, reason }: ArgumentRefusal,
  choices: VariantChoices,
): PlacedProblem {
  const place = placeOf(form, value, path, choices);
  const inner = pathText(path.slice(place.path.length)).replace(/^\./, '');
  return { ...place, problem: { kind: 'refused', keyword, wanted, reason, inner } };
}

/** As far down a path as there are fields. */
function placeOf(
  form: ArgumentGroup,
  root: ArgumentValue,
  path: ArgumentPath,
  choices: VariantChoices,
): { readonly path: ArgumentPath; readonly field: ArgumentField } {
  let field: ArgumentField = form;
  for (const [index, step] of path.entries()) {
    const above = path.slice(0, index);
    const value = valueAt(root ?? {}, above);
    const member = memberOf(asChosen(field, value, above, choices), value, step);
    if (member === undefined) {
      return { path: above, field };
    }
    field = member;
  }
  return { path, field };
}

/** Through the kinds of a value to the one that is shown. */
function asChosen(field: ArgumentField, value: ArgumentValue, path: ArgumentPath, choices: VariantChoices): ArgumentField {
  const variants = field.type === 'variants' || field.type === 'group' ? field.variants : undefined;
  const chosen = variants?.[chosenVariant(variants, value, path, choices).index]?.field;
  return chosen === undefined ? field : asChosen(chosen, value, path, choices);
}

function memberOf(field: ArgumentField, value: ArgumentValue, step: string | number): ArgumentField | undefined {
  if (field.type === 'list') {
    return typeof step === 'number' ? field.item : undefined;
  }
  if (field.type !== 'group') {
    return undefined;
  }
  const isThere = isJsonObject(value) && Object.hasOwn(value, step);
  return field.fields.find(({ name }) => name === step) ?? (isThere ? (field.rest ?? anyValue) : undefined);
}
