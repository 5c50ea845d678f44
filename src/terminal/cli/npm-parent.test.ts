// @module-tag slow
/**
 * Signals that reach npm alone, with the npm of this machine: on Linux it passes them to a shell, which leaves the session
 * behind, and dies of others without passing them on.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test, vi } from 'vitest'
import { commandLine, emptyFolder, runSparring } from '../../../test/support/spawn-sparring.ts'
import { isPackageManager } from '../../core/runtime/npm-parent.ts'
import { isAlive } from '../../core/runtime/registry/process-identity.ts'

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')

/** A project whose script starts a session through npm, as the leader of a process group of its own. */
function project(script: (sparring: string) => string) {
  const cwd = emptyFolder()
  const line = commandLine('up', 'crm', '--port', '0', '--ready-file', 'ready.json')
  const start = script(quoted([line.file, ...line.args]))
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'p', scripts: { start } }))
  const npm = (...args: readonly string[]) => {
    const env = { ...process.env, ...line.env, HOME: cwd, npm_config_update_notifier: 'false' }
    const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (text += data.toString()))
    return { child, text: () => text }
  }
  const ready = join(cwd, 'ready.json')
  const pid = async (): Promise<number> => {
    await vi.waitUntil(() => existsSync(ready), { timeout: 15_000, interval: 20 })
    return (JSON.parse(readFileSync(ready, 'utf8')) as { pid: number }).pid
  }
  return { cwd, npm, pid, command: quoted([line.file, ...line.args]) }
}

const gone = (pid: number) =>
  vi
    .waitUntil(() => !isAlive(pid), { timeout: 5000, interval: 20 })
    .catch(() => {
      process.kill(pid, 'SIGKILL')
      throw new Error(`process ${pid} was left behind`)
    })

test.each<[NodeJS.Signals, 'exec' | 'start']>([
  ['SIGTERM', 'exec'],
  ['SIGHUP', 'start'],
  ['SIGKILL', 'exec'],
])(
  '%s to the npm of npm %s ends the session, and its ready file is removed',
  async (signal, verb) => {
    const { npm, pid, command, cwd } = project((sparring) => sparring)
    const { child, text } = verb === 'exec' ? npm('exec', '-c', command) : npm('start')
    const session = await pid()
    // All that npm started has its output; it is closed when the last of them has ended.
    const closed = once(child.stdout, 'close')
    child.kill(signal)
    await gone(session)
    await closed
    expect(existsSync(join(cwd, 'ready.json'))).toBe(false)
    // What cannot be passed on is told.
    if (signal === 'SIGKILL') expect(text()).toContain('npm, which started this, has ended')
  },
)

test('a session that npm’s script leaves behind on purpose, in the background, goes on', async () => {
  const { npm, pid } = project((sparring) => `${sparring} > log 2>&1 < /dev/null &`)
  const { child } = npm('start')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
  const session = await pid()
  const stopped = await runSparring(['stop', String(session)], {
    env: { XDG_STATE_HOME: process.env['XDG_STATE_HOME'] ?? '' },
  })
  expect(stopped).toMatchObject({ code: 0, stderr: '' })
  expect(stopped.stdout).toMatch(/^stopped session .*\n {2}0 orders/)
})

test.each<[string, boolean]>([
  ['npm exec sparring up', true],
  ['npm run dev', true],
  ['node /usr/lib/node_modules/npm/bin/npm-cli.js start', true],
  ['/opt/node/bin/node /opt/yarn/bin/yarn.js run dev', true],
  ['node /usr/bin/pnpm dev', true],
  ['node /home/me/npm/server.js', false],
  ['node npm-tools.js', false],
  ['bash', false],
  ['', false],
])('%j is a package manager: %s', (command, is) => {
  expect(isPackageManager(command.split(' '))).toBe(is)
})
