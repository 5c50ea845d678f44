// @module-tag nightly
/**
 * The CI templates of `examples/ci`: their shell steps against a right and a wrong service. `test/nightly` holds them against the
 * schemas of their services.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { testedPackage } from './support/tested-command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = join(root, 'examples/ci')
const textOf = (file: string): string => readFileSync(join(examples, file), 'utf8')

interface ActionStep {
  readonly id?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] }
}
const action = parse(textOf('github-action/action.yml')) as Action

interface GitlabJob {
  readonly script?: readonly string[]
  readonly extends?: string
  readonly parallel?: number
  readonly artifacts?: { readonly reports?: { readonly junit?: string } }
}
const gitlab = parse(textOf('gitlab/sparring.gitlab-ci.yml')) as Readonly<Record<string, GitlabJob>>

const folder = mkdtempSync(join(tmpdir(), 'sparring-ci-'))
/** The built package, as npm would install it in a project. */
beforeAll(() => {
  const built = testedPackage()
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(built, join(folder, 'node_modules/sparring'))
  symlinkSync('../sparring/bin/sparring.js', join(folder, 'node_modules/.bin/sparring'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  writeFileSync(
    join(folder, 'order.yaml'),
    'name: A takeout\nabout: A takeout is confirmed.\norders: { o1: { type: TAKEOUT } }\nsteps:\n  - create: o1\n  - await: { call: confirmOrder, order: o1 }\n',
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  SPARRING_PORT: '0',
}
const serviceWith = (...flags: readonly string[]): string =>
  ['node node_modules/sparring/bin/sparring.js demo --service --speed 20', ...flags].join(' ')

/** Runs a step of the action as a runner does: inputs in its environment, its outputs in a file. */
function runStep(id: string, inputs: Readonly<Record<string, string>>) {
  const step = action.runs.steps.find((each) => each.id === id)
  const env = Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, value]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? []
      return [name, inputs[input] ?? action.inputs[input]?.default ?? `no input ${input}`]
    }),
  )
  const script = join(folder, 'step.sh')
  const output = join(folder, 'output')
  writeFileSync(script, step?.run ?? 'exit 99')
  writeFileSync(output, '')
  const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', script]
  const { status, stdout, stderr } = spawnSync('bash', args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 50_000,
    env: { ...environment, ...env, GITHUB_OUTPUT: output },
  })
  return { status, stdout, stderr, output: readFileSync(output, 'utf8') }
}

test('the action is a composite one, whose steps take inputs that it has', () => {
  expect(action.runs.using).toBe('composite')
  const used = textOf('github-action/action.yml').matchAll(/inputs\.([\w-]+)/g)
  const names = new Set([...used].map(([, name = '']) => name))
  expect([...names].toSorted()).toEqual(Object.keys(action.inputs).toSorted())
  for (const step of action.runs.steps) expect(step.run ?? '').not.toContain('${{')
})

test('the action finds the package of the project, and passes where the service is right', () => {
  expect(runStep('find', {}).status).toBe(0)
  const passed = runStep('sparring', { arguments: 'order.yaml --speed 20', start: serviceWith() })
  expect(passed).toMatchObject({ status: 0, output: 'exit-code=0\n' })
  expect(readFileSync(join(folder, 'sparring-reports/junit.xml'), 'utf8')).toContain('<testsuite')
  const report: unknown = JSON.parse(
    readFileSync(join(folder, 'sparring-reports/report.json'), 'utf8'),
  )
  expect(report).toMatchObject({ ok: true })
})

test('it fails and annotates where a rule is broken, and writes the findings', () => {
  const failed = runStep('sparring', {
    arguments: 'order.yaml --speed 20',
    start: serviceWith('--defect', 'confirms-unread'),
  })
  expect(failed.output).toBe('exit-code=1\n')
  expect(failed.stdout).toContain('::error')
  const sarif = readFileSync(join(folder, 'sparring-reports/sparring.sarif'), 'utf8')
  expect(JSON.parse(sarif)).toMatchObject({ version: '2.1.0' })
  expect(sarif).toContain('SE-7')
})

test('an unknown command is refused with a sentence', () => {
  const { status, stdout } = runStep('sparring', { command: 'dance' })
  expect(status).toBe(2)
  expect(stdout).toContain('command is run, explore or certify, not dance')
})

test('its scenarios are reported by JUnit', () => {
  expect(gitlab['sparring-scenarios']?.artifacts?.reports?.junit).toBe('sparring-reports/junit.xml')
})

test('its scripts run: a campaign in two parts, merged to one report', async () => {
  // As the template has it, but for a campaign of a few seconds.
  const scriptOf = (job: string): string =>
    (gitlab[job]?.script ?? ['exit 99'])
      .join('\n')
      .replace('--max-time 20m', '--max-runs 2 --speed 40 --workload order.yaml')
  const run = async (job: string, env: Readonly<Record<string, string>>): Promise<unknown> =>
    promisify(execFile)('sh', ['-ec', scriptOf(job)], {
      cwd: folder,
      timeout: 55_000,
      env: {
        ...environment,
        SPARRING_START: serviceWith(),
        SPARRING_AS: 'software-service',
        ...env,
      },
    })
  await Promise.all(
    ['1', '2'].map((CI_NODE_INDEX) =>
      run('sparring-campaign', { CI_NODE_INDEX, CI_NODE_TOTAL: '2', CI_PIPELINE_ID: '7' }),
    ),
  )
  await run('sparring-report', {})
  expect(readFileSync(join(folder, 'sparring-reports/junit.xml'), 'utf8')).toContain('<testsuite')
})
