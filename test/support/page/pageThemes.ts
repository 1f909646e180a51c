import type { Page } from 'playwright-core';

/** A few of the colours of VS Code's own themes: without any, nothing has a border, and no focus is seen. */
export const darkColours: Readonly<Record<string, string>> = {
  // A wide one, where it is installed: what fits in it fits in every other.
  '--vscode-font-family': "'DejaVu Sans', sans-serif",
  '--vscode-font-size': '13px',
  '--vscode-editor-font-family': 'monospace',
  '--vscode-foreground': '#cccccc',
  '--vscode-descriptionForeground': '#9d9d9d',
  '--vscode-sideBar-background': '#181818',
  '--vscode-editorWidget-background': '#202020',
  '--vscode-widget-border': '#454545',
  '--vscode-focusBorder': '#0078d4',
  '--vscode-input-background': '#313131',
  '--vscode-input-foreground': '#cccccc',
  '--vscode-button-background': '#0078d4',
  '--vscode-button-foreground': '#ffffff',
  '--vscode-button-secondaryBackground': '#313131',
  '--vscode-button-secondaryForeground': '#cccccc',
  '--vscode-editorWarning-foreground': '#cca700',
  '--vscode-menu-background': '#1f1f1f',
  '--vscode-menu-foreground': '#cccccc',
  '--vscode-menu-border': '#454545',
  '--vscode-menu-selectionBackground': '#0078d4',
  '--vscode-menu-selectionForeground': '#ffffff',
};

const light: Readonly<Record<string, string>> = {
  ...darkColours,
  '--vscode-foreground': '#3b3b3b',
  '--vscode-descriptionForeground': '#5f5f5f',
  '--vscode-sideBar-background': '#f8f8f8',
  '--vscode-editorWidget-background': '#f8f8f8',
  '--vscode-widget-border': '#e5e5e5',
  '--vscode-focusBorder': '#005fb8',
  '--vscode-input-background': '#ffffff',
  '--vscode-input-foreground': '#3b3b3b',
  '--vscode-input-border': '#cecece',
  '--vscode-button-background': '#005fb8',
  '--vscode-button-secondaryBackground': '#e5e5e5',
  '--vscode-button-secondaryForeground': '#3b3b3b',
  '--vscode-editorWarning-foreground': '#bf8803',
  '--vscode-menu-background': '#ffffff',
  '--vscode-menu-foreground': '#3b3b3b',
  '--vscode-menu-border': '#cecece',
  '--vscode-menu-selectionBackground': '#005fb8',
};

const highContrast: Readonly<Record<string, string>> = {
  ...darkColours,
  '--vscode-foreground': '#ffffff',
  '--vscode-descriptionForeground': '#ffffffb3',
  '--vscode-sideBar-background': '#000000',
  '--vscode-editorWidget-background': '#0c141f',
  '--vscode-widget-border': '#6fc3df',
  '--vscode-contrastBorder': '#6fc3df',
  '--vscode-contrastActiveBorder': '#f38518',
  '--vscode-focusBorder': '#f38518',
  '--vscode-input-background': '#000000',
  '--vscode-input-foreground': '#ffffff',
  '--vscode-input-border': '#6fc3df',
  '--vscode-button-background': '#000000',
  '--vscode-button-border': '#6fc3df',
  '--vscode-button-secondaryBackground': '#000000',
  '--vscode-button-secondaryForeground': '#ffffff',
  '--vscode-menu-background': '#000000',
  '--vscode-menu-border': '#6fc3df',
  '--vscode-menu-foreground': '#ffffff',
  '--vscode-menu-selectionBackground': 'transparent',
  '--vscode-menu-selectionBorder': '#f38518',
};

const themes = {
  dark: { colours: darkColours, body: 'vscode-dark' },
  light: { colours: light, body: 'vscode-light' },
  'high-contrast': { colours: highContrast, body: 'vscode-high-contrast' },
} as const;
export type PageTheme = keyof typeof themes;
export const pageThemes = Object.keys(themes) as readonly PageTheme[];

/** Gives a bare page the colours that VS Code would give it. */
export async function wearTheme(page: Page, theme: PageTheme): Promise<void> {
  await page.evaluate(({ colours, body }) => {
    Object.entries(colours).forEach(([name, value]) => document.documentElement.style.setProperty(name, value));
    document.documentElement.style.backgroundColor = 'var(--vscode-sideBar-background)';
    document.body.className = body;
  }, themes[theme]);
}
