import type { Command } from 'commander';
import type { ApiKeyView } from '../directory/index.js';
import { directoryCommand, printEntry, printList, printSecret } from './directory-output.js';
import { changeDirectory, readDirectory, type DirectoryOptions } from './directory-store.js';
import type { Terminal } from './terminal.js';

/** `hello key …`: API keys (P2). A key is named by its id, which is the beginning of its hash. */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const group = program.command('key').description('API keys of the directory');
  directoryCommand(
    group,
    'add <account>',
    'make an API key for an account (id or @username) and print it, this once',
  )
    .option('--label <text>', 'what it is for')
    .action(async (account: string, options: DirectoryOptions & { label?: string }) => {
      const { label } = options;
      const { apiKey, key } = await changeDirectory(options, terminal, ({ apiKeys }) =>
        apiKeys.add({ account, label }),
      );
      const about = `API key ${apiKey.id} of account ${apiKey.account}. It is shown once.`;
      printSecret({ json: { ...apiKey, key }, secret: key, about }, options, terminal);
    });
  directoryCommand(group, 'list', 'print the API keys by their ids; the keys themselves are not kept')
    .option('--account <account>', 'only those of this account (id or @username)')
    .option('--all', 'with those that are revoked')
    .action(async (options: DirectoryOptions & { account?: string; all?: boolean }) => {
      const views = await readDirectory(options, terminal, (listing) => listing.apiKeys(options));
      printList(views, COLUMNS, options, terminal);
    });
  directoryCommand(group, 'revoke <id>', 'end an API key for good').action(
    async (id: string, options: DirectoryOptions) => {
      print(await changeDirectory(options, terminal, ({ apiKeys }) => apiKeys.revoke(id)), options, terminal);
    },
  );
}

const COLUMNS = {
  ID: (view: ApiKeyView) => view.id,
  ACCOUNT: (view: ApiKeyView) => view.account,
  LABEL: (view: ApiKeyView) => view.label,
  STATE: (view: ApiKeyView) => view.state,
  SOURCE: (view: ApiKeyView) => view.source,
  CREATED: (view: ApiKeyView) => view.createdAt,
  REVOKED: (view: ApiKeyView) => view.disabledAt,
};

function print(view: ApiKeyView, options: DirectoryOptions, terminal: Terminal): void {
  const lines = {
    id: view.id,
    account: view.account,
    label: view.label,
    state: view.state,
    source: view.source,
    created: view.createdAt,
    revoked: view.disabledAt,
  };
  printEntry({ json: view, lines }, options, terminal);
}
