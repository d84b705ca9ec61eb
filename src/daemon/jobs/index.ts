export type { GuardParts } from './guarded-run.js';
export { Janitor } from './janitor.js';
export { jobMethods } from './job.methods.js';
export { JobRunner } from './job.runner.js';
export { UpdateSender, type UpdateLink } from './update.sender.js';
export { Workspaces } from './workspaces.js';
