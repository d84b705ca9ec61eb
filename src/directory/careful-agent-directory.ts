import { HttpException } from '@nestjs/common';
import { HttpFailure, asError, describeError, isStorageFailure, stackOf } from '../common/index.js';
import { AgentDirectory, type Agent, type Computer } from './agent-directory.js';

type FoundComputer = Computer & { relayTokenHash: string };

/** @returns what is wrong with an answer */
type Fault = (answer: never) => string | undefined;

/**
 * A directory of others. What it throws is told with its class and method, and what it answers in another form than the port's
 * is an error as well, and not an assistant that fails somewhere later. `null` is as good as `undefined`.
 */
export class CarefulAgentDirectory extends AgentDirectory {
  constructor(private readonly directory: AgentDirectory) {
    super();
  }

  findByAddress(username: string, handle: string): Promise<Agent | undefined> {
    return this.asked('findByAddress', () => this.directory.findByAddress(username, handle), faultOfAgent);
  }

  findById(agentId: string): Promise<Agent | undefined> {
    return this.asked('findById', () => this.directory.findById(agentId), faultOfAgent);
  }

  findComputerByRelayToken(relayToken: string): Promise<Computer | undefined> {
    const ask = () => this.directory.findComputerByRelayToken(relayToken);
    return this.asked('findComputerByRelayToken', ask, faultOfComputer);
  }

  findComputer(computerId: string): Promise<FoundComputer | undefined> {
    return this.asked('findComputer', () => this.directory.findComputer(computerId), faultOfComputer);
  }

  async handlesOf(computerId: string): Promise<string[]> {
    const handles = await this.asked('handlesOf', () => this.directory.handlesOf(computerId), faultOfHandles);
    return handles ?? [];
  }

  async recordSeen(computerId: string, nowMs: number): Promise<void> {
    await this.asked(
      'recordSeen',
      () => this.directory.recordSeen(computerId, nowMs),
      () => undefined,
    );
  }

  /** Whoever asks for it checks the answer. */
  findAccountByApiKey(apiKey: string): Promise<string | undefined> {
    const ask = () => this.directory.findAccountByApiKey(apiKey);
    return this.asked('findAccountByApiKey', ask, () => undefined);
  }

  /** @throws Error naming class and method; failures that are a status on purpose as they are */
  private async asked<T>(method: string, ask: () => Promise<T>, fault: Fault): Promise<T | undefined> {
    const origin = `${this.directory.constructor.name}.${method}`;
    let found: string | undefined;
    try {
      const answer = await ask();
      if (answer === undefined || answer === null) return undefined;
      found = fault(answer as never);
      if (found === undefined) return answer;
    } catch (thrown) {
      const error = asError(thrown);
      if (error instanceof HttpFailure || error instanceof HttpException || isStorageFailure(error))
        throw error;
      const told = new Error(`${origin} failed: ${describeError(error)}`, { cause: error });
      const stack = stackOf(error);
      if (stack !== undefined) told.stack = stack;
      throw told;
    }
    throw new TypeError(`${origin} answered ${found}`);
  }
}

const TEXTS = ['id', 'accountId', 'username', 'handle', 'computerId'] as const;
const VISIBILITIES: readonly unknown[] = ['public', 'link', 'private'];

function faultOfAgent(agent: Agent): string | undefined {
  const text = TEXTS.find((name) => typeof agent[name] !== 'string' || agent[name] === '');
  if (text !== undefined) return `an assistant whose ${text} is no text`;
  if (!VISIBILITIES.includes(agent.visibility))
    return 'an assistant whose visibility is none of public, link, private';
  if (typeof agent.published !== 'boolean') return 'an assistant whose published is neither true nor false';
  if (!Array.isArray(agent.skills)) return 'an assistant whose skills are no list';
  const number = (['updatedAtMs', 'revision'] as const).find((name) => !Number.isFinite(agent[name]));
  return number && `an assistant whose ${number} is no number`;
}

function faultOfComputer({ id }: Computer): string | undefined {
  return typeof id === 'string' && id !== '' ? undefined : 'a computer whose id is no text';
}

function faultOfHandles(handles: unknown): string | undefined {
  const areTexts = Array.isArray(handles) && handles.every((handle) => typeof handle === 'string');
  return areTexts ? undefined : 'something else than a list of texts';
}
