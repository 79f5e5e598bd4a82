import { readFileSync } from 'node:fs';
import { ScriptedAgent } from './scriptedAgent';
import type { Scenario } from './steps';

const flag = process.argv.indexOf('--scenario');
const file = flag === -1 ? process.env.SCRIPTED_AGENT_SCENARIO : process.argv[flag + 1];
// Scenario files are written by tests, through `Scenario`, and trusted.
const scenario = file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Scenario);

void new ScriptedAgent(scenario, process.env.SCRIPTED_AGENT_LOG).start();
