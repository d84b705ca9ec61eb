import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { describeError, hashSecret, newSecret } from '../common/index.js';
import { CliError, ExitCode } from './cli-error.js';

/** The account that owns the demo's assistants and calls them. */
export const DEMO_ACCOUNT = 'demo-account';

export interface DemoFiles {
  jwtSecret: string;
  relayToken: string;
  linkKey: string;
  apiKey: string;
  storePath: string;
  directoryFile: string;
  daemonFile: string;
  daemonDir: string;
  logs: { api: string; daemon: string };
}

/**
 * Writes what the demo's API and daemon read. Secrets are made once and kept, so that tokens and addresses outlive a
 * restart; everything is private to the user.
 * @throws CliError when the folder cannot be written
 */
export function prepareDemoFiles(dir: string, upperScript: string): DemoFiles {
  try {
    const daemonDir = join(dir, 'daemon');
    mkdirSync(daemonDir, { recursive: true, mode: 0o700 });
    chmodSync(dir, 0o700);
    const files: DemoFiles = {
      jwtSecret: keptSecret(join(dir, 'jwt-secret'), ''),
      relayToken: keptSecret(join(dir, 'relay-token'), 'rt_'),
      linkKey: keptSecret(join(dir, 'link-key'), ''),
      apiKey: keptSecret(join(dir, 'api-key'), 'hi_'),
      storePath: join(dir, 'a2a.sqlite'),
      directoryFile: join(dir, 'directory.yaml'),
      daemonFile: join(dir, 'daemon.yaml'),
      daemonDir,
      logs: { api: join(dir, 'api.log'), daemon: join(dir, 'daemon.log') },
    };
    writePrivate(files.directoryFile, stringify(directoryOf(files)));
    writePrivate(files.daemonFile, stringify(daemonConfig(upperScript)));
    return files;
  } catch (error) {
    throw new CliError(`cannot write to ${dir} (${describeError(error)})`, ExitCode.unexpected);
  }
}

function keptSecret(file: string, prefix: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const secret = newSecret(prefix);
    writePrivate(file, secret + '\n');
    return secret;
  }
}

function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

function directoryOf({ relayToken, linkKey, apiKey }: DemoFiles): object {
  return {
    accounts: [{ id: DEMO_ACCOUNT, username: 'demo' }],
    computers: [{ id: 'demo-computer', account: DEMO_ACCOUNT, relayTokenHash: hashSecret(relayToken) }],
    agents: [
      agent('echo', { visibility: 'public', description: 'Answers with what it was told.' }),
      agent('upper', { visibility: 'public', description: 'Answers in capital letters.' }),
      agent('desk', { visibility: 'public', description: 'Drafts a letter, and asks before it sends it.' }),
      agent('link', {
        visibility: 'link',
        linkKeyHash: hashSecret(linkKey),
        description: 'For those with the link.',
      }),
      agent('private', { visibility: 'private', description: 'For its owner alone.' }),
    ],
    apiKeys: [{ account: DEMO_ACCOUNT, keyHash: hashSecret(apiKey) }],
  };
}

function agent(handle: string, rest: { visibility: string } & Record<string, string>): object {
  return {
    id: `demo-${handle}`,
    handle,
    account: DEMO_ACCOUNT,
    computer: 'demo-computer',
    ...rest,
  };
}

function daemonConfig(upperScript: string): object {
  return {
    concurrency: 4,
    queueLimit: 100,
    agents: {
      upper: { runtime: 'command', command: [process.execPath, upperScript], timeoutSeconds: 60 },
      desk: {
        runtime: 'workflow',
        steps: [
          { reply: 'Dear reader,\n{{previous}}\nYours, the desk' },
          { approval: 'Shall I send this?\n\n{{previous}}' },
          { reply: 'Sent:\n\n{{previous}}' },
        ],
      },
      '*': { runtime: 'echo' },
    },
  };
}
