import type { JSX } from 'preact';
import type { RegistryCard } from '../../contract/pages/registryMessages.ts';
import { Icon } from '../shared/elements.tsx';
import { dateLocale } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import type { RegistryLink } from './main.tsx';

interface ServerCardProps {
  readonly card: RegistryCard;
  readonly link: RegistryLink;
}

/** One server of the registry. */
export function ServerCard({ card, link }: ServerCardProps): JSX.Element {
  const { name, title, description, installed } = card;
  return (
    <li class="registry-card" data-server={name}>
      <div class="registry-card-head">
        <h2>{title}</h2>
        {installed.length > 0 && (
          <span class="registry-mark">
            <Icon name="check" tone="good" />
            {t('Installed')}
          </span>
        )}
        {card.isDeprecated && (
          <span class="registry-mark">
            <Icon name="warning" tone="warning" />
            {t('Deprecated')}
          </span>
        )}
      </div>
      {title !== name && <p class="registry-name secondary">{name}</p>}
      {description !== '' && <p>{description}</p>}
      <Ways card={card} />
      <p class="registry-facts secondary">
        <span>{t('Version {0}', card.version)}</span>
        {card.updated !== '' && <span>{t('Updated {0}', new Date(card.updated).toLocaleDateString(dateLocale()))}</span>}
      </p>
      {installed.map((each) => (
        <p key={each.id} class="registry-facts secondary">
          {each.version === undefined ? t('Installed as {0}', each.label) : t('Installed as {0}, version {1}', each.label, each.version)}
        </p>
      ))}
      <Actions card={card} link={link} />
    </li>
  );
}

function Ways({ card: { ways, unreadable } }: { readonly card: RegistryCard }): JSX.Element {
  return (
    <ul class="registry-ways">
      {ways.map(({ id, kind, shown, problem }) => (
        <li key={id}>
          <Icon name={kind === 'remote' ? 'globe' : 'package'} />
          <span>
            <span class="registry-kind">{kind === 'remote' ? t('Remote') : kind}</span> <code>{shown}</code>
            {problem !== undefined && <span class="registry-refusal secondary"> {problem}</span>}
          </span>
        </li>
      ))}
      {unreadable > 0 && (
        <li class="secondary">
          <Icon name="warning" />
          <span>{t('{0} more that cannot be read', unreadable)}</span>
        </li>
      )}
      {ways.length === 0 && unreadable === 0 && (
        <li class="secondary">
          <Icon name="info" />
          <span>{t('No package and no address: see its own pages.')}</span>
        </li>
      )}
    </ul>
  );
}

function Actions({ card, link }: ServerCardProps): JSX.Element {
  const { name, title, installed, ways } = card;
  const canInstall = ways.some(({ problem }) => problem === undefined);
  const newer = installed.filter((each) => each.newer !== undefined);
  return (
    <div class="registry-actions">
      {newer.map((each) => (
        <button
          key={each.id}
          type="button"
          class="button is-primary"
          {...toldApart(t('Update “{0}” to version {1}', each.label, each.newer ?? ''))}
          onClick={() => link.send('registry/update', { name, server: each.id })}
        >
          {t('Update')}
        </button>
      ))}
      {canInstall && (
        <button
          type="button"
          class={`button ${installed.length === 0 ? 'is-primary' : 'is-secondary'}`}
          {...toldApart(t('Install {0}', title))}
          onClick={() => link.send('registry/choose', { name })}
        >
          {t('Install')}
        </button>
      )}
      {(['repository', 'website'] as const)
        .filter((page) => card[page] !== '')
        .map((page) => (
          <button
            key={page}
            type="button"
            class="button is-secondary"
            title={card[page]}
            aria-label={page === 'repository' ? t('Repository of {0}', title) : t('Website of {0}', title)}
            onClick={() => link.send('registry/open', { name, page })}
          >
            {page === 'repository' ? t('Repository') : t('Website')}
          </button>
        ))}
    </div>
  );
}

/** Says what a button is for that has the same name on every card. */
function toldApart(sentence: string): { readonly title: string; readonly 'aria-description': string } {
  return { title: sentence, 'aria-description': sentence };
}
