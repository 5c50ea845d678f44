// @module-tag slow
/** The screen of a real campaign on a real pseudo-terminal: what only a terminal can show. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi, onTestFinished } from 'vitest'
import { bundleProgram } from '../../../bench/bundle-program.ts'
import { openPty, type Pty, untouchedModes } from '../../../test/support/terminal.ts'

/** Compiled once: from its sources each start would compile for seconds. */
const folder = mkdtempSync(join(tmpdir(), 'sparring-campaign-'))
let demo = ''
beforeAll(async () => {
  // Sessions read the version of the package, two folders above the code.
  copyFileSync(new URL('../../../package.json', import.meta.url), join(folder, 'package.json'))
  const built = join(folder, 'built', 'demo')
  demo = await bundleProgram('../test/support/dashboard/campaign-demo.ts', built)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(
  runs: number,
  [columns, rows]: readonly [columns: number, rows: number],
  env: Readonly<Record<string, string>> = {},
): Promise<Pty> {
  const args = [demo, '--runs', String(runs)]
  const ownEnv = { NODE_ENV: 'production', ...env }
  const pty = openPty({ file: process.execPath, args, columns, rows, env: ownEnv })
  onTestFinished(() => pty.close())
  await pty.until(/EXPLORE|DONE/)
  return pty
}

test('80x24: records by the hundred are at most ten frames in a second, without a colour by NO_COLOR; a bucket is found, its story opened, its reproducer played step by step, and the screen restored', async () => {
  const pty = await start(6, [80, 24], { NO_COLOR: '1' })
  const began = performance.now()
  expect(pty.modes()).toMatchObject({ alternateScreen: true, cursorVisible: false })
  await pty.until(/>[A-Z]+-\d+ +confirmed/)
  await pty.until('DONE')
  const seconds = (performance.now() - began) / 1000
  // Ink wraps each frame in a synchronised update.
  const frames = pty.written().split('\u{1b}[?2026h').length - 1
  expect(frames).toBeGreaterThan(3)
  expect(frames).toBeLessThan(10 * seconds + 15)
  await pty.until(/ 6 of 6 schedules {2}/)
  await pty.pressUntil('\r', /━ [A-Z]+-\d+ [0-9a-f]{8} confirmed ━/)
  await pty.pressUntil('p', /‖ HOLD/)
  await pty.until(/#\d+ +\S+ /)
  expect(pty.text()).not.toContain('6 of 6')
  await pty.pressUntil('Q', /━ [A-Z]+-\d+ [0-9a-f]{8} confirmed ━/)
  await pty.until(/ 6 of 6 schedules {2}/)
  await pty.pressUntil('\u{1b}', '━ Buckets')
  // Keys are read once: the dashboard of the session is gone.
  await pty.pressUntil('?', '━ Keys')
  pty.press('q')
  expect((await pty.exited).code).toBe(0)
  expect(pty.modes()).toEqual(untouchedModes)
  expect(pty.text()).toMatch(/closed: quit, done, \d buckets/)
  expect(pty.text()).not.toContain('Coverage')
  for (let code = 30; code < 40; code++) expect(pty.written()).not.toContain(`[${code}m`)
})

test('120x40: keys are answered while a campaign runs, q asks, and the campaign stops', async () => {
  const pty = await start(100_000, [120, 40])
  await pty.until(/ \d+ of 100000 schedules/)
  await pty.pressUntil('?', '━ Keys')
  await pty.pressUntil('?', '━ Buckets')
  pty.resize(80, 24)
  await pty.until(/ CR CO PR .* CR CO PR/)
  await pty.pressUntil('q', 'Stop the campaign?')
  await pty.pressUntilGone('n', 'Stop the campaign?')
  pty.press('qy')
  expect((await pty.exited).code).toBe(0)
  expect(pty.modes()).toEqual(untouchedModes)
  expect(pty.text()).toMatch(/closed: quit, interrupted, \d buckets/)
})

test('ctrl-z suspends to the shell, and fg comes back to the screen', async () => {
  const shell = openPty({
    file: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    columns: 80,
    rows: 24,
    env: { PS1: 'shell> ', NODE_ENV: 'production' },
  })
  onTestFinished(() => shell.close())
  await shell.until('shell>')
  await shell.pressUntil(`"${process.execPath}" "${demo}" --runs 1\r`, 'DONE')
  await shell.pressUntil('\u{1a}', 'Stopped')
  expect(shell.modes()).toEqual({ ...untouchedModes, bracketedPaste: shell.modes().bracketedPaste })
  await shell.pressUntil('fg\r', 'DONE')
  await vi.waitFor(() => expect(shell.modes()).toMatchObject({ alternateScreen: true }))
  await shell.pressUntil('q', 'closed: quit')
  shell.press('exit\r')
  await shell.exited
})
