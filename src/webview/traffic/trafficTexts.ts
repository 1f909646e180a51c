import type { ScriptRefusal, SendAgainRefusal, TrafficRow } from '../../contract/trafficMessages.ts';
import { t } from '../shared/localize.ts';
import type { TrafficState } from './trafficState.ts';

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

/** How much is shown of how much, and since when: also that there was a time in between in which nothing was recorded. */
export function statusText({ rows, dropped, status }: Pick<TrafficState, 'rows' | 'dropped' | 'status'>, shown: number): string {
  const [some, all] = [shown.toLocaleString('en'), rows.size.toLocaleString('en')];
  const since = status?.since ?? 0;
  const count =
    since === 0
      ? t('{0} messages', all)
      : shown === rows.size
        ? t('{0} messages since {1}', all, timeOfDay(since))
        : t('{0} of {1} messages since {2}', some, all, timeOfDay(since));
  return [
    ...(status?.isPaused === true ? [t('Paused')] : []),
    count,
    ...(status?.hasGaps === true ? [t('not while hidden or paused')] : []),
    ...(dropped === 0 ? [] : [t('{0} older ones made room', dropped.toLocaleString('en'))]),
  ].join(' · ');
}

/** Why there is nothing yet. */
export function emptyText({ isPaused, since }: { readonly isPaused: boolean; readonly since: number }): string {
  return isPaused ? t('Recording is paused.') : since === 0 ? '' : t('Recording since {0}.', timeOfDay(since));
}

function timeOfDay(time: number): string {
  return new Date(time).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

export function sendAgainRefusalText(reason: SendAgainRefusal): string {
  switch (reason) {
    case 'notOurs':
      return t('Only a request of this window to a server can be sent again.');
    case 'method':
      return t('Only calls of tools, reads of resources and prompts can be sent again.');
    case 'tooLong':
      return t('It was too long to be kept for sending it again.');
  }
}

export function scriptRefusalText(reason: ScriptRefusal): string {
  switch (reason) {
    case 'notARequest':
      return t('Only a request to a server can be repeated by a script.');
    case 'tooLong':
      return t('It is too long to be kept whole, so no script can repeat it.');
    case 'unreachable':
      return t('A script reaches programs and plain HTTP servers only: not WebSocket, SSE or servers with certificates of their own.');
    case 'gone':
      return t('Its server is not configured any more, or cannot be started as it is.');
    case 'notListening':
      return t('A script reaches the editor’s own server only while outside clients can.');
  }
}
