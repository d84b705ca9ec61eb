import { AnswerEntity } from './answer.entity.js';
import { MessageEntity } from './message.entity.js';
import { SigningKeyEntity } from './signing-key.entity.js';
import { TaskTotalEntity } from './task-total.entity.js';
import { TaskEntity } from './task.entity.js';

/** The tables of this module, for the data sources. */
export const TASK_ENTITIES = [TaskEntity, MessageEntity, AnswerEntity, TaskTotalEntity, SigningKeyEntity];
