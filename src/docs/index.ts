export { DocsModule } from './docs.module.js';
export { V1_EXAMPLES, type MethodExample } from './method-examples.js';
