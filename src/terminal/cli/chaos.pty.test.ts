// @module-tag slow
/** Editing the agenda by keys on a real terminal: hold, reorder, drop, copy, edit and undo. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, onTestFinished } from 'vitest'
import { openRemoteSession } from '../../core/runtime/control-client/remote-session.ts'
import { configurationOf } from '../../core/scenario/options.ts'
import { playRun } from '../../core/scenario/play.ts'
import type { JournalRow } from '../../core/session-api/session-api.ts'
import { loadScenarios } from './run/load-scenarios.ts'
import { commandLine, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { openPty, type Pty } from '../../../test/support/terminal.ts'
import { openSession } from '../../core/session/open-session.ts'

const startMs = 30_000

/** Scripted editors: each prints that it has the terminal, and changes the file. */
function editor(folder: string, name: string, ...script: readonly string[]): void {
  const file = join(folder, name)
  writeFileSync(file, ['#!/bin/sh', ...script].join('\n'))
  chmodSync(file, 0o700)
}

async function up(): Promise<{
  readonly pty: Pty
  readonly cwd: string
  readonly control: string
}> {
  const cwd = emptyFolder()
  writeFileSync(
    join(cwd, 'sparring.config.yaml'),
    'capabilities: { indoor: false, logistics: false, customer: false }\n',
  )
  editor(
    cwd,
    'editor',
    'printf "the editor has the terminal, and waits for a line\\n"',
    'read -r line',
    // The first time it leaves invalid JSON.
    'if [ -e twice ]; then sed -i "s/@@/\\"/; s/\\"createdAt\\": \\"[^\\"]*\\"/\\"createdAt\\": \\"2001-01-01T00:00:00Z\\"/" "$1"',
    'else touch twice; sed -i "0,/\\"/s//@@/" "$1"; fi',
  )
  const { file, args, env } = commandLine('up', '--port', '0', '--orders-every', '0')
  const pty = openPty({
    file,
    args: [...args, '--clock', 'stepped', '--seed', '7', '--ready-file', 'ready.json'],
    columns: 120,
    rows: 40,
    cwd,
    env: { ...env, HOME: cwd, TMPDIR: cwd, NODE_ENV: 'production', EDITOR: './editor' },
  })
  onTestFinished(() => pty.close())
  await pty.until('‖ HOLD', startMs)
  const ready = JSON.parse(readFileSync(join(cwd, 'ready.json'), 'utf8')) as { control: string }
  return { pty, cwd, control: ready.control }
}

/** Plays a saved scenario with `sparring run`, and returns the result. */
async function replayed(file: string): Promise<readonly JournalRow[]> {
  const [loaded] = await loadScenarios([file], '/')
  if (!loaded) throw new Error(`${file} holds no scenario`)
  const { run } = loaded
  const { subject: _nobody, ...options } = configurationOf(run, {})
  await using session = await openSession({ ...options, clock: 'stepped', listen: false })
  const { failures } = await playRun(run, session, { sleep: () => Promise.resolve() })
  expect(failures).toEqual([])
  return (await session.look(whole)).journal
}

const whole = { journal: { limit: 1000 } } as const

const journal = async (control: string): Promise<readonly JournalRow[]> =>
  (await openRemoteSession({ url: control }).look(whole)).journal

/** The agenda as shown on the screen: each item with its number, and whether it is held. */
const agenda = (pty: Pty): readonly string[] =>
  pty.rows().flatMap((row) => {
    const [, due, id, text = ''] = /(held ‖|\S+ [▸·]) #(\d+) +(\S+ to polls)/.exec(row) ?? []
    return id === undefined ? [] : [`${due?.startsWith('held') ? 'held ' : ''}#${id} ${text}`]
  })

async function shows(pty: Pty, ...wanted: readonly string[]): Promise<void> {
  await expect.poll(() => agenda(pty), { timeout: 45_000, interval: 15 }).toEqual(wanted)
}

test('by keys, events are held, reordered, dropped, copied, edited, restored by undo, and saved as a scenario', async () => {
  const { pty, cwd, control } = await up()
  // Three orders, and their first events on the agenda.
  for (const key of ['d', 't', 'i']) {
    await pty.pressUntil('N', 'A new order for')
    await pty.pressUntilGone(key, 'A new order for')
  }
  pty.press('5gj')
  await expect.poll(() => agenda(pty).length, { timeout: 45_000 }).toBe(3)
  const [a = '', b = '', c = ''] = agenda(pty)

  // All three are held at once and reordered, and the reordering is undone.
  await pty.pressUntil('vjj', '3 marked')
  pty.press('p')
  await shows(pty, `held ${a}`, `held ${b}`, `held ${c}`)
  await pty.pressUntilGone('\u{1b}', '3 marked')
  pty.press('K')
  await shows(pty, `held ${a}`, `held ${c}`, `held ${b}`)
  pty.press('K')
  await shows(pty, `held ${c}`, `held ${a}`, `held ${b}`)
  await pty.pressUntil('z', 'undone, move')
  await shows(pty, `held ${a}`, `held ${c}`, `held ${b}`)

  // One is dropped and restored, one is copied.
  pty.press('gjx')
  await shows(pty, `held ${c}`, `held ${b}`)
  await pty.pressUntil('z', 'undone, drop')
  await shows(pty, `held ${a}`, `held ${c}`, `held ${b}`)
  pty.press('Gx')
  await shows(pty, `held ${a}`, `held ${c}`)
  pty.press('gjd')
  await expect.poll(() => agenda(pty).length, { timeout: 45_000 }).toBe(3)
  expect(pty.text()).toContain('copy of #')

  // The editor takes over the terminal and returns it; after invalid JSON it opens again.
  await pty.pressUntil('e', 'the editor has the terminal')
  expect(pty.modes()).toMatchObject({ alternateScreen: false, cursorVisible: true })
  pty.resize(100, 30)
  await pty.pressUntil('\r', /line 2, column 3: a name in double quotes is missing/)
  expect(pty.modes()).toMatchObject({ alternateScreen: true, cursorVisible: false })
  await pty.until(/^ ‖ HOLD[^]*e edits again +esc gives up/)
  expect(pty.rows().length).toBe(30)
  pty.press('e')
  // The screen below the dashboard still has the line of the first time.
  await pty.until(/(?:the editor has the terminal[^]*){2}/)
  await pty.pressUntil('\r', 'CREATED changed: createdAt')
  expect(readdirSync(cwd).filter((name) => name.startsWith('sparring-edit'))).toEqual([])
  await pty.pressUntil('\r', '2001-01-01T00:00:00Z')
  await pty.pressUntilGone('\u{1b}', '2001-01-01T00:00:00Z')

  // It is released, and a few steps are taken.
  await pty.pressUntil('P', 'released 3 items')
  for (let steps = 0; steps < 6; steps++) {
    const { length } = await journal(control)
    pty.press('n')
    await expect
      .poll(async () => (await journal(control)).length, { timeout: 45_000 })
      .toBeGreaterThan(length)
    await pty.until('took #')
  }

  // The saved scenario, played with `sparring run`, has the same result.
  await pty.pressUntil('s', 'scenario _')
  await pty.pressUntil('by-hand\r', 'written: scenarios/by-hand.yaml')
  const before = await journal(control)
  expect(before.length).toBeGreaterThan(30)
  expect(await replayed(join(cwd, 'scenarios', 'by-hand.yaml'))).toEqual(before)
  await pty.pressUntil('sby-hand\r', 'is there already')
  await pty.pressUntilGone('\u{1b}', 'is there already')

  await pty.pressUntil(' ', '● LIVE')
  pty.press('Q')
  expect((await pty.exited).code).toBe(0)
  expect(pty.modes()).toMatchObject({ alternateScreen: false, cursorVisible: true })
}, 60_000)
