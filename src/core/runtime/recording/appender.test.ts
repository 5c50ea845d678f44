import { mkdtempSync, readFileSync, symlinkSync, existsSync, write, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type AppenderOptions, Appender, type Disk, realDisk } from './appender.ts'
import { openLineFile } from './line-file.ts'

function open(options: AppenderOptions = {}, at?: string) {
  const file = at ?? join(mkdtempSync(join(tmpdir(), 'sparring-append-')), 'a.ndjson')
  const lines = openLineFile(file)
  if (!lines.ok) throw new Error(lines.error)
  return { file, appender: new Appender(lines.value, options) }
}
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)

/** A counting disk; with a code, it fails after a number of good writes. */
function strangeDisk() {
  const seen = { writes: 0, forces: 0, atOnce: 0, most: 0 }
  const will = { code: '', good: 0, atMost: Number.POSITIVE_INFINITY }
  const disk: Disk = {
    write: (fd, bytes, done) => {
      const isBad = will.code !== '' && ++seen.writes > will.good
      if (will.code === '') seen.writes++
      seen.most = Math.max(seen.most, ++seen.atOnce)
      const answer = (error: Error | null, count: number): void => {
        seen.atOnce--
        done(error, count)
      }
      setTimeout(() => {
        if (isBad) answer(Object.assign(new Error(will.code), { code: will.code }), 0)
        else write(fd, bytes.subarray(0, will.atMost), (error, count) => answer(error, count))
      })
    },
    force: (_, done) => {
      seen.forces++
      setTimeout(() => done(null), 5)
    },
  }
  return { disk, seen, will }
}

test('after a flush everything appended is in the file, in order', async () => {
  const { file, appender } = open()
  for (let line = 0; line < 1000; line++) expect(appender.append(`line ${line} São\n`)).toBe(true)
  await appender.flush()
  expect(linesOf(file)).toEqual(Array.from({ length: 1000 }, (_, line) => `line ${line} São`))
  expect(appender.stats()).toMatchObject({ written: 1000, dropped: 0, pendingBytes: 0 })
  await appender.close()
})

test('a text longer than the whole backlog is written: the disk is not what is too slow', async () => {
  const { file, appender } = open({ maxPendingBytes: 1000 })
  // So long is the JSON of a body of three million NULs, relative to the bounds.
  const long = String.raw`\u0000`.repeat(500)
  expect(appender.append('before\n')).toBe(true)
  expect(appender.append(`${long}\n`)).toBe(true)
  expect(appender.append('beyond\n')).toBe(false)
  await appender.flush()
  expect(linesOf(file)).toEqual(['before', long])
  expect(appender.append('after\n')).toBe(true)
  await appender.close()
})

test('texts appended together are written in one write, within a few ms', async () => {
  const { disk, seen } = strangeDisk()
  const { file, appender } = open({ disk })
  for (let line = 0; line < 500; line++) appender.append(`${line}\n`)
  expect(seen.writes).toBe(0)
  while (appender.stats().pendingBytes > 0) await pause(5)
  expect(seen.writes).toBe(1)
  expect(linesOf(file)).toHaveLength(500)
  await appender.close()
})

test('a full batch does not wait for the timer, and writes never overlap', async () => {
  const { disk, seen } = strangeDisk()
  const { file, appender } = open({ disk, delayMs: 60_000 })
  const line = `${'x'.repeat(4999)}\n`
  for (let count = 0; count < 400; count++) appender.append(line)
  await appender.flush()
  expect(seen.writes).toBeGreaterThan(3)
  expect(seen.most).toBe(1)
  expect(linesOf(file)).toEqual(Array(400).fill('x'.repeat(4999)))
  await appender.close()
})

test('a text longer than a buffer is written whole', async () => {
  const { file, appender } = open()
  const long = `${'é'.repeat(700_000)}\n`
  appender.append('before\n')
  appender.append(long)
  appender.append('after\n')
  await appender.close()
  expect(readFileSync(file, 'utf8')).toBe(`before\n${long}after\n`)
})

test('the disk is synced by a timer that runs only while there is unsynced data', async () => {
  const { disk, seen } = strangeDisk()
  const { appender } = open({ disk, delayMs: 0, syncMs: 200 })
  for (const text of ['a\n', 'b\n', 'c\n']) {
    appender.append(text)
    await appender.flush()
  }
  // Not each write; on a machine that takes longer for them than the timer, one of them may be synced before the last.
  expect(seen.writes).toBe(3)
  expect(seen.forces).toBeLessThan(3)
  const settled = async (): Promise<number> => {
    await vi.waitFor(() => expect(seen.forces).toBeGreaterThan(0), 45_000)
    await pause(500)
    return seen.forces
  }
  const first = await settled()
  expect(first).toBeLessThan(3)
  appender.append('d\n')
  await appender.flush()
  await vi.waitFor(() => expect(seen.forces).toBe(first + 1), 45_000)
  await appender.close()
  expect(seen.forces).toBe(first + 1)
})

test('the sync policies `each` and `off` sync every write and none', async () => {
  const each = strangeDisk()
  const careful = open({ disk: each.disk, sync: 'each', delayMs: 0 })
  for (let turn = 0; turn < 4; turn++) {
    careful.appender.append('a\n')
    await careful.appender.flush()
  }
  expect(each.seen.forces).toBe(each.seen.writes)
  await careful.appender.close()
  const off = strangeDisk()
  const careless = open({ disk: off.disk, sync: 'off' })
  careless.appender.append('a\n')
  await careless.appender.close()
  expect(off.seen.forces).toBe(0)
})

test('partial writes are continued', async () => {
  const { disk, will } = strangeDisk()
  will.atMost = 7
  const { file, appender } = open({ disk })
  for (let line = 0; line < 50; line++) appender.append(`line ${line}\n`)
  await appender.close()
  expect(linesOf(file)).toEqual(Array.from({ length: 50 }, (_, line) => `line ${line}`))
})

test('what is overdue is written at once, also behind a write whose callback is late', async () => {
  const callbacks: (() => void)[] = []
  const { file, appender } = open({
    delayMs: 0,
    disk: {
      ...realDisk,
      write: (fd, bytes, done) => {
        const count = writeSync(fd, bytes)
        callbacks.push(() => done(null, count))
      },
    },
  })
  appender.append('one\n')
  while (callbacks.length === 0) await new Promise((resolve) => setImmediate(resolve))
  appender.append('two\n')
  expect(appender.catchUp(0)).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('one\n')
  expect(appender.catchUp(Number.MAX_SAFE_INTEGER)).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  for (const call of callbacks) call()
  expect(appender.stats()).toEqual({ written: 2, dropped: 0, pendingBytes: 0, writtenBytes: 8 })
  await appender.close()
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
})

test('behind a write that is still under way nothing is written', () => {
  const { file, appender } = open({ delayMs: 0, disk: { ...realDisk, write: () => undefined } })
  appender.append('one\n')
  void appender.flush()
  appender.append('two\n')
  expect(appender.catchUp(Number.MAX_SAFE_INTEGER)).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('')
})

test('a full disk is reported; once there is room, writing continues where it stopped', async () => {
  const { disk, will } = strangeDisk()
  const { file, appender } = open({ disk, delayMs: 0, retryMs: 20 })
  Object.assign(will, { atMost: 3, code: 'ENOSPC', good: 2 })
  appender.append('first\nsecond\n')
  await appender.flush()
  expect(readFileSync(file, 'utf8')).toBe('first\n')
  expect(appender.stats().problem).toBe(
    `writing to ${file}: the disk is full (ENOSPC). Free some space: writing then goes on by itself`,
  )
  appender.append('third\n')
  will.code = ''
  will.atMost = Number.POSITIVE_INFINITY
  while (appender.stats().pendingBytes > 0) await pause(5)
  expect(linesOf(file)).toEqual(['first', 'second', 'third'])
  expect(appender.stats()).toMatchObject({ written: 2, dropped: 0 })
  expect(appender.stats().problem).toBeUndefined()
  await appender.close()
})

test('the backlog of a failing disk is bounded, and dropped items are counted', async () => {
  const { disk, will } = strangeDisk()
  will.code = 'EIO'
  const { file, appender } = open({ disk, retryMs: 10, maxPendingBytes: 10_000 })
  const line = `${'x'.repeat(99)}\n`
  const taken = Array.from({ length: 500 }, () => appender.append(line)).filter(Boolean).length
  expect(taken).toBe(100)
  expect(appender.stats()).toMatchObject({ dropped: 400, pendingBytes: 10_000 })
  await appender.close()
  expect(appender.stats()).toMatchObject({ written: 0, dropped: 500, pendingBytes: 0 })
  expect(linesOf(file)).toEqual([])
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('giving up in the middle of a batch leaves whole lines', async () => {
  const { disk, will } = strangeDisk()
  const { file, appender } = open({ disk, delayMs: 0, retryMs: 10 })
  appender.append('kept\n')
  await appender.flush()
  Object.assign(will, { atMost: 4, code: 'EIO', good: 2 })
  appender.append('lost and gone\n')
  await appender.flush()
  expect(readFileSync(file, 'utf8')).toBe('kept\nlost')
  await appender.close()
  expect(linesOf(file)).toEqual(['kept'])
  expect(appender.stats()).toMatchObject({ written: 1, dropped: 1 })
})

test.skipIf(!existsSync('/dev/full'))('a full device is reported (/dev/full)', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-append-')), 'a.ndjson')
  symlinkSync('/dev/full', file)
  const { appender } = open({ retryMs: 10 }, file)
  appender.append('a\n')
  await appender.flush()
  expect(appender.stats().problem).toContain('the disk is full (ENOSPC)')
  await appender.close()
  expect(appender.stats()).toMatchObject({ written: 0, dropped: 1 })
})

test('append is refused after close', async () => {
  const { file, appender } = open()
  appender.append('a\n')
  await appender.close()
  expect(appender.append('b\n')).toBe(false)
  await appender.close()
  expect(linesOf(file)).toEqual(['a'])
})
