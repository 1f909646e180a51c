import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { bottomOfLid } from './reading.tsx';

export interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly isBlocked: boolean;
  readonly onChoose: (event: Event) => void;
}

interface MoreMenuProps {
  readonly items: readonly MenuItem[];
  /** The id of the element that says why an item does nothing yet. */
  readonly describedBy: string;
}

/**
 * The button "More" and its menu with the answers that reach further. It opens away from the other answers, never over them; its items
 * come and go with it, so each is armed only after the menu has been open for a moment.
 */
export function MoreMenu({ items, describedBy }: MoreMenuProps): JSX.Element {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** The item that gets the focus when the menu opens; undefined while it is closed. */
  const [start, setStart] = useState<'first' | 'last' | undefined>(undefined);
  const isOpen = start !== undefined;
  const close = (): void => {
    setStart(undefined);
    button.current?.focus();
  };
  useClosing(frame, isOpen, () => setStart(undefined));
  return (
    <div class="more-menu" ref={frame}>
      <button
        ref={button}
        type="button"
        class="button is-secondary"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setStart(isOpen ? undefined : 'first')}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            setStart(event.key === 'ArrowUp' ? 'last' : 'first');
          }
        }}
      >
        {t('More')}
        <Icon name="chevron-down" />
      </button>
      {isOpen && <Menu id={id} items={items} describedBy={describedBy} start={start} onClose={close} />}
    </div>
  );
}

interface MenuProps extends MoreMenuProps {
  readonly id: string;
  readonly start: 'first' | 'last';
  readonly onClose: () => void;
}

function Menu({ id, items, describedBy, start, onClose }: MenuProps): JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (menu.current !== null) {
      menu.current.classList.toggle('is-below', hasNoRoomAbove(menu.current));
      itemsOf(menu.current)
        .at(start === 'last' ? -1 : 0)
        ?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div ref={menu} id={id} class="menu" role="menu" aria-label={t('More')} onKeyDown={(event) => onMenuKey(event, onClose)}>
      {items.map(({ key, label, isBlocked, onChoose }) => (
        <button
          key={key}
          type="button"
          class="menu-item"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={isBlocked}
          aria-describedby={describedBy}
          onClick={onChoose}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Closes the menu when something else is pressed or gets the focus. */
function useClosing(frame: { readonly current: HTMLElement | null }, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const ending = new AbortController();
    const options = { capture: true, passive: true, signal: ending.signal };
    const closeOutside = ({ target }: Event): void => {
      if (!(target instanceof Node && frame.current?.contains(target) === true)) {
        close();
      }
    };
    document.addEventListener('pointerdown', closeOutside, options);
    document.addEventListener('focusin', closeOutside, options);
    return () => ending.abort();
  }, [isOpen]);
}

/** The arrow keys lead from item to item, Escape closes the menu and nothing else; Tab leaves it, which closes it too. */
function onMenuKey(event: TargetedKeyboardEvent<HTMLElement>, close: () => void): void {
  if (event.key === 'Tab') {
    return;
  }
  // A key in the menu is meant for the menu, and for no question around it.
  event.stopPropagation();
  const all = itemsOf(event.currentTarget);
  const at = all.findIndex((item) => item === document.activeElement);
  const to = nextItem(event.key, at, all.length);
  if (event.key === 'Escape') {
    event.preventDefault();
    close();
  } else if (to !== undefined) {
    event.preventDefault();
    all[to]?.focus({ preventScroll: true });
  } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
  }
}

/** Returns the item that a key leads to, from the last one on to the first; undefined for a key that leads nowhere. */
export function nextItem(key: string, at: number, count: number): number | undefined {
  return { ArrowDown: (at + 1) % count, ArrowUp: (at <= 0 ? count : at) - 1, Home: 0, End: count - 1 }[key];
}

function itemsOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

/** Whether the menu would begin above what can be seen of the page, or of what scrolls in it, or under the title of its card. */
function hasNoRoomAbove(menu: HTMLElement): boolean {
  const around = [menu.closest('[role="log"]')?.getBoundingClientRect().top, bottomOfLid(menu)];
  return menu.getBoundingClientRect().top < Math.max(0, ...around.map((edge) => edge ?? 0));
}
