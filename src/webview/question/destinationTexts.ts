import type { Difference, Question } from '../../contract/questions.ts';
import { t } from '../shared/localize.ts';

/** Of an address as much as people know it by. */
export function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

/** The guide has no address: it is named where one would stand. */
export function shownDifferences({ detail, differences }: Question): readonly Difference[] {
  const named = (address: string | undefined): string | undefined => (address === '' ? t('the offline guide') : address);
  return detail.kind === 'seeEditor' || detail.kind === 'sendContent'
    ? differences.map((each) => (each.field === 'destination' ? { ...each, before: named(each.before), after: named(each.after) } : each))
    : differences;
}
