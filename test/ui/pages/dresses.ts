import type { Locator } from 'playwright-core';

/** All that VS Code tells a page about the theme: variables of the document, classes and data of its body. */
interface Dress {
  readonly style: string;
  readonly className: string;
  readonly data: Readonly<Record<string, string | undefined>>;
}

/**
 * Shows pages of one window in its themes. The window takes each theme once, for the first page that is shown in it; what VS Code
 * tells that page, later ones are told without it.
 */
export class Dresses {
  readonly #ofThemes = new Map<string, Dress>();

  /** `change` lets the window take the theme, and waits until the page that the place is in has it. */
  async show(theme: string, place: Locator, change: () => Promise<void>): Promise<void> {
    const known = this.#ofThemes.get(theme);
    if (known === undefined) {
      await change();
      this.#ofThemes.set(theme, await place.evaluate(dressOf));
    } else {
      await place.evaluate(wear, known);
    }
  }
}

// Both run inside the page.

function dressOf({ ownerDocument: { documentElement, body } }: Element): Dress {
  return {
    style: documentElement.style.cssText,
    className: body.className,
    data: Object.fromEntries(Object.entries(body.dataset)),
  };
}

function wear({ ownerDocument: { documentElement, body } }: Element, { style, className, data }: Dress): void {
  documentElement.style.cssText = style;
  body.className = className;
  Object.assign(body.dataset, data);
}
