import { completionReference, type Completions, type Fillable } from '../chat/context/argumentForms.ts';
import type { ArgumentsForm } from '../contract/chat/attachments.ts';
import { askValues } from './askValues.ts';

/** The values of a prompt or a template, with its server's proposals. Undefined when the person gave up. */
export function askFor(
  fillable: Fillable,
  { server, name, fields }: ArgumentsForm,
  completions: Completions,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { serverId } = fillable.kind === 'prompt' ? fillable.prompt : fillable.template;
  return askValues({
    title: `${server}: ${name}`,
    fields,
    complete: (argument, values, signal) => {
      const { [argument]: value = '', ...others } = values;
      const context = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''));
      return completions.complete(
        serverId,
        { reference: completionReference(fillable), argument: { name: argument, value }, context },
        signal,
      );
    },
  });
}
