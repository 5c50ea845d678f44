/** Session files: written, read, cleaned up, and not believed where somebody else could have written them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { standingOf } from './process-identity.ts'
import type { SessionEntry } from './session-entry.ts'
import { readSessionRegistry, registerSession } from './session-registry.ts'
import { sinceText } from './session-text.ts'

interface Home {
  readonly env: Readonly<Record<string, string>>
  /** Where session files are. */
  readonly folder: string
}

function home(): Home {
  const state = mkdtempSync(join(tmpdir(), 'sparring-registry-'))
  return {
    env: { XDG_STATE_HOME: state, TMPDIR: join(state, 'tmp') },
    folder: join(state, 'sparring', 'sessions'),
  }
}

const details = {
  verb: 'up',
  control: 'http://127.0.0.1:7100',
  token: 'hush',
  counterparts: { crm: 'http://127.0.0.1:7104' },
  seed: 7,
} as const

async function registered({ env, folder }: Home) {
  const written = await registerSession(details, '/work', env)
  if (!written.ok) throw new Error(written.error)
  const [name = ''] = readdirSync(folder)
  const file = join(folder, name)
  const entry = JSON.parse(readFileSync(file, 'utf8')) as SessionEntry
  const rewrite = (change: Partial<SessionEntry>): void =>
    writeFileSync(file, JSON.stringify({ ...entry, ...change }))
  return { written: written.value, file, entry, rewrite }
}

const pidsOf = (env: Home['env']): readonly number[] =>
  readSessionRegistry(env).sessions.map(({ pid }) => pid)

test('a session is listed from its start to its end, in files that its owner alone can read', async () => {
  const own = home()
  expect(readSessionRegistry(own.env)).toEqual({ sessions: [], broken: [] })
  const { written, file } = await registered(own)
  expect(readSessionRegistry(own.env)).toMatchObject({
    sessions: [{ ...details, pid: process.pid, cwd: '/work', isSure: true }],
    broken: [],
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(own.folder).mode & 0o777).toBe(0o700)
  written.remove()
  expect(readdirSync(own.folder)).toEqual([])
})

test('the file of a process that has ended is removed', async () => {
  const own = home()
  const { rewrite } = await registered(own)
  const child = spawn(process.execPath, ['--eval', ''])
  await once(child, 'exit')
  rewrite({ pid: child.pid! })
  expect(pidsOf(own.env)).toEqual([])
  expect(readdirSync(own.folder)).toEqual([])
})

test('a process id that the system gave to another process is not taken for the session', async () => {
  const own = home()
  const { rewrite } = await registered(own)
  rewrite({ started: 'long ago' })
  expect(pidsOf(own.env)).toEqual([])
  expect(readdirSync(own.folder)).toEqual([])
})

test('where the system does not say when a process started, a session is listed as unsure', async () => {
  const own = home()
  const { entry, file } = await registered(own)
  const { started: _started, ...rest } = entry
  writeFileSync(file, JSON.stringify(rest))
  expect(readSessionRegistry(own.env).sessions).toMatchObject([{ isSure: false }])
  expect(standingOf(entry)).toBe('running')
})

test('a session of another machine or container is neither listed nor removed', async () => {
  const own = home()
  const { rewrite } = await registered(own)
  rewrite({ place: 'another machine', pid: 1 })
  expect(pidsOf(own.env)).toEqual([])
  expect(readdirSync(own.folder)).toHaveLength(1)
})

test('files that are no session files are left out, left alone and told', async () => {
  const own = home()
  const { entry } = await registered(own)
  const wrong: Readonly<Record<string, string>> = {
    'cut.json': JSON.stringify(entry).slice(0, 20),
    'list.json': '[]',
    'long.json': 'x'.repeat(100_000),
    'control.json': JSON.stringify({ ...entry, control: 'nowhere' }),
    'pid.json': JSON.stringify({ ...entry, pid: -1 }),
    'format.json': JSON.stringify({ ...entry, format: 2 }),
  }
  for (const [name, text] of Object.entries(wrong)) writeFileSync(join(own.folder, name), text)
  mkdirSync(join(own.folder, 'folder.json'))
  writeFileSync(join(own.folder, 'half-written.json.ab12cd34.tmp'), '{')
  const { sessions, broken } = readSessionRegistry(own.env)
  expect(sessions).toHaveLength(1)
  const told = broken.map(({ file, wrong: why }) => [file.slice(own.folder.length + 1), why])
  expect(Object.fromEntries(told)).toEqual({
    'cut.json': 'it is no JSON',
    'list.json': 'it is no JSON object',
    'long.json': 'it is too long for a session file',
    'control.json': 'control is missing or wrong',
    'pid.json': 'pid is missing or wrong',
    'format.json': 'format is missing or wrong',
    'folder.json': expect.stringMatching(/it is a directory/) as string,
  })
  expect(readdirSync(own.folder)).toHaveLength(9)
})

test('a folder in which others can write is not believed', async () => {
  const own = home()
  await registered(own)
  chmodSync(own.folder, 0o777)
  expect(pidsOf(own.env)).toEqual([])
  // The next session of this user closes it again.
  await registered(own)
  expect(pidsOf(own.env)).toHaveLength(2)
})

test('without a home that can be written to, sessions are listed from the temporary folder', async () => {
  const { env, folder } = home()
  const noFolder = { ...env, XDG_STATE_HOME: '/proc/none' }
  const written = await registerSession(details, '/work', noFolder)
  expect(written.ok).toBe(true)
  expect(pidsOf(noFolder)).toEqual([process.pid])

  // A folder there that leads elsewhere is not used.
  const elsewhere = { ...env, XDG_STATE_HOME: '/proc/none', TMPDIR: join(folder, 'tmp') }
  const temporary = join(elsewhere.TMPDIR, `sparring-${process.getuid?.() ?? 'user'}`)
  mkdirSync(temporary, { recursive: true })
  const target = mkdtempSync(join(tmpdir(), 'sparring-registry-'))
  chmodSync(target, 0o777)
  symlinkSync(target, join(temporary, 'sessions'))
  expect(await registerSession(details, '/work', elsewhere)).toMatchObject({ ok: false })
  expect(pidsOf(elsewhere)).toEqual([])
  expect(statSync(target).mode & 0o777).toBe(0o777)
})

test('the time of a session names the day when that is not today', () => {
  const since = new Date(2026, 10, 24, 9, 5).getTime()
  expect(sinceText({ since }, new Date(2026, 10, 24, 23))).toBe('09:05')
  expect(sinceText({ since }, new Date(2026, 10, 25, 1))).toBe('2026-11-24 09:05')
})
