/** Focus is never lost: to the next open card (the card, not a button of it, so that Enter does nothing), else to `fallback`. */
export function focusAfterAnswer(answered: HTMLElement, fallback: HTMLElement | null): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-question]')];
  const isOpen = (card: HTMLElement): boolean => card !== answered && card.dataset['answered'] === undefined;
  const index = cards.indexOf(answered);
  const next = cards.slice(index).find(isOpen) ?? cards.slice(0, index).findLast(isOpen);
  if (next === undefined) {
    fallback?.focus();
  } else {
    // Its beginning is what must be read first.
    next.focus({ preventScroll: true });
    (next.closest('.call') ?? next).scrollIntoView({ block: 'start' });
  }
}
