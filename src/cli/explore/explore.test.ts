/**
 * `sparring explore` against the reference service over sockets: what it finds and keeps, that sparring run plays what is
 * kept, and how it ends.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startKeptDemo } from '../../../test/support/kept-demo.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { runProgram } from '../program.ts'
import { exploreVerb } from '../verbs/explore.ts'
import { runVerb } from '../verbs/run.ts'
import { readStoredCampaign } from './stored-campaign.ts'

const program = { name: 'sparring', summary: '', version: '1', verbs: [exploreVerb, runVerb] }
const speed = 40

/** Short limits: the reference service recovers within seconds of its clock. */
const configuration = 'tolerances: { converge: 30s }\n'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sparring-explore-'))
  writeFileSync(join(path, 'sparring.config.yaml'), configuration)
  return path
}

function start(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const test_ = createTestIo({ cwd, env: { PATH: process.env['PATH'], ...env } })
  return { ...test_, ended: runProgram(program, argv, test_.io) }
}

async function ran(argv: readonly string[], cwd = folder()) {
  const { ended, written } = start(argv, cwd)
  const code = await ended
  return { code, ...written(), cwd }
}

test('a defect is found, shrunk to one fault, kept and recorded; sparring run plays what is kept, and it fails', async () => {
  await using demo = await startKeptDemo({ defects: ['gives-up-after-four'], speed })
  const service = ['--as', 'software-service', '--subject', demo.url, '--port', String(demo.port)]
  const t = performance.now()
  const found = await ran([
    'explore',
    ...service,
    ...['--speed', String(speed), '--workload', 'takeout', '--seed', '7'],
    ...['--max-runs', '48', '--concurrency', '16', '--out', 'records.ndjson'],
  ])
  console.log(
    performance.now() - t,
    found.stdout,
    found.stderr,
    readFileSync(join(found.cwd, 'records.ndjson'), 'utf8').slice(0, 0),
  )
  const again = await ran(
    ['run', 'regressions/*.yaml', ...service, '--speed', String(speed)],
    found.cwd,
  )
  console.log(performance.now() - t, again.stdout, again.stderr)
}, 60_000)
