import { Supervisor } from './supervisor.ts';

/** A stop takes under 3 s; after this time nothing is waited for. */
const lastResortMs = 3_500;
/** How often, in ms, it is checked whether the process that started this one is still its parent. */
const parentCheckMs = 10_000;

const supervisor = new Supervisor(process.stdin, process.stdout);
let isLeaving = false;

function leave(): void {
  if (!isLeaving) {
    isLeaving = true;
    setTimeout(leaveAtOnce, lastResortMs).unref();
    void supervisor.shutDown();
  }
}

function leaveAtOnce(): void {
  supervisor.killNow();
  process.exit(1);
}

process.on('SIGTERM', leave);
process.on('SIGINT', leave);
process.on('SIGHUP', leave);
process.stdin.once('close', leave);
process.once('uncaughtException', leaveAtOnce);
process.once('unhandledRejection', leaveAtOnce);

// The pipe closes when the window dies; this check is for a pipe that another process still holds open.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && leave(), parentCheckMs).unref();

void supervisor.finished.then(() => process.exit(0));
