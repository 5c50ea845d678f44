import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../../../bin/sparring.js', import.meta.url))
const packageFile = new URL('../../../package.json', import.meta.url)

function run(args: readonly string[], nodeArguments: readonly string[] = []) {
  return spawnSync(process.execPath, [...nodeArguments, bin, ...args], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
}

test('runs from any working directory', () => {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const { status, stdout, stderr } = run(['--version'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  // With the commit where it was built, without one from the sources.
  expect(stdout.replace(/ \([0-9a-f]{7,}(?:-dirty)?\)/, '')).toBe(`${version}\n`)
})

test.each(['18.20.4', '20.20.2', '22.14.0'])(
  'on the unsupported Node %s prints the required version in one line',
  (node) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`
    const { status, stdout, stderr } = run(['up'], ['--import', `data:text/javascript,${pretend}`])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`needs Node 22.15 or later, and this is Node ${node}`)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  },
)

test('the entry, which loads no file before it has looked, asks for engines.node of package.json', () => {
  const { engines } = JSON.parse(readFileSync(packageFile, 'utf8')) as { engines: { node: string } }
  const entry = readFileSync(new URL('../../../bin/sparring.js', import.meta.url), 'utf8')
  const [, major, minor] = /major < (\d+) .* minor < (\d+)\)/.exec(entry) ?? []
  expect(engines.node).toBe(`>=${major}.${minor}`)
  expect(entry).toContain(`it needs Node ${major}.${minor} or later`)
})
