import { LineCounter, parseDocument } from 'yaml';
import { isPublishedByDefault, type AgentSkill, type Visibility } from '../agent-directory.js';
import { DirectoryFileError } from './directory-file.errors.js';
import { directoryFile, type AgentEntry, type DirectoryFile } from './directory-file.schema.js';
import { formProblems, hashOf, relationProblems } from './file-problems.js';
import { readPlainJson } from './plain-json.js';

/** What one file says, in the terms of the database: no secrets, only their hashes. */
export interface DirectoryContent {
  accounts: { id: string; username: string }[];
  computers: { id: string; accountId: string; relayTokenHash: string }[];
  agents: AgentContent[];
  apiKeys: { keyHash: string; accountId: string }[];
}

export interface AgentContent {
  id: string;
  accountId: string;
  computerId: string;
  handle: string;
  visibility: Visibility;
  linkKeyHash: string | null;
  published: boolean;
  name: string | null;
  description: string | null;
  version: string | null;
  skills: AgentSkill[];
}

/**
 * Reads a directory file. JSON is YAML as well.
 * @throws DirectoryFileError with every fault and its place
 */
export function parseDirectoryFile(source: string): DirectoryContent {
  const parsed = directoryFile.safeParse(readPlainJson(source) ?? readYaml(source), { reportInput: true });
  if (!parsed.success) throw new DirectoryFileError(formProblems(parsed.error));
  const problems = relationProblems(parsed.data);
  if (problems.length > 0) throw new DirectoryFileError(problems);
  return contentOf(parsed.data);
}

/** The parser's own messages quote the file, which holds secrets; hence only their place and kind. */
function readYaml(source: string): unknown {
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(source, { lineCounter, prettyErrors: false, stringKeys: true });
    // The first one alone: what the parser finds behind a fault mostly follows from it.
    const [fault] = document.errors;
    if (fault) {
      const { line, col } = lineCounter.linePos(fault.pos[0]);
      throw new DirectoryFileError([`line ${line}, column ${col}: is not valid YAML (${fault.code})`]);
    }
    // Anchors are expanded at most a hundred times in all: a small file must not become a huge directory.
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    if (error instanceof DirectoryFileError) throw error;
    throw new DirectoryFileError(['the file: is nested too deeply or uses too many YAML aliases']);
  }
}

function contentOf(file: DirectoryFile): DirectoryContent {
  return {
    accounts: file.accounts,
    computers: (file.computers ?? []).map((entry) => ({
      id: entry.id,
      accountId: entry.account,
      relayTokenHash: required(hashOf(entry.relayToken, entry.relayTokenHash)),
    })),
    agents: (file.agents ?? []).map(agentOf),
    apiKeys: (file.apiKeys ?? []).map((entry) => ({
      keyHash: required(hashOf(entry.key, entry.keyHash)),
      accountId: entry.account,
    })),
  };
}

function agentOf(entry: AgentEntry): AgentContent {
  const visibility = entry.visibility ?? 'private';
  return {
    id: entry.id,
    accountId: entry.account,
    computerId: entry.computer,
    handle: entry.handle,
    visibility,
    linkKeyHash: hashOf(entry.linkKey, entry.linkKeyHash) ?? null,
    published: entry.published ?? isPublishedByDefault(visibility),
    name: entry.name ?? null,
    description: entry.description ?? null,
    version: entry.version ?? null,
    skills: (entry.skills ?? []).map(skillOf),
  };
}

/** Cards must have a description and a tag for every skill; what the file leaves out is taken from its name and id. */
export function skillOf(skill: NonNullable<AgentEntry['skills']>[number]): AgentSkill {
  return {
    id: skill.id,
    name: skill.name,
    description: skill.description ?? skill.name,
    tags: skill.tags && skill.tags.length > 0 ? skill.tags : [skill.id],
    ...(skill.examples && skill.examples.length > 0 ? { examples: skill.examples } : {}),
  };
}

function required(hash: string | undefined): string {
  if (hash === undefined) throw new Error('A secret passed the checks without being there');
  return hash;
}
