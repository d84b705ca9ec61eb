/**
 * Looks for known vulnerabilities in the packages that the service runs with. Ends with 1 when there is one of high
 * or critical severity, and with 0, saying so, when the registry cannot be asked: that is no finding.
 */
import { spawnSync } from 'node:child_process';

const SEVERE = ['high', 'critical'];
const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });

/** @returns npm's report, or nothing when it has none */
function readReport() {
  try {
    const report = JSON.parse(stdout);
    return report.vulnerabilities ? report : undefined;
  } catch {
    return undefined;
  }
}

const report = error ? undefined : readReport();
if (!report) {
  console.log('audit: not done, since the registry answers no such question');
} else {
  const severe = Object.values(report.vulnerabilities).filter(({ severity }) => SEVERE.includes(severity));
  for (const { name, severity, range } of severe) console.error(`audit: ${name} ${range} is ${severity}`);
  console.log(`audit: ${severe.length} of high or critical severity in production dependencies`);
  if (severe.length > 0) process.exitCode = 1;
}
