import { readFileSync, statSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { parse } from 'yaml';
import type { AgentSettings, AgentView } from '../directory/index.js';
import { printAgent } from './agent-output.js';
import { CliError } from './cli-error.js';
import { directoryCommand, printList } from './directory-output.js';
import {
  changeDirectory,
  readDirectory,
  type DirectoryAdmin,
  type DirectoryOptions,
} from './directory-store.js';
import type { Terminal } from './terminal.js';

const MAX_SKILLS_BYTES = 1024 * 1024;

interface SettingOptions extends DirectoryOptions {
  computer?: string;
  visibility?: string;
  published?: 'yes' | 'no';
  name?: string;
  description?: string;
  agentVersion?: string;
  skills?: string;
}

/** `hello agent …`: assistants that can be called, named by `@username/handle` or id. */
export function addAgentCommands(program: Command, terminal: Terminal): void {
  const group = program.command('agent').description('assistants of the directory');
  addReading(group, terminal);
  withSettings(
    directoryCommand(group, 'add <address>', 'add an assistant at @username/handle; private by default'),
  )
    .requiredOption('--computer <id>', 'where it runs; a computer of the same account')
    .option('--id <id>', 'its id, which is its 0.3 address; made up by default')
    .action(async (address: string, options: SettingOptions & { computer: string; id?: string }) => {
      const agent = { ...settingsOf(options), address, computer: options.computer, id: options.id };
      const added = await changeDirectory(options, terminal, ({ agents }) => agents.add(agent));
      await printAgent(added, options, terminal);
    });
  withSettings(directoryCommand(group, 'set <agent>', 'change what is given; an empty text takes one away'))
    .option('--computer <id>', 'where it runs; a computer of the same account')
    .action(async (agent: string, options: SettingOptions) => {
      const settings = settingsOf(options);
      const changed = await changeDirectory(options, terminal, ({ agents }) => agents.set(agent, settings));
      await printAgent(changed, options, terminal);
    });
  addSwitches(group, terminal);
}

function addReading(group: Command, terminal: Terminal): void {
  directoryCommand(group, 'list', 'print the assistants')
    .option('--account <account>', 'only those of this account (id or @username)')
    .option('--all', 'with those that are disabled')
    .action(async (options: DirectoryOptions & { account?: string; all?: boolean }) => {
      const views = await readDirectory(options, terminal, (listing) => listing.agents(options));
      printList(views, COLUMNS, options, terminal);
    });
  directoryCommand(group, 'show <agent>', 'print one assistant with its addresses').action(
    async (reference: string, options: DirectoryOptions) => {
      const agent = await readDirectory(options, terminal, (listing) => listing.agent(reference));
      await printAgent({ agent }, options, terminal);
    },
  );
}

function addSwitches(group: Command, terminal: Terminal): void {
  const change = async (
    options: DirectoryOptions,
    apply: (agents: DirectoryAdmin['agents']) => Promise<AgentView>,
  ) => {
    const agent = await changeDirectory(options, terminal, ({ agents }) => apply(agents));
    await printAgent({ agent }, options, terminal);
  };
  directoryCommand(group, 'disable <agent>', 'make its addresses as good as absent').action(
    (agent: string, options: DirectoryOptions) => change(options, (agents) => agents.disable(agent)),
  );
  directoryCommand(group, 'enable <agent>', 'undo disable').action(
    (agent: string, options: DirectoryOptions) => change(options, (agents) => agents.enable(agent)),
  );
}

function withSettings(command: Command): Command {
  return command
    .option('--visibility <kind>', 'public, link (makes a key, shown once) or private')
    .addOption(
      new Option(
        '--published <answer>',
        'whether 0.3 clients may call it; by default when it is public',
      ).choices(['yes', 'no']),
    )
    .option('--name <text>', 'name on its card')
    .option('--description <text>', 'description on its card')
    .option('--agent-version <text>', 'version on its card')
    .option('--skills <file>', 'YAML or JSON list of skills, as in the directory file');
}

function settingsOf(options: SettingOptions): AgentSettings {
  const { computer, visibility, published, name, description, agentVersion: version, skills } = options;
  return {
    computer,
    visibility,
    published: published === undefined ? undefined : published === 'yes',
    name,
    description,
    version,
    skills: skills === undefined ? undefined : readSkills(skills),
  };
}

/** @throws CliError when the file is not there, too large or no YAML */
function readSkills(path: string): unknown {
  try {
    const { size } = statSync(path);
    if (size > MAX_SKILLS_BYTES) throw new Error(`is over ${MAX_SKILLS_BYTES} bytes`);
    return parse(readFileSync(path, 'utf8'), { maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw new CliError(`--skills: cannot read ${path}: ${(error as Error).message.split('\n')[0]}`);
  }
}

const COLUMNS = {
  ADDRESS: (view: AgentView) => view.address,
  ID: (view: AgentView) => view.id,
  COMPUTER: (view: AgentView) => view.computer,
  VISIBILITY: (view: AgentView) => view.visibility,
  PUBLISHED: (view: AgentView) => (view.published ? 'yes' : 'no'),
  STATE: (view: AgentView) => view.state,
  SOURCE: (view: AgentView) => view.source,
  UPDATED: (view: AgentView) => view.updatedAt,
};
