import { pricesAsOf } from '../../../contract/chat/modelPrices.ts';
import type { SamplingQuestion, SamplingResponseQuestion, ShownBudget } from '../../../contract/questions/samplingQuestions.ts';
import { formatFixed, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import { estimateOf, type SamplingDraft } from './samplingDraft.ts';

/** Lists what else a server wants of the model, in rows. */
export function requestFacts(detail: SamplingQuestion): readonly (readonly [string, string])[] {
  const { hints, priorities, temperature, metadata } = detail;
  const priorityNames = { cost: t('low cost'), speed: t('speed'), intelligence: t('intelligence') };
  const rows: readonly (readonly [string, string])[] = [
    [t('Model hints'), hints.map(wholeText).join(', ')],
    [t('Priorities'), priorities.map(({ name, value }) => `${priorityNames[name]} ${value}`).join(', ')],
    [t('Temperature'), temperature === undefined ? '' : temperatureWords(temperature)],
    [t('Metadata'), metadata === undefined ? '' : t('{0} (shown only: it is not sent)', wholeText(metadata))],
  ];
  return rows.filter(([, value]) => value !== '');
}

function temperatureWords({ value, asked, isSent }: NonNullable<SamplingQuestion['temperature']>): string {
  const clamped = asked === undefined ? String(value) : t('{0}, the nearest that is allowed to the {1} it asked for', value, asked);
  return isSent ? clamped : t('{0} (not sent: your provider’s models take none)', clamped);
}

export function budgetLine({ requests, requestsPerHour, tokens, tokensPerDay }: ShownBudget): string {
  return t(
    '{0} of {1} requests in the last hour, {2} of {3} tokens in the last 24 hours',
    formatNumber(requests),
    formatNumber(requestsPerHour),
    formatNumber(tokens),
    formatNumber(tokensPerDay),
  );
}

export function costLine(detail: SamplingQuestion, values: SamplingDraft['values']): string {
  const { inputTokens, outputTokens, cost } = estimateOf(detail, values);
  const [input, output] = [formatNumber(inputTokens), formatNumber(outputTokens)];
  return cost === undefined
    ? t('Estimate: about {0} tokens in, at most {1} out. Cost unknown: no price is known for this model.', input, output)
    : t(
        'Estimate: about {0} tokens in, at most {1} out, together about {2} (list prices of {3}).',
        input,
        output,
        dollars(cost),
        pricesAsOf,
      );
}

function dollars(cost: number): string {
  return cost < 0.01 ? t('1 US cent') : t('{0} US dollars', formatFixed(cost, 2));
}

export function stopWords(reason: SamplingResponseQuestion['stopReason']): string {
  const words = {
    endTurn: t('by itself'),
    stopSequence: t('before a stop sequence'),
    maxTokens: t('cut off at the longest answer'),
    toolUse: t('asking for a tool'),
  };
  return words[reason];
}
