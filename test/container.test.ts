/** The container image: what can be checked without an engine. `test/nightly` builds it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
