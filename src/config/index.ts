export { AppConfig } from './app-config.js';
export { ConfigError } from './config.errors.js';
export { configWarnings } from './config-warnings.js';
export { readEnvironment } from './environment.js';
export { configOf, type ModuleSettingName, type ModuleSettings } from './module-settings.js';
export { loadAppConfig, loadStoreConfig, type Environment, type StoreConfig } from './load-app-config.js';
