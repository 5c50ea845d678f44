import { spawnSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { lockFile } from './file-lock.ts'
import { openLineFile } from './line-file.ts'

const place = () => join(mkdtempSync(join(tmpdir(), 'sparring-lock-')), 'a.rec.ndjson')
const taken = (file: string) => {
  const lock = lockFile(file)
  if (!lock.ok) throw new Error(lock.error)
  return lock.value
}

test('one writer at a time, the next after release', () => {
  const file = place()
  const first = taken(file)
  const second = lockFile(file)
  expect(second.ok ? '' : second.error).toBe(
    `writing to ${file}: this very process is writing to it. Name another file, or remove ${file}.lock if that is not so`,
  )
  first.release()
  taken(file).release()
  expect(readdirSync(join(file, '..'))).toEqual([])
})

test('a file has one lock, whatever name it is written under', () => {
  const file = place()
  const folder = join(file, '..')
  writeFileSync(file, '')
  symlinkSync(file, join(folder, 'link'))
  linkSync(file, join(folder, 'other-name'))
  symlinkSync(folder, `${folder}-link`)
  const names = [file, 'link', 'other-name'].map((name) => resolve(folder, name))
  const all = [...names, join(`${folder}-link`, 'other-name')]
  for (const first of all) {
    const held = taken(first)
    for (const second of all) {
      const lock = lockFile(second)
      expect(lock.ok ? '' : lock.error).toContain('this very process is writing to it')
    }
    held.release()
  }
  expect(readdirSync(folder).sort()).toEqual(['a.rec.ndjson', 'link', 'other-name'])
})

test('two writers cannot append to one recording through a hard link made meanwhile', () => {
  const file = place()
  const first = openLineFile(file)
  linkSync(file, `${file}.other`)
  const second = openLineFile(`${file}.other`)
  expect(second.ok ? '' : second.error).toContain('this very process is writing to it')
  if (first.ok) first.value.close()
  const third = openLineFile(`${file}.other`)
  expect(third.ok).toBe(true)
  if (third.ok) third.value.close()
})

test('the message names the living process that holds the lock', () => {
  const file = place()
  writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.ppid, host: hostname(), boot: '' }))
  const lock = lockFile(file)
  expect(lock.ok ? '' : lock.error).toContain(`process ${process.ppid} on ${hostname()}`)
})

test.runIf(process.platform === 'linux')(
  'the lock of a killed container is taken over by the next one, whose process has the same number',
  () => {
    const file = place()
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const holder = { pid: process.pid, host: hostname(), boot, start: '1' }
    writeFileSync(`${file}.lock`, JSON.stringify(holder))
    const lock = taken(file)
    const { start } = JSON.parse(readFileSync(`${file}.lock`, 'utf8')) as { start: string }
    expect(Number(start)).toBeGreaterThan(1)
    // Its own start is that of a living process: nobody takes it over.
    const second = lockFile(file)
    expect(second.ok ? '' : second.error).toContain('this very process is writing to it')
    lock.release()
  },
)

test('the lock of a dead process is taken over', () => {
  const file = place()
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(`${file}.lock`, JSON.stringify({ pid, host: hostname(), boot: '' }))
  const lock = taken(file)
  expect(JSON.parse(readFileSync(`${file}.lock`, 'utf8'))).toMatchObject({ pid: process.pid })
  lock.release()
  expect(readdirSync(join(file, '..'))).toEqual([])
})

test('a lock from before the last boot is taken over, even if its pid is in use again', () => {
  const file = place()
  const first = taken(file)
  const { boot } = JSON.parse(readFileSync(`${file}.lock`, 'utf8')) as { boot: string }
  const old = JSON.stringify({ pid: process.ppid, host: hostname(), boot: 'an earlier start' })
  writeFileSync(`${file}.lock`, old)
  // Without a boot id only the pid counts.
  expect(lockFile(file).ok).toBe(boot !== '')
  first.release()
})

test('a lock of another host, or an unreadable one, is respected', () => {
  const file = place()
  const dead = { pid: 1_999_999_999, host: 'elsewhere', boot: '' }
  writeFileSync(`${file}.lock`, JSON.stringify(dead))
  const elsewhere = lockFile(file)
  expect(elsewhere.ok ? '' : elsewhere.error).toContain('process 1999999999 on elsewhere')
  writeFileSync(`${file}.lock`, '???')
  const unreadable = lockFile(file)
  expect(unreadable.ok ? '' : unreadable.error).toContain('another process is writing to it')
})

test('release does not remove a lock that another process has taken over', () => {
  const file = place()
  const first = taken(file)
  writeFileSync(`${file}.lock`, 'somebody else')
  first.release()
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe('somebody else')
})

/** Locks are kept in the state folder of this environment. */
function inStateFolder<Value>(work: (locks: string) => Value): Value {
  const before = process.env['XDG_STATE_HOME']
  const folder = mkdtempSync(join(tmpdir(), 'sparring-state-'))
  process.env['XDG_STATE_HOME'] = folder
  try {
    return work(join(folder, 'sparring', 'locks'))
  } finally {
    if (before === undefined) delete process.env['XDG_STATE_HOME']
    else process.env['XDG_STATE_HOME'] = before
  }
}

test('an empty lock that a full disk left is taken over, a fresh one is respected', () => {
  const file = place()
  writeFileSync(`${file}.lock`, '')
  const early = lockFile(file)
  expect(early.ok ? '' : early.error).toContain('another process is writing to it')
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(`${file}.lock`, longAgo, longAgo)
  taken(file).release()
  expect(readdirSync(join(file, '..'))).toEqual([])
})

test('the second lock is in the state folder of the user, which no one else can write to', () =>
  inStateFolder((locks) => {
    const file = place()
    writeFileSync(file, '')
    const held = taken(file)
    const { dev, ino } = statSync(file, { bigint: true })
    expect(readdirSync(locks)).toEqual([`${dev}-${ino}.lock`])
    if (process.platform !== 'win32') expect(statSync(locks).mode & 0o777).toBe(0o700)
    held.release()
    expect(readdirSync(locks)).toEqual([])
  }))

test('locks of processes that are gone are swept, those of others stay', () =>
  inStateFolder((locks) => {
    mkdirSync(locks, { recursive: true })
    const { pid: gone } = spawnSync(process.execPath, ['-e', ''])
    const holders = { gone, here: process.ppid }
    for (const [name, pid] of Object.entries(holders))
      writeFileSync(join(locks, `${name}.lock`), JSON.stringify({ pid, host: hostname() }))
    writeFileSync(join(locks, 'unreadable.lock'), '???')
    const file = place()
    writeFileSync(file, '')
    taken(file).release()
    expect(readdirSync(locks).sort()).toEqual(['here.lock', 'unreadable.lock'])
  }))

test('without a state folder the lock beside the file does', () =>
  inStateFolder((locks) => {
    mkdirSync(join(locks, '..', '..'), { recursive: true })
    writeFileSync(join(locks, '..'), 'a file in place of the folder')
    const file = place()
    writeFileSync(file, '')
    taken(file).release()
    expect(readdirSync(join(file, '..'))).toEqual(['a.rec.ndjson'])
  }))
