import type { Question } from '../contract/questions.ts';
import type { ServerDefinition } from '../definitions/serverDefinition.ts';
import type { ErrorReporter } from './errorReporter.ts';
import { openDefinition } from './openDefinition.ts';

/** Shows what a start question is about in the file where it is configured. */
export type ShowDefinition = (questions: readonly Question[], askId: string) => void;

export function definitionShower(
  definitionOf: (serverId: string) => ServerDefinition | undefined,
  reporter: Pick<ErrorReporter, 'report'>,
): ShowDefinition {
  return (questions, askId) => {
    const detail = questions.find((question) => question.askId === askId)?.detail;
    const definition = detail?.kind === 'startServer' ? definitionOf(detail.serverId ?? '') : undefined;
    if (definition !== undefined) {
      void openDefinition(definition).catch((error: unknown) => reporter.report(error));
    }
  };
}
