// @module-tag slow
/**
 * `sparring explore` on a pseudo-terminal, against the reference service over sockets: its screen, its keys, its
 * summary.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi, onTestFinished } from 'vitest'
import { exploreFolder } from '../../../test/support/explore-verb.ts'
import { type KeptDemo, startKeptDemo } from '../../../test/support/kept-demo.ts'
import { commandLine } from '../../../test/support/spawn-sparring.ts'
import { openPty, type Pty, untouchedModes } from '../../../test/support/terminal.ts'

function start(args: readonly string[], cwd = exploreFolder()): Pty {
  const { file, args: words, env } = commandLine('explore', ...args)
  const size = { columns: 100, rows: 30 }
  const pty = openPty({ file, args: words, ...size, cwd, env: { ...env, NODE_ENV: 'production' } })
  onTestFinished(() => pty.close())
  return pty
}

const fast = 60
/** On a busy machine a service that is right may not be heard of for a third of a second, which is little at this speed. */
const slow = 10

const flagsFor = ({ url, port }: Pick<KeptDemo, 'url' | 'port'>, maxRuns: number, speed = fast) =>
  `--as software-service --subject ${url} --port ${port} --speed ${speed} --workload takeout --seed 3 --max-runs ${maxRuns} --concurrency 16`.split(
    ' ',
  )

// Twenty seconds of two busy processes. Every run presses the same keys on the screen of a scripted campaign, and plays
// this campaign without a screen.
const withKeys = { tags: ['nightly'], timeout: 60_000 }
test(
  'a bucket is found, its story read, its reproducer played between two batches; q asks and stops, the summary is below',
  withKeys,
  async () => {
    await using demo = await startKeptDemo({ defects: ['acts-on-202'], speed: fast })
    const pty = start(flagsFor(demo, 4000))
    await pty.until(/● EXPLORE .*\n.* of 4000 schedules/)
    expect(pty.modes()).toMatchObject({ alternateScreen: true, cursorVisible: false })
    await pty.until(/>[A-Z]{2}-\d+ +(confirmed|seen|flaky)/)
    await pty.pressUntil('\r', /━ [A-Z]{2}-\d+ [0-9a-f]{8} \w+ ━/)
    await pty.until('The smallest schedule that fails')
    await pty.pressUntil('p', 'it is played when the schedules that run now have ended')
    await pty.until('‖ HOLD')
    await pty.pressUntil('Q', 'The smallest schedule that fails')
    await pty.pressUntil('\u{1b}', '━ Buckets')
    await pty.pressUntil('q', 'Stop the campaign?')
    pty.press('y')
    expect((await pty.exited).code).toBe(130)
    expect(pty.modes()).toEqual(untouchedModes)
    // Its file is there, however often there was time to play it.
    expect(pty.text()).toMatch(/scenario: regressions\/[\w-]+\.yaml/)
    expect(pty.text().replaceAll('\n', '')).toMatch(/found: \d+ schedules?, .*; interrupted/)
  },
)

test('after the end the screen stays until the operator leaves; the exit code is that of what was found', async () => {
  await using demo = await startKeptDemo({ speed: slow })
  const cwd = exploreFolder()
  const pty = start([...flagsFor(demo, 1, slow), '--reporter', 'junit=report.xml'], cwd)
  await pty.until(/✓ DONE .*\n.* 1 of 1 schedule /)
  await pty.until('Nothing that was tried breaks a rule.')
  await vi.waitFor(() => expect(existsSync(join(cwd, 'report.xml'))).toBe(true))
  pty.press('q')
  expect((await pty.exited).code).toBe(0)
  expect(pty.modes()).toEqual(untouchedModes)
  expect(pty.text()).toMatch(/nothing found: 1 schedule, /)
}, 60_000)

test('a signal closes the screen at once, and what was found is below', async () => {
  await using demo = await startKeptDemo({ speed: fast })
  const stopped = start(flagsFor(demo, 4000))
  await stopped.until(/ [1-9]\d* of 4000 schedules/)
  stopped.signal('SIGTERM')
  expect((await stopped.exited).code).toBe(130)
  expect(stopped.modes()).toEqual(untouchedModes)
  expect(stopped.text().replaceAll('\n', '')).toMatch(/found: \d+ schedules?, .*; interrupted/)
}, 120_000)

test('a service that goes away closes the screen, and what was found is below', async () => {
  await using demo = await startKeptDemo({ speed: fast })
  const left = start([...flagsFor(demo, 4000), '--wait-for-subject', '1'])
  await left.until(/ [1-9]\d* of 4000 schedules/)
  await demo.stop()
  expect((await left.exited).code).toBe(3)
  expect(left.modes()).toEqual(untouchedModes)
  expect(left.text()).toMatch(/found: \d+ schedules?, [^]*sparring: .*your service: it does not/)
}, 120_000)
