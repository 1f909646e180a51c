import type { JSX } from 'preact';
import type { AppActQuestion, ShowAppQuestion } from '../../../contract/questions/appQuestions.ts';
import { formatBytes } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';

/** Says what showing an app means. What no policy can close is said as well. */
export function showAppEffect({ reaches }: ShowAppQuestion): string {
  const runs = t('Its code will run in a closed frame: it sees nothing of this window, your files or other servers.');
  const reached =
    reaches.length === 0 ? t('It may reach no address.') : t('It may reach the addresses below, and can tell them what you do in it.');
  return `${runs} ${reached} ${t('One thing cannot be closed: over WebRTC it could tell a stranger your network address.')}`;
}

export function appSource(detail: ShowAppQuestion | AppActQuestion): string {
  return detail.kind === 'showApp'
    ? t('The server “{0}” gave this page to its tool.', wholeText(detail.server))
    : t('The app asks for this, not you and not the model.');
}

/** The facts about a page that a server wants shown. */
export function ShowAppDetails({ detail }: { readonly detail: ShowAppQuestion }): JSX.Element {
  const facts: readonly (readonly [string, string])[] = [
    [t('Server'), wholeText(detail.server)],
    [t('Page'), wholeText(detail.uri)],
    [t('Size'), formatBytes(detail.bytes)],
    [t('May reach'), detail.reaches.length === 0 ? t('nothing') : detail.reaches.map(wholeText).join('\n')],
    ...(detail.refused.length === 0 ? [] : [[t('Wants and does not get'), detail.refused.map(wholeText).join('\n')] as const]),
  ];
  return <Facts label={t('App')} facts={facts} />;
}

export function appActTitle({ server, tool, what }: AppActQuestion): string {
  const names = [wholeText(tool), wholeText(server)] as const;
  switch (what.kind) {
    case 'openLink':
      return t('The app of “{0}” from the server “{1}” wants to open a link', ...names);
    case 'message':
      return t('The app of “{0}” from the server “{1}” wants to send a message as you', ...names);
    case 'tellModel':
      return t('The app of “{0}” from the server “{1}” wants to tell the model something', ...names);
    case 'download':
      return t('The app of “{0}” from the server “{1}” wants to save a file', ...names);
  }
}

export function appActEffect({ what }: AppActQuestion): string {
  switch (what.kind) {
    case 'openLink':
      return t('The link opens in your browser; the address itself can tell its host something.');
    case 'message':
      return t('What is below is sent to the model as if you had written it.');
    case 'tellModel':
      return t('What is below is attached to your next message. You see it there, and can remove it.');
    case 'download':
      return t('You choose where; nothing opens it. The file is the app’s: it may be anything.');
  }
}

/** What an app wants done outside of its frame. */
export function AppActDetails({ detail: { what } }: { readonly detail: AppActQuestion }): JSX.Element {
  return <Facts label={t('What the app wants')} facts={actFacts(what)} />;
}

function actFacts(what: AppActQuestion['what']): readonly (readonly [string, string])[] {
  switch (what.kind) {
    case 'openLink':
      return [
        [t('Host'), wholeText(what.host)],
        [t('Address'), wholeText(what.url)],
      ];
    case 'message':
      return [[t('Message'), wholeText(what.text)]];
    case 'tellModel':
      return [[t('For the model'), wholeText(what.text)]];
    case 'download':
      return what.files.map(({ name, bytes }) => [t('File'), `${wholeText(name)} (${formatBytes(bytes)})`]);
  }
}

function Facts({ label, facts }: { readonly label: string; readonly facts: readonly (readonly [string, string])[] }): JSX.Element {
  return (
    <dl class="facts" aria-label={label}>
      {facts.map(([name, value], index) => (
        <div class="fact" key={index}>
          <dt>{name}</dt>
          <dd>
            <span class="fact-value">{value}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
