/** The container image: what can be checked without an engine, and the smoke test where buildah and root are. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { verbs } from '../src/sparring/verbs/catalogue.ts'

const folder = fileURLToPath(new URL('../examples/container/', import.meta.url))
const containerfile = readFileSync(`${folder}Containerfile`, 'utf8').replaceAll('\\\n', ' ')

/** The instructions of the last stage, as pairs of name and rest. */
const lastStage = containerfile
  .slice(containerfile.lastIndexOf('\nFROM '))
  .split('\n')
  .flatMap((line) => {
    const [, name, rest] = /^\s*(?:HEALTHCHECK .*?)?([A-Z]+) (.*)$/.exec(line) ?? []
    return name === undefined || rest === undefined ? [] : [[name, rest] as const]
  })
const instruction = (name: string): string =>
  lastStage.find(([each]) => each === name)?.[1] ?? `no ${name}`

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>
  readonly command?: readonly string[]
}
const compose = parse(readFileSync(`${folder}compose.yaml`, 'utf8')) as {
  readonly services: Readonly<Record<string, ComposeService>>
}

test('the image runs as nobody in particular, without a shell, and writes to its volume only', () => {
  expect(instruction('USER')).toBe('10001:10001')
  expect(instruction('VOLUME')).toBe('/data')
  expect(JSON.parse(instruction('ENTRYPOINT'))).toEqual([
    'node',
    '/opt/sparring/node_modules/sparring/bin/sparring.js',
  ])
  const environment = instruction('ENV')
  for (const [, value = ''] of environment.matchAll(/(?:HOME|CACHE)=(\S+)/g))
    expect(value).toMatch(/^\/(data|tmp)/)
  expect(environment).toContain('SPARRING_HOST=0.0.0.0')
})

test('the health check is the one of the control API, and fails where nothing answers', () => {
  const [, check = ''] = /CMD (\["node", "-e".*\])/.exec(containerfile) ?? []
  const [, ...args] = JSON.parse(check) as readonly string[]
  const { status } = spawnSync(process.execPath, args, {
    env: { ...process.env, SPARRING_PORT: '9' },
  })
  expect(check).toContain('/health')
  expect(status).toBe(1)
})

test('what the compose file sets are flags of the verbs that it starts', () => {
  for (const { environment = {}, command = ['up'] } of Object.values(compose.services)) {
    const [name] = command
    const verb = verbs.find((each) => each.name === name)
    const flags = new Set(verb?.flags.map((flag) => flag.name.replace(/=.*/, '')))
    const set = Object.keys(environment).map((each) =>
      each.replace('SPARRING_', '').toLowerCase().replaceAll('_', '-'),
    )
    const given = command.slice(1).map((each) => each.replace(/^--/, '').replace(/=.*/, ''))
    expect([...set, ...given].filter((each) => !flags.has(each))).toEqual([])
  }
})

const canBuild =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  process.env['SPARRING_SOAK'] === '1' &&
  spawnSync('buildah', ['--version']).status === 0

// Without buildah there is no engine that could build it; it takes a minute, and asks a registry of packages.
test.skipIf(!canBuild)(
  'the image starts in time, is healthy, and stops with its recording whole',
  () => {
    expect(existsSync(`${folder}smoke.sh`)).toBe(true)
    const output = execFileSync(`${folder}smoke.sh`, { encoding: 'utf8', timeout: 240_000 })
    expect(output).toContain('smoke: passed')
  },
  250_000,
)
