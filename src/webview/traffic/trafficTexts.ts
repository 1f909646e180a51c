import type { TrafficRow } from '../../contract/trafficMessages.ts';
import { t } from '../shared/localize.ts';

export function peerName({ peer, side }: Pick<TrafficRow, 'peer' | 'side'>): string {
  return peer !== '' ? peer : side === 'client' ? t('A client') : t('A server');
}

export function directionWord(direction: TrafficRow['direction']): string {
  return direction === 'sent' ? t('Sent') : t('Received');
}

export function stateWord({ state, kind }: Pick<TrafficRow, 'state' | 'kind'>): string {
  switch (state) {
    case 'waiting':
      return t('No answer yet');
    case 'answered':
      return t('Answered');
    case 'failed':
      return t('Failed');
    case 'plain':
      return kind === 'notification' ? t('Notification') : kind === 'answer' ? t('Answer without its request') : t('No protocol message');
  }
}

/** To the millisecond, which is what one looks for here. */
export function clockTime(time: number): string {
  const date = new Date(time);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
