import type { Page } from 'playwright-core';

/** The words below `selector` that are torn in two by the end of a line, and the texts that are cut though they are a name. */
export function brokenWords(page: Page, selector: string): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const broken = [];
    for (const root of document.querySelectorAll(${JSON.stringify(selector)})) {
      if (!root.checkVisibility()) continue;
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        if (!node.parentElement.checkVisibility() || node.parentElement.closest('.screen-reader-only, pre') !== null) continue;
        for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (tops.size > 1) broken.push(word);
        }
      }
    }
    return broken;
  })()`);
}
