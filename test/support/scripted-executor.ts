export { report, ScriptedExecutor } from '../../src/testing/index.js';
