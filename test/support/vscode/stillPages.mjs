/**
 * Lets everything that moves come to its end at once, in all pages of a context: a processor without a graphics card
 * paints the whole window sixty times a second for one progress bar. Whoever waits for the end of a movement is still told.
 *
 * @param {import('playwright-core').BrowserContext} context
 */
export async function keepStill(context) {
  await context.addInitScript(() => {
    const still = new CSSStyleSheet();
    still.replaceSync(
      '*, ::before, ::after { animation-delay: 0s !important; animation-duration: 1ms !important; animation-iteration-count: 1 !important; }',
    );
    document.adoptedStyleSheets.push(still);
  });
}
