import type { JSX } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { CallApp } from '../../../contract/chat/appMessages.ts';
import type { ToolCallPart } from '../../../contract/chat/chatState.ts';
import { Icon, IconButton } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { type AppLink, AppLinkContext } from './appLink.ts';
import { leaveTexts, openAppFrame, shownHeight } from './appShowing.ts';

export interface AppCardProps {
  readonly part: Pick<ToolCallPart, 'id' | 'server' | 'tool'>;
  readonly app: CallApp;
}

/** The page that a server gave to a tool, in a border with the server's name that the page itself cannot reach. */
export function AppCard({ part, app }: AppCardProps): JSX.Element | null {
  const link = useContext(AppLinkContext);
  const [server, tool] = [revealInvisible(part.server), revealInvisible(part.tool)];
  const { id } = part;
  const card = useRef<HTMLDivElement>(null);
  const leave = useCallback(() => card.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (app.state === 'new') {
      link?.wake(id);
    }
  }, [id, app.state, link]);
  if (link === undefined) {
    return null;
  }
  return (
    <div class="app" role="group" aria-label={t('App: {0} {1}', server, tool)} tabIndex={-1} ref={card}>
      <div class="app-head">
        <Icon name="window" />
        <span class="app-name">{t('App of the server “{0}”', server)}</span>
        {app.state === 'live' && (
          <span class="app-keys" title={leaveTexts().whole}>
            {leaveTexts().short}
          </span>
        )}
        {app.state === 'live' && app.canBeLarge === true && (
          <IconButton
            icon="screen-full"
            label={t('Full screen')}
            title={t('Full screen: in an editor tab')}
            onClick={() => link.enlarge(id)}
          />
        )}
        {(app.state === 'live' || app.state === 'tab') && <IconButton icon="close" label={t('Close')} onClick={() => link.close(id)} />}
      </div>
      {app.state === 'live' && <LiveApp id={id} name={t('App: {0} {1}', server, tool)} link={link} height={app.height} onLeave={leave} />}
      {(app.state === 'opening' || app.state === 'new') && (
        <p class="app-note secondary" style={keptHeight(app)}>
          {t('Not shown yet')}
        </p>
      )}
      {app.state === 'tab' && <LargeApp onBack={app.canBeLarge === true ? () => link.back(id) : undefined} />}
      {app.state === 'asleep' && <SleepingApp id={id} app={app} link={link} />}
    </div>
  );
}

/** What stands in the place of an app that is shown in an editor tab; `onBack` brings it here again. */
function LargeApp({ onBack }: { readonly onBack: (() => void) | undefined }): JSX.Element {
  return (
    <p class="app-note secondary">
      <span>{t('Shown in an editor tab')}</span>
      {onBack !== undefined && (
        <button type="button" class="button is-secondary" onClick={onBack}>
          {t('Show here')}
        </button>
      )}
    </p>
  );
}

/** An app that sleeps has no frame. Where it had one before, its place stays as high, and a click anywhere in it wakes the app. */
function SleepingApp({ id, app, link }: { readonly id: string; readonly app: CallApp; readonly link: AppLink }): JSX.Element {
  const wake = (): void => link.wake(id);
  const hasPlace = app.height !== undefined;
  return (
    <div class={hasPlace ? 'app-asleep' : undefined} style={keptHeight(app)} onClick={hasPlace ? wake : undefined}>
      <p class="app-note secondary">
        <span>{app.note === undefined ? t('Asleep') : revealInvisible(app.note)}</span>
        <button type="button" class="button is-secondary" onClick={hasPlace ? undefined : wake}>
          {t('Wake')}
        </button>
      </p>
    </div>
  );
}

function keptHeight({ height }: CallApp): { readonly height: string } | undefined {
  return height === undefined ? undefined : { height: `${shownHeight(height)}px` };
}

interface LiveAppProps {
  readonly id: string;
  readonly name: string;
  readonly link: AppLink;
  /** The height that it had before it slept. */
  readonly height: number | undefined;
  readonly onLeave: () => void;
}

function LiveApp({ id, name, link, height, onLeave }: LiveAppProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [note, setNote] = useState<string>();
  useEffect(
    () => (place.current === null ? undefined : openAppFrame(place.current, { id, title: name, link, height, onLeave, onNote: setNote })),
    [id, name, link, height, onLeave],
  );
  return (
    <>
      {note !== undefined && (
        <p class="app-note secondary" role="status">
          {note}
        </p>
      )}
      <div class="app-frame" ref={place} />
    </>
  );
}
