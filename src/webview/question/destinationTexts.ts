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
    .filter(({ field }) => field === 'destination' || detail.kind === 'seeEditor')
    .map((each) =>
      each.field === 'destination' ? { field: t('Destination'), before: place(each.before), after: place(each.after) } : each,
    );
}
