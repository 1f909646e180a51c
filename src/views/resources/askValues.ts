import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle.ts';
import { completionReference, type Completions, type Fillable } from '../../chat/context/argumentForms.ts';
import type { ArgumentsForm } from '../../contract/chat/attachments.ts';
import { acceptedValue, type OfferedValue } from '../native/acceptedItem.ts';
import { nativeText } from '../nativeText.ts';

/** Asks for the arguments of a prompt or a template, with proposals of its server. Undefined when the person gave up. */
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

export interface AskedValue {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
}

export interface AskValuesOptions {
  readonly title: string;
  readonly fields: readonly AskedValue[];
  /** Asks the server for proposals for one value. `values` has the others that were answered so far. */
  readonly complete: (name: string, values: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<readonly string[]>;
}

type Answer = { readonly kind: 'value'; readonly value: string } | { readonly kind: 'back' } | { readonly kind: 'gone' };

/** How long, in ms, typing has to rest before the server is asked for proposals. */
const restMs = 150;

/** Asks for one value after the other, each with the proposals of the server below it. Undefined when the person gave up. */
async function askValues(options: AskValuesOptions): Promise<Readonly<Record<string, string>> | undefined> {
  const values: Record<string, string> = {};
  let step = 0;
  while (step < options.fields.length) {
    const field = options.fields[step];
    if (field === undefined) {
      break;
    }
    const answer = await askValue(options, field, step, values);
    if (answer.kind === 'gone') {
      return undefined;
    }
    if (answer.kind === 'value') {
      values[field.name] = answer.value;
    }
    step += answer.kind === 'back' ? -1 : 1;
  }
  return values;
}

interface ValueItem extends vscode.QuickPickItem, OfferedValue {}

function askValue(
  { title, fields, complete }: AskValuesOptions,
  field: AskedValue,
  step: number,
  values: Readonly<Record<string, string>>,
): Promise<Answer> {
  const question = new ValueQuestion(field, (value, signal) => complete(field.name, { ...values, [field.name]: value }, signal));
  return question.ask({
    title: nativeText(title),
    step: step + 1,
    totalSteps: fields.length,
    placeholder: placeholderOf(field),
    value: values[field.name] ?? '',
    ignoreFocusOut: true,
    buttons: step === 0 ? [] : [vscode.QuickInputButtons.Back],
  });
}

type Complete = (value: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Asks for one value: the person types it or takes a proposal of the server. */
class ValueQuestion {
  readonly #field: AskedValue;
  readonly #complete: Complete;
  readonly #lifetime = new DisposableStore();
  readonly #pick = this.#lifetime.add(vscode.window.createQuickPick<ValueItem>());
  #completing = new AbortController();
  #proposals: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(field: AskedValue, complete: Complete) {
    this.#field = field;
    this.#complete = complete;
  }

  ask(looks: Partial<vscode.QuickPick<ValueItem>>): Promise<Answer> {
    const pick = Object.assign(this.#pick, looks);
    const answered = new Promise<Answer>((resolve) => {
      this.#lifetime.add(pick.onDidTriggerButton(() => resolve({ kind: 'back' })));
      this.#lifetime.add(pick.onDidHide(() => resolve({ kind: 'gone' })));
      this.#lifetime.add(
        pick.onDidAccept(() => {
          const value = acceptedValue(pick.activeItems[0], pick.value);
          if (value !== undefined) {
            resolve({ kind: 'value', value });
          }
        }),
      );
    });
    this.#lifetime.add(
      pick.onDidChangeValue(() => {
        this.#show();
        this.#proposeSoon(restMs);
      }),
    );
    this.#show();
    pick.show();
    this.#proposeSoon(0);
    return answered.finally(() => this.#end());
  }

  #show(): void {
    this.#pick.items = itemsOf(this.#pick.value, this.#proposals, this.#field);
  }

  #proposeSoon(delayMs: number): void {
    this.#completing.abort();
    this.#completing = new AbortController();
    clearTimeout(this.#timer);
    const { signal } = this.#completing;
    this.#timer = setTimeout(() => void this.#propose(signal), delayMs);
  }

  /** Asks for proposals. When that fails there are none, and the person types. */
  async #propose(signal: AbortSignal): Promise<void> {
    this.#pick.busy = true;
    const found = await this.#complete(this.#pick.value, signal).catch(() => []);
    if (!signal.aborted) {
      this.#pick.busy = false;
      this.#proposals = found;
      this.#show();
    }
  }

  #end(): void {
    this.#completing.abort();
    clearTimeout(this.#timer);
    this.#lifetime.dispose();
  }
}

function placeholderOf({ name, description, isRequired }: AskedValue): string {
  const text = nativeText(description === '' ? name : `${name}: ${description}`);
  return isRequired ? text : vscode.l10n.t('{0} (optional)', text);
}

/** The typed text comes first, so that Enter takes it. VS Code filters nothing, because the server has chosen the proposals already. */
function itemsOf(typed: string, proposals: readonly string[], { isRequired }: AskedValue): ValueItem[] {
  const own: ValueItem[] =
    typed === ''
      ? isRequired
        ? []
        : [{ label: vscode.l10n.t('Leave empty'), value: '', typed, alwaysShow: true }]
      : [{ label: nativeText(typed), value: typed, typed, alwaysShow: true }];
  const others = proposals.filter((value) => value !== typed && value !== '');
  return [...own, ...others.map((value) => ({ label: nativeText(value), value, typed, alwaysShow: true }))];
}
