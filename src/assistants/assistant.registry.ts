import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock, describeError } from '../common/index.js';
import {
  AgentDirectory,
  AgentInCodeError,
  AgentsInCode,
  DirectoryEvents,
  IN_PROCESS,
  STORED_DIRECTORY,
  type AgentInCode,
} from '../directory/index.js';
import type { AssistantRuntime } from './assistant-runtime.js';

export interface RegisteredAssistant {
  runtime: AssistantRuntime;
  timeoutMs: number;
  /** Class and method, for the log. */
  origin: string;
}

/** The assistants of this process and their entries in the directory. Filled once by the explorer. */
@Injectable()
export class AssistantRegistry implements OnModuleInit, OnModuleDestroy {
  readonly byHandle = new Map<string, RegisteredAssistant>();
  private readonly logger = new Logger('Assistants');
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly agents: AgentsInCode,
    @Inject(STORED_DIRECTORY) private readonly stored: AgentDirectory,
    private readonly directoryEvents: DirectoryEvents,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.unsubscribe = this.directoryEvents.onReloaded(() => void this.warn());
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  /** @throws AgentInCodeError for an entry of wrong form, and one whose handle or id is taken */
  add(origin: string, entry: AgentInCode, assistant: RegisteredAssistant): void {
    const given = { origin, computerId: IN_PROCESS, nowMs: this.clock.now() };
    const { handle } = this.agents.add(entry, given);
    this.byHandle.set(handle, assistant);
  }

  /** @throws AgentInCodeError when the directory has the address or the id of one, naming both */
  async requireFree(): Promise<void> {
    const collisions = await this.agents.collisionsWith(this.stored);
    if (collisions.length > 0) throw new AgentInCodeError(collisions.join('; '));
  }

  /** What comes into the directory later cannot stop the start any more. */
  private async warn(): Promise<void> {
    if (this.byHandle.size === 0) return;
    try {
      for (const line of await this.agents.collisionsWith(this.stored)) {
        this.logger.error(`${line}; the one of the directory cannot be reached`);
      }
    } catch (error) {
      this.logger.error(`The directory could not be compared with the assistants: ${describeError(error)}`);
    }
  }
}
