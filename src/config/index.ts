export { AppConfig } from './app-config.js';
