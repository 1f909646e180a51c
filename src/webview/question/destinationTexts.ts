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

/** The guide has no address: it is named where one would stand. That the server of a content is another one is said in words. */
export function shownDifferences({ detail, differences }: Question): readonly Difference[] {
  if (detail.kind !== 'seeEditor' && detail.kind !== 'sendContent') {
    return differences;
  }
  const place = (address = ''): string => (address === '' ? t('the offline guide') : address);
  return differences
    .filter(({ field, before }) => field === 'destination' || detail.kind === 'seeEditor' || (field === 'text' && before !== undefined))
    .map((each) => {
      if (each.field === 'destination') {
        return { field: t('Destination'), before: place(each.before), after: place(each.after) };
      }
      return each.field === 'text' && detail.kind === 'sendContent' ? { ...each, field: t('Text') } : each;
    });
}
