import type { Agent, AgentSkill } from '../directory/index.js';
import { addressText } from './agent-urls.js';

/** What an assistant says of itself, complete: cards require each of these. */
export interface AgentProfile {
  name: string;
  description: string;
  version: string;
  skills: AgentSkill[];
}

const DEFAULT_VERSION = '1.0.0';
/** What an assistant can do that says nothing else; the 0.3 card always has it. */
export const DEFAULT_SKILL_ID = 'chat';
const DEFAULT_TAGS = ['chat'];

function textOr(text: string | null | undefined, fallback: string): string {
  return text?.trim() ? text : fallback;
}

/** @param name of the assistant */
export function defaultSkill(name: string): AgentSkill {
  return {
    id: DEFAULT_SKILL_ID,
    name: 'Chat',
    description: `Answers text messages as ${name}.`,
    tags: [...DEFAULT_TAGS],
  };
}

/** Only the members that a card knows, so that a stored extra cannot make the card unreadable. */
function completeSkill(skill: AgentSkill): AgentSkill {
  const complete: AgentSkill = {
    id: skill.id,
    name: textOr(skill.name, skill.id),
    description: textOr(skill.description, textOr(skill.name, skill.id)),
    tags: listOf(skill.tags).length > 0 ? skill.tags : [...DEFAULT_TAGS],
  };
  if (listOf(skill.examples).length > 0) complete.examples = listOf(skill.examples);
  return complete;
}

/** Stored rows may hold null where the type has a list. */
function listOf<T>(list: T[] | null | undefined): T[] {
  return list ?? [];
}

/** Fills in what the directory does not say (fields that the card requires, specification §4.4.1). */
export function profileOf(agent: Agent): AgentProfile {
  const name = textOr(agent.name, agent.handle);
  const skills = listOf(agent.skills).map(completeSkill);
  return {
    name,
    description: textOr(agent.description, `The assistant at ${addressText(agent)}.`),
    version: textOr(agent.version, DEFAULT_VERSION),
    skills: skills.length > 0 ? skills : [defaultSkill(name)],
  };
}
