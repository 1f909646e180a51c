import type { AppLook } from '../../../contract/chat/appMessages.ts';

/** Which colour of VS Code stands for which of the variables that apps know. The first that has a value counts. */
const colours: Readonly<Record<string, readonly string[]>> = {
  '--color-background-primary': ['--vscode-sideBar-background', '--vscode-editor-background'],
  '--color-background-secondary': ['--vscode-editorWidget-background', '--vscode-editor-background'],
  '--color-background-tertiary': ['--vscode-input-background', '--vscode-editorWidget-background'],
  '--color-background-inverse': ['--vscode-foreground'],
  '--color-background-info': ['--vscode-inputValidation-infoBackground', '--vscode-editorWidget-background'],
  '--color-background-danger': ['--vscode-inputValidation-errorBackground', '--vscode-editorWidget-background'],
  '--color-background-success': ['--vscode-editorWidget-background'],
  '--color-background-warning': ['--vscode-inputValidation-warningBackground', '--vscode-editorWidget-background'],
  '--color-background-disabled': ['--vscode-input-background'],
  '--color-text-primary': ['--vscode-foreground'],
  '--color-text-secondary': ['--vscode-descriptionForeground', '--vscode-foreground'],
  '--color-text-tertiary': ['--vscode-descriptionForeground', '--vscode-foreground'],
  '--color-text-inverse': ['--vscode-editor-background'],
  '--color-text-info': ['--vscode-textLink-foreground', '--vscode-foreground'],
  '--color-text-danger': ['--vscode-errorForeground', '--vscode-foreground'],
  '--color-text-success': ['--vscode-charts-green', '--vscode-foreground'],
  '--color-text-warning': ['--vscode-charts-yellow', '--vscode-foreground'],
  '--color-text-disabled': ['--vscode-disabledForeground', '--vscode-descriptionForeground'],
  '--color-border-primary': ['--vscode-contrastBorder', '--vscode-widget-border', '--vscode-foreground'],
  '--color-border-secondary': ['--vscode-contrastBorder', '--vscode-widget-border', '--vscode-foreground'],
  '--color-border-tertiary': ['--vscode-contrastBorder', '--vscode-widget-border', '--vscode-foreground'],
  '--color-border-danger': ['--vscode-inputValidation-errorBorder', '--vscode-errorForeground'],
  '--color-border-warning': ['--vscode-inputValidation-warningBorder', '--vscode-charts-yellow'],
  '--color-border-info': ['--vscode-inputValidation-infoBorder', '--vscode-textLink-foreground'],
  '--color-ring-primary': ['--vscode-focusBorder'],
  '--font-sans': ['--vscode-font-family'],
  '--font-mono': ['--vscode-editor-font-family'],
  '--font-text-md-size': ['--vscode-font-size'],
};

const sizes: Readonly<Record<string, string>> = {
  '--border-radius-xs': '2px',
  '--border-radius-sm': '4px',
  '--border-radius-md': '4px',
  '--border-radius-lg': '6px',
  '--border-radius-xl': '6px',
  '--border-width-regular': '1px',
  '--font-weight-normal': '400',
  '--font-weight-medium': '500',
  '--font-weight-semibold': '600',
  '--font-weight-bold': '700',
};

/** The most characters of a colour or font of the editor; a longer value is not told to the app. */
const maxValueLength = 300;

/** How the chat looks now, in the words of the standard for apps. */
export function readLook(width: number): AppLook {
  const { classList } = document.body;
  const isLight = classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
  const now = getComputedStyle(document.documentElement);
  const variables: Record<string, string> = { ...sizes };
  for (const [name, sources] of Object.entries(colours)) {
    const value = sources.map((source) => now.getPropertyValue(source).trim()).find((each) => each !== '');
    if (value !== undefined && value.length <= maxValueLength) {
      variables[name] = value;
    }
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    theme: isLight ? 'light' : 'dark',
    variables,
    width: Math.max(0, Math.round(width)),
    timeZone,
    touch: matchMedia('(any-pointer: coarse)').matches,
    hover: matchMedia('(any-hover: hover)').matches,
  };
}

/** Calls back when the look may have changed: once for each frame that is drawn. The result ends that. */
export function onLookChanged(place: HTMLElement, changed: () => void): () => void {
  let isScheduled = false;
  let width = place.clientWidth;
  const soon = (): void => {
    if (!isScheduled) {
      isScheduled = true;
      requestAnimationFrame(() => {
        isScheduled = false;
        changed();
      });
    }
  };
  const themes = new MutationObserver(soon);
  themes.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  const room = new ResizeObserver(() => {
    if (place.clientWidth !== width) {
      width = place.clientWidth;
      soon();
    }
  });
  room.observe(place);
  return () => {
    themes.disconnect();
    room.disconnect();
  };
}
