import type { JSX } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { CallApp } from '../../../contract/chat/appMessages.ts';
import type { ToolCallPart } from '../../../contract/chat/chatState.ts';
import { Icon } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { type AppLink, AppLinkContext } from './appLink.ts';
import { onLookChanged, readLook } from './appLook.ts';
import { AppShell } from './appShell.ts';

export interface AppCardProps {
  readonly part: Pick<ToolCallPart, 'id' | 'server' | 'tool'>;
  readonly app: CallApp;
}

/** The page that a server gave to a tool, in a border with the server's name that the page itself cannot reach. */
export function AppCard({ part, app }: AppCardProps): JSX.Element | null {
  const link = useContext(AppLinkContext);
  const [server, tool] = [revealInvisible(part.server), revealInvisible(part.tool)];
  const { id } = part;
  useEffect(() => {
    if (app.state === 'new') {
      link?.wake(id);
    }
  }, [id, app.state, link]);
  if (link === undefined) {
    return null;
  }
  return (
    <div class="app" role="group" aria-label={t('App: {0} {1}', server, tool)}>
      <div class="app-head">
        <Icon name="window" />
        <span class="app-name">{t('App of the server “{0}”', server)}</span>
        {app.state === 'live' && (
          <button type="button" class="icon-button" aria-label={t('Close')} title={t('Close')} onClick={() => link.close(id)}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {app.state === 'live' && <LiveApp id={id} name={t('App: {0} {1}', server, tool)} link={link} />}
      {(app.state === 'opening' || app.state === 'new') && <p class="app-note secondary">{t('Not shown yet')}</p>}
      {app.state === 'asleep' && (
        <p class="app-note secondary">
          <span>{app.note === undefined ? t('Asleep') : revealInvisible(app.note)}</span>
          <button type="button" class="button is-secondary" onClick={() => link.wake(id)}>
            {t('Wake')}
          </button>
        </p>
      )}
    </div>
  );
}

const firstHeight = 120;
const minHeight = 40;
const maxHeight = 600;

function LiveApp({ id, name, link }: { readonly id: string; readonly name: string; readonly link: AppLink }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current === null ? undefined : showApp(place.current, id, name, link)), [id, name, link]);
  return <div class="app-frame" ref={place} />;
}

/** Shows the app in its place until the result is called. */
function showApp(place: HTMLElement, id: string, title: string, link: AppLink): () => void {
  let shell: AppShell | undefined;
  place.style.height = `${firstHeight}px`;
  const stopListening = link.listen(id, (message) => {
    switch (message.name) {
      case 'app/frame': {
        shell?.dispose();
        const { html, policy } = message.body;
        const onSaid = (text: string): void => link.said(id, text);
        shell = new AppShell(place, { html, policy, title, onSaid, onBroke: (reason) => link.broke(id, reason) });
        break;
      }
      case 'app/say':
        shell?.say(message.body.text);
        break;
      case 'app/size':
        place.style.height = `${Math.min(maxHeight, Math.max(minHeight, message.body.height))}px`;
        break;
    }
  });
  const stopLooking = onLookChanged(place, () => link.look(id, readLook(place.clientWidth)));
  link.mounted(id, readLook(place.clientWidth));
  return () => {
    stopListening();
    stopLooking();
    shell?.dispose();
  };
}
