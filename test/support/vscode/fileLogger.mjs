/**
 * Stands in for `@vscode/spdlog` in the packaged VS Code, whose native part would need a compiler. Without it that
 * VS Code writes no log files at all, and a failed test could not show what the extension logged.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const levels = /** @type {const} */ (['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off']);

export const version = 0;

export class Logger {
  #file;
  #level = 2;
  #hasPattern = true;

  /** @param {string} _type @param {string} _name @param {string} file */
  constructor(_type, _name, file) {
    this.#file = file;
    mkdirSync(path.dirname(file), { recursive: true });
  }

  /** @param {string} message */
  trace(message) {
    this.#write(0, message);
  }

  /** @param {string} message */
  debug(message) {
    this.#write(1, message);
  }

  /** @param {string} message */
  info(message) {
    this.#write(2, message);
  }

  /** @param {string} message */
  warn(message) {
    this.#write(3, message);
  }

  /** @param {string} message */
  error(message) {
    this.#write(4, message);
  }

  /** @param {string} message */
  critical(message) {
    this.#write(5, message);
  }

  getLevel() {
    return this.#level;
  }

  /** @param {number} level */
  setLevel(level) {
    this.#level = level;
  }

  setPattern() {
    this.#hasPattern = true;
  }

  clearFormatters() {
    this.#hasPattern = false;
  }

  flush() {}

  drop() {}

  /** @param {number} level @param {string} message */
  #write(level, message) {
    if (level < this.#level) {
      return;
    }
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const line = this.#hasPattern ? `${time} [${levels[level]}] ${message}\n` : message;
    try {
      appendFileSync(this.#file, line);
    } catch {
      // The data folder is already gone: the window is closing.
    }
  }
}

export function setLevel() {}

export function setFlushOn() {}

/** @param {string} name @param {string} file */
export async function createRotatingLogger(name, file) {
  return new Logger('rotating', name, file);
}

export const createAsyncRotatingLogger = createRotatingLogger;
