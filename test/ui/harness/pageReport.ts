import type { BrowserContext, Frame } from 'playwright-core';

const maxLines = 300;
const maxText = 1_000;
const frameMilliseconds = 2_000;

/** What the pages of a context say on their consoles and fail to load; the last of it. */
export class PageReport {
  readonly #context: BrowserContext;
  readonly #lines: string[] = [];

  constructor(context: BrowserContext) {
    this.#context = context;
    context.on('console', (message) => this.#note(`${message.type()}: ${message.text()}`));
    context.on('requestfailed', (request) => this.#note(`not loaded: ${request.url()} ${request.failure()?.errorText ?? ''}`));
    context.on('weberror', (error) => this.#note(`error: ${error.error().message}`));
  }

  /** And what each frame holds now: a page that stays white says nothing by itself. */
  async text(): Promise<string> {
    const frames = this.#context.pages().flatMap((page) => page.frames());
    return [...this.#lines, '', ...(await Promise.all(frames.map(described)))].join('\n');
  }

  #note(line: string): void {
    this.#lines.push(`${new Date().toISOString()} ${line.slice(0, maxText)}`);
    this.#lines.splice(0, this.#lines.length - maxLines);
  }
}

async function described(frame: Frame): Promise<string> {
  const look = frame.evaluate(() => {
    const sources = [...document.querySelectorAll('script')].map(({ src }) => src).filter((src) => src !== '');
    return [document.title, document.readyState, document.hasFocus(), sources, document.body.innerText];
  });
  const tooLong = new Promise<string>((resolve) => {
    setTimeout(() => resolve('does not answer'), frameMilliseconds).unref();
  });
  const found = await Promise.race([look, tooLong]).catch(String);
  return `${frame.url()}\n  ${JSON.stringify(found).slice(0, maxText)}`;
}
