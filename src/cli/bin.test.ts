import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../../bin/sparring.js', import.meta.url))
const packageFile = new URL('../../package.json', import.meta.url)

function run(args: readonly string[], nodeArguments: readonly string[] = []) {
  return spawnSync(process.execPath, [...nodeArguments, bin, ...args], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
}

test('it runs wherever one stands', () => {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
})

test.each(['18.20.4', '20.20.2', '22.14.0'])(
  'on Node %s it says in one line what it needs',
  (node) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`
    const { status, stdout, stderr } = run(['up'], ['--import', `data:text/javascript,${pretend}`])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`needs Node 22.15 or later, and this is Node ${node}`)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  },
)

test('what it needs is what the package says it needs', () => {
  const { engines } = JSON.parse(readFileSync(packageFile, 'utf8')) as { engines: { node: string } }
  expect(engines.node).toBe('>=22.15')
})
