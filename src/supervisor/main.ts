import { Supervisor } from './supervisor.ts';

/** A stop takes under 3 s; after this nothing is waited for. */
const lastResortMs = 3_500;
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

// The pipe tells of the window's death; this is for a pipe that somebody else still holds open.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && leave(), parentCheckMs).unref();

void supervisor.finished.then(() => process.exit(0));
