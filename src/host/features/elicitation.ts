import { messageOf } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/addresses.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { FormField, FormValue } from '../../contract/forms/formFields.ts';
import type { Choice, PersonAnswer } from '../../contract/questions/questions.ts';
import type { ElicitationQuestion } from '../../contract/questions/serverQuestions.ts';
import { acceptedContent, defaultAnswers, elicitationForm } from '../../schemaForms/elicitationForm.ts';
import { type HandlerContext, invalidParams, rpcError } from './handlerContext.ts';

const choices: readonly Choice[] = ['deny', 'cancel', 'allowOnce'];
/** The most characters of what a server says to the person in a question; more is refused. */
const maxMessageLength = 20_000;
/** The most characters of a link that a server wants opened; a longer one is refused. */
const maxUrlLength = 8_000;

type Params =
  | { readonly mode?: 'form' | undefined; readonly message: string; readonly requestedSchema: unknown }
  | { readonly mode: 'url'; readonly message: string; readonly url: string };

interface Result {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, FormValue>;
}

/** Answers a server that asks the person something. The person is asked every time: no answer is remembered. */
export class ElicitationAnswers {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  async answer(params: Params, signal: AbortSignal): Promise<Result> {
    if (params.message.length > maxMessageLength) {
      throw rpcError(invalidParams, `A message has at most ${maxMessageLength} characters.`);
    }
    if (params.mode === 'url') {
      const url = readUrl(params.url);
      const answer = await this.#ask(params.message, { mode: 'url', url: revealInvisible(url.href), host: url.host }, signal);
      return answer?.choice === 'allowOnce' ? this.#open(url) : refusal(answer);
    }
    const fields = readFields(params.requestedSchema);
    const answer = await this.#ask(params.message, { mode: 'form', fields: [...fields] }, signal);
    return answer?.choice === 'allowOnce' ? this.#accept(fields, answer) : refusal(answer);
  }

  /** The values are checked again here, because the page that sent them is not trusted. */
  #accept(fields: readonly FormField[], { form }: PersonAnswer): Result {
    const content = acceptedContent(fields, form ?? defaultAnswers(fields));
    if (content === undefined) {
      this.#context.log.warn('A form was sent with values that do not fit it; the server was told that it was cancelled.');
      return { action: 'cancel' };
    }
    return { action: 'accept', content: { ...content } };
  }

  async #open(url: URL): Promise<Result> {
    try {
      await this.#context.ports.openExternal(url.href);
      return { action: 'accept' };
    } catch (error) {
      this.#context.log.error(`The link could not be opened: ${messageOf(error)}`);
      return { action: 'cancel' };
    }
  }

  async #ask(message: string, request: ElicitationQuestion['request'], signal: AbortSignal): Promise<PersonAnswer | undefined> {
    const { gate, ports, serverId, label } = this.#context;
    const server = revealInvisible(label());
    let given: PersonAnswer | undefined;
    const ask: Ask = async (question, ended) => {
      given = await ports.ask(question, ended);
      return given;
    };
    await gate.check({
      request: {
        principal: 'host',
        action: 'askPerson',
        subject: ['server', serverId, 'elicitation'],
        fingerprint: fingerprintOf({ message, request: JSON.stringify(request) }),
        material: { server },
      },
      detail: { kind: 'elicitation', server, message: revealInvisible(message), request },
      choices,
      ask,
      signal,
    });
    return given;
  }
}

/** Throws the error that the server gets when no form can be made of its schema. */
function readFields(schema: unknown): readonly FormField[] {
  const form = elicitationForm(schema);
  switch (form.kind) {
    case 'ok':
      return form.fields;
    case 'tooLarge':
      throw rpcError(invalidParams, `A form has at most ${form.maxFields} fields.`);
    case 'unknownField':
      throw rpcError(invalidParams, `This client cannot show the field “${form.name.slice(0, 100)}”.`);
  }
}

function refusal(answer: PersonAnswer | undefined): Result {
  return { action: answer?.choice === 'deny' ? 'decline' : 'cancel' };
}

/** Accepts https, and http to this machine. A user name in the address is refused, because it can make one host look like another. */
function readUrl(text: string): URL {
  const url = text.length <= maxUrlLength && URL.canParse(text) ? new URL(text) : undefined;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url === undefined || !isAllowed || url.username !== '' || url.password !== '') {
    throw rpcError(invalidParams, 'A link must be an https address without a user name in it (http only for this machine).');
  }
  return url;
}
