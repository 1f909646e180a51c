import type { JSX } from 'preact';
import { revealInvisible } from '../../base/visibleText.ts';
import type { AssistantItem } from '../../contract/chatState.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { formatElapsed, plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { timelineOf } from './timelineBars.ts';

/** Which of a turn's calls ran when, side by side: where the time went. */
export function TurnTimeline({ item }: { readonly item: AssistantItem }): JSX.Element | null {
  const timeline = item.state === 'streaming' ? undefined : timelineOf(item.parts);
  if (timeline === undefined) {
    return null;
  }
  const count = plural(
    timeline.bars.length,
    () => t('1 call'),
    (many) => t('{0} calls', many),
  );
  return (
    <Disclosure label={t('Timeline')} inside={`${count} · ${formatElapsed(timeline.totalMs)}`}>
      <ol class="timeline">
        {timeline.bars.map(({ id, server, tool, state, elapsedMs, from, width }) => (
          <li key={id} class={`timeline-row is-${state}`} title={`${revealInvisible(server)} ${revealInvisible(tool)}`}>
            <span class="timeline-name">{revealInvisible(tool)}</span>
            <span class="timeline-track" aria-hidden="true">
              <span class="timeline-bar" style={{ insetInlineStart: `${from * 100}%`, width: `${width * 100}%` }} />
            </span>
            <span class="timeline-time secondary">{formatElapsed(elapsedMs)}</span>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}
