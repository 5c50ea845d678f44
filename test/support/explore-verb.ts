/** Runs `sparring explore` and `sparring run` in this process, in a folder of their own. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../../src/sparring/verbs/support/program.ts'
import { exploreVerb } from '../../src/explore/cli/explore.ts'
import { runVerb } from '../../src/sparring/verbs/run.ts'
import { createTestIo } from './test-io.ts'

const program = { name: 'sparring', summary: '', version: '1', verbs: [exploreVerb, runVerb] }

/** Limits that fit the quick service of kept-demo.ts. */
const configuration = 'tolerances: { converge: 15s, grace: 5s }\n'

export function exploreFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sparring-explore-'))
  writeFileSync(join(path, 'sparring.config.yaml'), configuration)
  return path
}

export function startVerb(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
) {
  const test = createTestIo({ cwd, env: { PATH: process.env['PATH'], ...env } })
  return { ...test, ended: runProgram(program, argv, test.io) }
}

export async function runVerbIn(
  argv: readonly string[],
  cwd = exploreFolder(),
  env: Readonly<Record<string, string>> = {},
) {
  const { ended, written } = startVerb(argv, cwd, env)
  const code = await ended
  return { code, ...written(), cwd }
}
