import { emptyToolChoice, toolChoice, type ToolChange, type ToolChoice, type ToolKey } from '../../contract/chat/toolChoice.ts';

/** What the person chose last: conversations that begin in this workspace begin with it. */
export interface ToolChoiceStore {
  read(): unknown;
  write(choice: ToolChoice): Promise<void>;
}

/** What cannot be read counts as nothing chosen: everything is offered, and everything still asks before it runs. */
export function readToolChoice(stored: unknown): ToolChoice {
  const read = toolChoice.safeParse(stored ?? {});
  return read.success ? read.data : emptyToolChoice;
}

/** A tool is pinned, or left out, or neither. What is said of a server holds for all its tools from then on. */
export function changeChoice(choice: ToolChoice, { serverId, tool, to }: ToolChange): ToolChoice {
  if (tool === undefined) {
    const others = choice.leftOutServers.filter((each) => each !== serverId);
    const isOther = (key: ToolKey): boolean => key.serverId !== serverId;
    return {
      pinned: to === 'leftOut' ? choice.pinned.filter(isOther) : choice.pinned,
      leftOut: choice.leftOut.filter(isOther),
      leftOutServers: to === 'leftOut' ? [...others, serverId] : others,
    };
  }
  const isOther = (key: ToolKey): boolean => key.serverId !== serverId || key.tool !== tool;
  const [pinned, leftOut] = [choice.pinned.filter(isOther), choice.leftOut.filter(isOther)];
  const key = { serverId, tool };
  return {
    ...choice,
    pinned: to === 'pinned' ? [...pinned, key] : pinned,
    leftOut: to === 'leftOut' ? [...leftOut, key] : leftOut,
  };
}
