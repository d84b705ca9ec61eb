export { DocsModule } from './docs.module.js';
export { V03_EXAMPLES, V1_EXAMPLES, type MethodExample } from './method-examples.js';
