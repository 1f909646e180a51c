import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { PickableTool, ToolOffer } from '../../contract/chat/toolChoice.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { BudgetActionsContext } from './budgetActions.ts';
import { formatTokens } from './contextTexts.ts';
import { findPickable, type PickableServer } from './toolPickerRules.ts';

export interface ToolPickerProps {
  /** Undefined until the host has told. */
  readonly tools: readonly PickableTool[] | undefined;
  readonly offer: ToolOffer;
  /** The servers, where they are started. */
  readonly onServers: () => void;
}

/** More rows than anybody reads at once: looking for words shows the others. */
const maxRows = 200;

/** Which tools the model is offered in this workspace. */
export function ToolPicker({ tools, offer, onServers }: ToolPickerProps): JSX.Element {
  const { listTools } = useContext(BudgetActionsContext);
  const [wanted, setWanted] = useState('');
  useEffect(listTools, [listTools, offer.total, offer.offered]);
  const servers = findPickable(tools ?? [], wanted);
  const rows = servers.reduce((sum, server) => sum + server.tools.length, 0);
  return (
    <div class="tool-picker">
      <div class="tool-picker-head">
        <input
          type="search"
          class="input"
          aria-label={t('Search tools')}
          placeholder={t('Search tools')}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <button type="button" class="button is-quiet" onClick={onServers}>
          {t('Servers')}
        </button>
      </div>
      <p class="secondary tool-summary" role="status">
        {summaryOf(offer)}
      </p>
      {tools !== undefined && rows === 0 && (
        <p class="secondary">{tools.length === 0 ? t('No server that runs has tools.') : t('No tool matches.')}</p>
      )}
      <Servers servers={servers} />
      {rows > maxRows && <p class="secondary">{t('{0} more. Search to see them.', rows - maxRows)}</p>}
    </div>
  );
}

function Servers({ servers }: { readonly servers: readonly PickableServer[] }): JSX.Element {
  let left = maxRows;
  return (
    <>
      {servers.map((server) => {
        const shown = server.tools.slice(0, Math.max(0, left));
        left -= shown.length;
        return shown.length === 0 ? null : <Server key={server.serverId} server={server} shown={shown} />;
      })}
    </>
  );
}

function Server({ server, shown }: { readonly server: PickableServer; readonly shown: readonly PickableTool[] }): JSX.Element {
  const { chooseTool } = useContext(BudgetActionsContext);
  const name = revealInvisible(server.server);
  const isIn = server.included > 0;
  return (
    <fieldset class="tool-server">
      <legend class="screen-reader-only">{name}</legend>
      <label class="tool-row is-server">
        <input
          type="checkbox"
          checked={isIn}
          indeterminate={isIn && server.included < server.total}
          aria-label={t('All tools of {0}', name)}
          onChange={() => chooseTool({ serverId: server.serverId, to: isIn ? 'leftOut' : 'byItself' })}
        />
        <span class="tool-name">{name}</span>
        <span class="secondary tool-meta">{t('{0} of {1} · {2} tokens', server.included, server.total, formatTokens(server.tokens))}</span>
      </label>
      {shown.map((tool) => (
        <Tool key={tool.tool} tool={tool} />
      ))}
    </fieldset>
  );
}

function Tool({ tool }: { readonly tool: PickableTool }): JSX.Element {
  const { chooseTool } = useContext(BudgetActionsContext);
  const name = revealInvisible(tool.tool);
  const { serverId, choice } = tool;
  const isPinned = choice === 'pinned';
  return (
    <div class="tool-row">
      <label class="tool-label" title={revealInvisible(tool.description)}>
        <input
          type="checkbox"
          checked={choice !== 'leftOut'}
          aria-label={name}
          onChange={() => chooseTool({ serverId, tool: tool.tool, to: choice === 'leftOut' ? 'byItself' : 'leftOut' })}
        />
        <span class="tool-name">{name}</span>
        <span class="secondary tool-meta">
          {choice !== 'leftOut' && !tool.isOffered ? t('by search · {0}', formatTokens(tool.tokens)) : formatTokens(tool.tokens)}
        </span>
      </label>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Pin {0}', name)}
        aria-pressed={isPinned}
        title={isPinned ? t('Pinned: offered with every request') : t('Pin: offer it with every request')}
        onClick={() => chooseTool({ serverId, tool: tool.tool, to: isPinned ? 'byItself' : 'pinned' })}
      >
        <Icon name={isPinned ? 'pinned' : 'pin'} />
      </button>
    </div>
  );
}

function summaryOf({ offered, total, leftOut, tokens, savedTokens }: ToolOffer): string {
  const base = t('{0} of {1} offered · {2} tokens', offered, total, formatTokens(tokens));
  const saved = savedTokens === 0 ? [] : [t('{0} by search · {1} saved', total - leftOut - offered, formatTokens(savedTokens))];
  return [base, ...saved].join('\n');
}
