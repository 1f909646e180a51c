// registry/: the page that searches an MCP Registry and installs servers from it.
import type { JSX, TargetedMouseEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RegistryPageState, registryToHost, registryToView } from '../../contract/pages/registryMessages.ts';
import { Icon } from '../shared/elements.tsx';
import { type HostLink, openHostLink } from '../shared/hostLink.ts';
import { t } from '../shared/localize.ts';
import { startPage } from '../shared/page.tsx';
import { InstallForm } from './installForm.tsx';
import { ServerCard } from './serverCard.tsx';
import { UpdateView } from './updateView.tsx';

export type RegistryLink = HostLink<typeof registryToHost, typeof registryToView>;

interface RegistryAppProps {
  /** What the page shows; undefined until the host has answered `ready`. */
  readonly page: RegistryPageState | undefined;
  readonly link: RegistryLink;
}

function RegistryApp({ page, link }: RegistryAppProps): JSX.Element {
  const remember = useWayBack(page?.install !== undefined || page?.update !== undefined);
  if (page?.install !== undefined) {
    return <InstallForm key={page.install.name} form={page.install} link={link} />;
  }
  if (page?.update !== undefined) {
    return <UpdateView update={page.update} link={link} />;
  }
  return (
    <main class="registry" onClick={remember}>
      <header class="registry-head">
        <h1 tabIndex={-1}>{t('Browse Servers')}</h1>
        {page !== undefined && page.state.kind !== 'off' && (
          <button type="button" class="button is-secondary" onClick={() => link.send('registry/refresh', {})}>
            {t('Refresh')}
          </button>
        )}
      </header>
      {page?.state.kind === 'off' ? <Off link={link} /> : <Search page={page} link={link} />}
    </main>
  );
}

/** Remembers the button of a card that was pressed. When its form is left, it gets the focus again, or what stands in its place now. */
function useWayBack(hasForm: boolean): (event: TargetedMouseEvent<HTMLElement>) => void {
  const pressed = useRef<{ readonly server: string | undefined; readonly place: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (!hasForm && document.hasFocus()) {
      const card = [...document.querySelectorAll<HTMLElement>(cards)].find(({ dataset }) => dataset['server'] === pressed.current?.server);
      const buttons = [...(card?.querySelectorAll('button') ?? [])];
      (buttons[pressed.current?.place ?? 0] ?? buttons.at(-1))?.focus();
    }
  }, [hasForm]);
  return ({ target }) => {
    const card = target instanceof Element ? target.closest<HTMLElement>(cards) : null;
    const place = [...(card?.querySelectorAll('button') ?? [])].findIndex((button) => button === target);
    pressed.current = card === null || place < 0 ? undefined : { server: card.dataset['server'], place };
  };
}

const cards = '[data-server]';

function Off({ link }: { readonly link: RegistryLink }): JSX.Element {
  return (
    <div class="registry-note" role="status">
      <p>{t('No registry is configured: the setting duplex.registry.url is empty.')}</p>
      <button type="button" class="button is-primary" onClick={() => link.send('registry/settings', {})}>
        {t('Open Setting')}
      </button>
    </div>
  );
}

function Search({ page, link }: RegistryAppProps): JSX.Element {
  const [text, setText] = useState<string | undefined>(undefined);
  const search = (event: SubmitEvent): void => {
    event.preventDefault();
    link.send('registry/search', { text: text ?? page?.search ?? '' });
  };
  return (
    <>
      <form class="registry-search" role="search" onSubmit={search}>
        <input
          type="search"
          class="input"
          aria-label={t('Search servers')}
          placeholder={t('Search servers by name')}
          maxLength={200}
          value={text ?? page?.search ?? ''}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button is-primary">
          {t('Search')}
        </button>
      </form>
      <Status page={page} link={link} />
      {page !== undefined && page.cards.length > 0 && (
        <ul class="registry-cards" aria-label={t('Servers')}>
          {page.cards.map((card) => (
            <ServerCard key={card.name} card={card} link={link} />
          ))}
        </ul>
      )}
      {page !== undefined && page.cards.length > 0 && page.hasMore && <LoadMore isLoading={page.state.kind === 'loading'} link={link} />}
    </>
  );
}

/** The button that loads more. It stays while that happens: somebody who has the focus on it goes on from there. */
function LoadMore({ isLoading, link }: { readonly isLoading: boolean; readonly link: RegistryLink }): JSX.Element {
  return (
    <button
      type="button"
      class="button is-secondary"
      aria-disabled={isLoading}
      onClick={() => (isLoading ? undefined : link.send('registry/more', {}))}
    >
      {t('Load more')}
    </button>
  );
}

function Status({ page, link }: RegistryAppProps): JSX.Element {
  return (
    <div class="registry-status">
      <p role="status" class="secondary">
        {statusText(page)}
      </p>
      {page?.state.kind === 'failed' && (
        <div class="registry-note">
          <Icon name="error" tone="error" />
          <p>{page.state.text}</p>
          <div class="registry-actions">
            <button
              type="button"
              class="button is-primary"
              onClick={() => (page.cards.length > 0 ? link.send('registry/more', {}) : link.send('registry/refresh', {}))}
            >
              {t('Retry')}
            </button>
            <button type="button" class="button is-secondary" onClick={() => link.send('registry/settings', {})}>
              {t('Open Setting')}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}

function statusText(page: RegistryPageState | undefined): string {
  switch (page?.state.kind) {
    case undefined:
    case 'loading':
      return t('Asking the registry…');
    case 'failed':
      return t('The registry gave no answer.');
    case 'listed':
      return page.cards.length === 0
        ? t('No server has this in its name.')
        : t('{0} servers of {1}. Duplex has checked none of them: what they say about themselves is theirs.', page.cards.length, page.host);
    case 'off':
      return '';
  }
}

const link = openHostLink<typeof registryToHost, typeof registryToView>();
startPage(
  link,
  () => link.send('ready', {}),
  (message) => <RegistryApp page={message?.body} link={link} />,
);
