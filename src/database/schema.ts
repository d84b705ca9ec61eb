import { DIRECTORY_ENTITIES } from '../directory/index.js';
import { TASK_ENTITIES } from '../tasks/index.js';
import { Tasks1764500000001 } from './migrations/1764500000001-tasks.js';
import { Directory1764500000002 } from './migrations/1764500000002-directory.js';
import { Answers1764500000003 } from './migrations/1764500000003-answers.js';
import { DirectorySources1764500000004 } from './migrations/1764500000004-directory-sources.js';
import { Ends1764500000005 } from './migrations/1764500000005-ends.js';
import { FewerIndexPages1764500000006 } from './migrations/1764500000006-fewer-index-pages.js';

/** Every entity, by name: a glob would find nothing in a bundle and more than wanted in a test. */
export const ENTITIES = [...TASK_ENTITIES, ...DIRECTORY_ENTITIES];

/** Every migration, oldest first. Forward only (requirement K1). */
export const MIGRATIONS = [
  Tasks1764500000001,
  Directory1764500000002,
  Answers1764500000003,
  DirectorySources1764500000004,
  Ends1764500000005,
  FewerIndexPages1764500000006,
];
