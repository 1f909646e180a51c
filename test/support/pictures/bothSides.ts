import { sharedBrowser } from '../page/browser.ts';
import { keep } from './photographer.ts';

interface Colours {
  readonly ground: string;
  readonly card: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly accent: string;
}

const colours: Readonly<Record<'light' | 'dark', Colours>> = {
  light: { ground: '#ffffff', card: '#f8f8f8', line: '#d4d4d4', text: '#1f1f1f', quiet: '#5b5b5b', accent: '#005fb8' },
  dark: { ground: '#1f1f1f', card: '#2b2b2b', line: '#454545', text: '#e6e6e6', quiet: '#a6a6a6', accent: '#4daafc' },
};

/** The picture of what Duplex is: servers on one side, programs on the other, and a person's consent in the middle. */
export async function takeBothSides(): Promise<void> {
  const browser = await sharedBrowser();
  const page = await browser.newPage({ viewport: { width: 960, height: 330 } });
  for (const theme of ['light', 'dark'] as const) {
    await page.setContent(drawing(colours[theme]));
    await keep(`screenshots/both-sides-${theme}.png`, await page.screenshot());
  }
  await page.close();
}

function drawing({ ground, card, line, text, quiet, accent }: Colours): string {
  const box = (title: string, lines: readonly string[], more = ''): string =>
    `<section ${more}><h2>${title}</h2>${lines.map((each) => `<p>${each}</p>`).join('')}</section>`;
  const way = (there: string, back: string): string => `<div class="way"><p>${there}</p><i>⟶</i><i>⟵</i><p>${back}</p></div>`;
  return `<style>
    * { box-sizing: border-box; margin: 0; }
    body { height: 330px; padding: 24px; display: grid; grid-template-columns: 190px 1fr 250px 1fr 190px; align-items: stretch;
      background: ${ground}; color: ${text}; font: 14px/1.5 "Segoe UI", "DejaVu Sans", sans-serif; }
    section { padding: 16px; border: 1px solid ${line}; border-radius: 8px; background: ${card}; display: flex; flex-direction: column; gap: 6px; justify-content: center; }
    h2 { font-size: 16px; margin-bottom: 4px; }
    section p { color: ${quiet}; }
    .duplex { border: 2px solid ${accent}; }
    .duplex h2 { color: ${accent}; font-size: 20px; }
    .way { display: flex; flex-direction: column; justify-content: center; text-align: center; font-size: 12px; color: ${quiet}; }
    .way i { color: ${accent}; font: 26px/1 "DejaVu Sans", sans-serif; }
  </style>
  ${box('Programs outside', ['Claude Code', 'Cursor', 'MCP Inspector', 'your scripts'])}
  ${way('what may I see<br>and do?', 'what you see,<br>after you allowed it')}
  ${box('Duplex in VS Code', ['chat · Run Tool · apps', 'permission questions', 'edit review · debugger', 'traffic · audit log'], 'class="duplex"')}
  ${way('tool calls<br>that you allowed', 'results, apps,<br>questions')}
  ${box('Your MCP servers', ['programs', 'addresses', 'from registries', 'your own, in work'])}`;
}
