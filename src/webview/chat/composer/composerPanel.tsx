import type { JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type {
  ContextBudget,
  Pickable,
  PickableTool,
  ShownInstructions,
  ToolOffer,
  WaitingServer,
} from '../../../contract/chat/contextBudget.ts';
import type { ChatState } from '../../../contract/chat/chatState.ts';
import { IconButton } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { PageActionsContext } from '../../shared/pageActions.tsx';
import { BudgetActionsContext } from '../chatIntents.ts';
import { formatTokens, shownSources, sourceLabel, wholeUse } from '../contextTexts.ts';
import { commandSuggestions } from './chatCommands.ts';
import { composerPanelId, type ComposerPanelName, type OpenPanel } from './lazyComposerPanel.tsx';

export interface ComposerPanelProps {
  readonly panel: OpenPanel;
  readonly state: ChatState | undefined;
  readonly tools: Pickable | undefined;
  readonly onServers: () => void;
}

/** The panel above the message: the tools, what fills the context, or the commands. Escape closes it. */
export function ComposerPanel({ panel: { name, close, toggle }, state, tools, onServers }: ComposerPanelProps): JSX.Element | null {
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    (panel.current?.querySelector<HTMLElement>('input') ?? panel.current)?.focus();
  }, [name]);
  const content = contentOf({ panel: { name, close, toggle }, state, tools, onServers });
  if (name === undefined || content === undefined) {
    return null;
  }
  const { label, title } = headingOf(name);
  return (
    <section
      ref={panel}
      id={composerPanelId}
      class="composer-panel"
      role="region"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
      }}
    >
      <header class="composer-panel-head">
        <h2>{title}</h2>
        <IconButton icon="close" label={t('Close')} title={t('Close (Escape)')} onClick={close} />
      </header>
      {content}
    </section>
  );
}

function headingOf(name: ComposerPanelName): { readonly label: string; readonly title: string } {
  switch (name) {
    case 'tools':
      return { label: t('Choose tools'), title: t('Tools') };
    case 'context':
      return { label: t('What fills the context'), title: t('Context') };
    case 'commands':
      return { label: t('Commands of the chat'), title: t('Commands') };
  }
}

function contentOf({ panel: { name }, state, tools, onServers }: ComposerPanelProps): JSX.Element | undefined {
  if (name === 'commands') {
    return <CommandHelp />;
  }
  if (name === undefined || state?.context === undefined) {
    return undefined;
  }
  return name === 'tools' ? (
    <ToolPicker
      pickable={tools}
      offer={state.context.tools}
      waiting={state.tools.filter((server) => server.state === 'needsPermission').length}
      onServers={onServers}
    />
  ) : (
    <ContextDetails budget={state.context} isRunning={state.isRunning} instructions={state.instructions ?? []} />
  );
}

/** What `/help` shows: every command of the chat itself, and what else can be typed. */
function CommandHelp(): JSX.Element {
  return (
    <div class="context-details">
      <ul class="context-sources command-list" aria-label={t('Commands')}>
        {commandSuggestions().map(({ name, detail }) => (
          <li key={name}>
            <span class="context-label">/{name}</span>
            <span class="secondary">{detail}</span>
          </li>
        ))}
      </ul>
      <p class="secondary">
        {t('After / there are also the prompts of your servers, after @ what can be attached, and after # their tools.')}
      </p>
    </div>
  );
}

export interface ToolPickerProps {
  /** What there is to choose from; undefined until the host has sent it. */
  readonly pickable: Pickable | undefined;
  readonly offer: ToolOffer;
  /** How many servers wait for permission. */
  readonly waiting: number;
  /** Shows the servers, where they are started. */
  readonly onServers: () => void;
}

/** The most tools shown at once; a search finds the others. */
const maxRows = 200;

/** Lets the person choose which tools the model is offered in this workspace. */
function ToolPicker({ pickable, offer, waiting, onServers }: ToolPickerProps): JSX.Element {
  const { listTools } = useContext(BudgetActionsContext);
  const [wanted, setWanted] = useState('');
  useEffect(listTools, [listTools, offer.total, offer.offered, waiting]);
  const tools = pickable?.tools;
  const servers = findPickable(tools ?? [], wanted);
  const asking = (pickable?.waiting ?? []).filter(({ server }) => server.toLowerCase().includes(wanted.trim().toLowerCase()));
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
      {tools !== undefined && rows === 0 && asking.length === 0 && (
        <p class="secondary">{tools.length === 0 ? t('No server that runs has tools.') : t('No tool matches.')}</p>
      )}
      {asking.map((server) => (
        <WaitingRow key={server.serverId} server={server} />
      ))}
      <Servers servers={servers} />
      {rows > maxRows && <p class="secondary">{t('{0} more. Search to see them.', rows - maxRows)}</p>}
    </div>
  );
}

/** A server that waits for permission. Chosen, it is asked about with the next message, which then has its tools. */
function WaitingRow({ server: { serverId, server, isNamed } }: { readonly server: WaitingServer }): JSX.Element {
  const { chooseTool } = useContext(BudgetActionsContext);
  const name = revealInvisible(server);
  return (
    <label class="tool-row is-server">
      <input
        type="checkbox"
        checked={isNamed}
        aria-label={t('Use {0} for the next message', name)}
        onChange={() => chooseTool({ serverId, to: isNamed ? 'byItself' : 'pinned' })}
      />
      <span class="tool-name">{name}</span>
      <span class="secondary tool-meta">{isNamed ? t('asks with the next message') : t('needs permission')}</span>
    </label>
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
      <IconButton
        icon={isPinned ? 'pinned' : 'pin'}
        label={t('Pin {0}', name)}
        aria-pressed={isPinned}
        title={isPinned ? t('Pinned: offered with every request') : t('Pin: offer it with every request')}
        onClick={() => chooseTool({ serverId, tool: tool.tool, to: isPinned ? 'byItself' : 'pinned' })}
      />
    </div>
  );
}

function summaryOf({ offered, total, leftOut, tokens, savedTokens }: ToolOffer): string {
  const base = t('{0} of {1} offered · {2} tokens', offered, total, formatTokens(tokens));
  const saved = savedTokens === 0 ? [] : [t('{0} by search · {1} saved', total - leftOut - offered, formatTokens(savedTokens))];
  return [base, ...saved].join('\n');
}

interface PickableServer {
  readonly serverId: string;
  readonly server: string;
  readonly tools: readonly PickableTool[];
  /** How many of the server's tools are not left out. */
  readonly included: number;
  readonly total: number;
  readonly tokens: number;
}

/** The tools that contain every word of the search, grouped by server. Counts are of all tools of a server. */
function findPickable(tools: readonly PickableTool[], wanted: string): readonly PickableServer[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const servers = new Map<string, PickableTool[]>();
  for (const tool of tools) {
    const of = servers.get(tool.serverId) ?? [];
    of.push(tool);
    servers.set(tool.serverId, of);
  }
  return [...servers].flatMap(([serverId, all]) => {
    const found = all.filter((tool) => words.every((word) => textOf(tool).includes(word)));
    const kept = all.filter(({ choice }) => choice !== 'leftOut');
    const tokens = kept.reduce((sum, each) => sum + each.tokens, 0);
    const server = all[0]?.server ?? '';
    return found.length === 0 ? [] : [{ serverId, server, tools: found, included: kept.length, total: all.length, tokens }];
  });
}

function textOf({ server, tool, description }: PickableTool): string {
  return `${server} ${tool} ${description}`.toLowerCase();
}

export interface ContextDetailsProps {
  readonly budget: ContextBudget;
  readonly isRunning: boolean;
  readonly instructions: NonNullable<ChatState['instructions']>;
}

/** Shows what fills the context, and the way to make room. */
function ContextDetails({ budget, isRunning, instructions }: ContextDetailsProps): JSX.Element {
  const { compact } = useContext(BudgetActionsContext);
  const whole = Math.max(1, budget.used);
  const sources = shownSources(budget);
  const mayCompact = budget.canCompact && !isRunning;
  return (
    <div class="context-details">
      <p class="context-sum">{wholeUse(budget)}</p>
      <div class="context-bar" aria-hidden="true">
        {sources.map((source) => (
          <span
            key={`${source.kind} ${source.server ?? ''}`}
            class={`context-piece is-${source.kind}`}
            style={{ width: `${Math.min(100, (source.tokens / whole) * 100)}%` }}
          />
        ))}
      </div>
      <ul class="context-sources" aria-label={t('What fills the context')}>
        {sources.map((source) => (
          <li key={`${source.kind} ${source.server ?? ''}`}>
            <span class={`context-swatch is-${source.kind}`} aria-hidden="true" />
            <span class="context-label">{revealInvisible(sourceLabel(source))}</span>
            <span class="secondary">{formatTokens(source.tokens)}</span>
          </li>
        ))}
      </ul>
      {instructions.some(({ kind }) => kind === 'personal') && <OwnInstructions />}
      {instructions.map((each) => each.kind === 'project' && <ProjectInstructions key={each.path} {...each} />)}
      <SavedTokens offer={budget.tools} />
      <div class="button-row">
        <button
          type="button"
          class="button is-secondary"
          aria-disabled={!mayCompact}
          title={t('A summary stands for what was said so far. The conversation stays here, and the summary can be taken back.')}
          onClick={() => mayCompact && compact()}
        >
          {t('Compact conversation')}
        </button>
      </div>
    </div>
  );
}

function SavedTokens({ offer: { offered, total, leftOut, savedTokens } }: { readonly offer: ToolOffer }): JSX.Element | null {
  return savedTokens === 0 ? null : (
    <p class="secondary">
      {t(
        '{0} of {1} tools are offered with each request; the model finds the others by search. That saves {2} tokens.',
        offered,
        total - leftOut,
        formatTokens(savedTokens),
      )}
    </p>
  );
}

function OwnInstructions(): JSX.Element {
  const { openInstructions } = useContext(BudgetActionsContext);
  return (
    <p class="secondary">
      {t('Your own instructions go with every request.')}{' '}
      <button type="button" class="button is-quiet" onClick={openInstructions}>
        {t('Open my instructions')}
      </button>
    </p>
  );
}

/** Names a file with the project's instructions, also when it is not sent because the person said no. */
function ProjectInstructions({ path, isSent, isAskedFirst }: Extract<ShownInstructions, { kind: 'project' }>): JSX.Element {
  const actions = useContext(PageActionsContext);
  const name = revealInvisible(path);
  return (
    <p class="secondary">
      {isSent
        ? t('Instructions: {0}', name)
        : isAskedFirst === true
          ? t('Instructions: {0} (you are asked before a model gets it)', name)
          : t('Instructions: {0} (not sent; you have not allowed it)', name)}{' '}
      <button type="button" class="button is-quiet" onClick={() => actions.openFile({ path })}>
        {t('Open {0}', name)}
      </button>
    </p>
  );
}
