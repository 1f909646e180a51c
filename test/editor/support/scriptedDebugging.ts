import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { writeFile } from './actingCalls.ts';
import { DebuggingClient, writeScripts } from './debugging.ts';
import { activateDuplex, until, workspacePath } from './duplex.ts';

export const scripts = {
  counts: 'let a 1\nlet b 2\nsay hello\nlet b 3\nsay bye\n',
  atOnce: 'say quick\nexit 4\n',
  raises: 'let a 1\nraise Something broke\n',
  endless: 'let a 1\nforever\n',
  late: 'late\nlet a 1\nlet b 2\n',
  dies: 'say last words\ndie\n',
  holds: 'huge long\ncycle ring\nlet password hunter2hunter2\nsay done\n',
  parent: 'child counts.scripted\n',
};
const more = [
  { name: 'no threads', type: 'scripted', request: 'launch', program: '${workspaceFolder}/debug/counts.scripted', noThreads: true },
  { name: 'no log points', type: 'scripted', request: 'launch', program: '${workspaceFolder}/debug/counts.scripted', noLogPoints: true },
  { name: 'refused', type: 'scripted', request: 'launch', program: '${workspaceFolder}/debug/counts.scripted', refuse: 'Not today' },
  { name: 'stubborn', type: 'scripted', request: 'launch', program: '${workspaceFolder}/debug/endless.scripted', stubborn: true },
  { name: 'unknown type', type: 'nobody-knows', request: 'launch' },
  {
    name: 'after failing',
    type: 'scripted',
    request: 'launch',
    program: '${workspaceFolder}/debug/counts.scripted',
    preLaunchTask: 'fails',
  },
  {
    name: 'after working',
    type: 'scripted',
    request: 'launch',
    program: '${workspaceFolder}/debug/counts.scripted',
    preLaunchTask: 'works',
  },
  { name: 'open', type: 'scripted', request: 'launch', program: '${file}' },
];
/** A program of five lines. */
export const counts = 'debug/counts.scripted';

/** Programs that a scripted adapter runs, and an outside client that debugs them; each test begins without breakpoints and sessions of its own. */
export function useScriptedDebugging(): () => DebuggingClient {
  let agent: DebuggingClient;

  before(async () => {
    agent = await DebuggingClient.connect(await activateDuplex());
    await writeScripts(agent, scripts, more);
    const tasks = ['false', 'true'].map((command, index) => ({ label: ['fails', 'works'][index], type: 'process', command }));
    await writeFile('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', tasks }));
    await until('the tasks', async () => ((await vscode.tasks.fetchTasks()).some(({ name }) => name === 'works') ? true : undefined));
  });
  after(async () => {
    await agent.client.close();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(workspacePath('debug'), { recursive: true, force: true });
    await rm(workspacePath('.vscode', 'launch.json'), { force: true });
    await rm(workspacePath('.vscode', 'tasks.json'), { force: true });
  });
  afterEach(async () => {
    const { sessions, breakpoints } = await agent.listed();
    for (const path of new Set(breakpoints.filter(({ isYours }) => isYours).map((each) => each.path))) {
      await agent.call('set_breakpoints', { path, breakpoints: [] });
    }
    for (const { id, state, isYours } of sessions) {
      await (isYours && state !== 'ended' ? agent.stop('debug_step', { sessionId: id, action: 'stop' }) : undefined);
    }
  });
  return () => agent;
}
