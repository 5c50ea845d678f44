/** The ready file: written atomically, deleted at the end; an unwritable one is a problem. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFifo } from '../../../test/support/special-files.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { announceReady, removeStaleReadyFile } from './ready.ts'

const { signal } = new AbortController()
const ready = { counterparts: { crm: 'http://127.0.0.1:7104' } }

test('the file exists as long as the session, and replaces an older one', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-ready-'))
  writeFileSync(join(cwd, 'ready.json'), 'of an earlier run')
  const { io } = createTestIo({ cwd })
  {
    using _ready = await announceReady(ready, { 'ready-file': 'ready.json' }, io, signal)
    expect(JSON.parse(readFileSync(join(cwd, 'ready.json'), 'utf8'))).toEqual({
      ready: true,
      ...ready,
      pid: process.pid,
    })
  }
  expect(readdirSync(cwd)).toEqual([])
})

test('the file of a session that was killed is removed before the next one starts', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-ready-'))
  const { io } = createTestIo({ cwd })
  const { pid } = spawnSync(process.execPath, ['--version'])
  const isThere = (text: string): boolean => {
    writeFileSync(join(cwd, 'ready.json'), text)
    removeStaleReadyFile({ 'ready-file': 'ready.json' }, io)
    return readdirSync(cwd).length > 0
  }
  expect(isThere(JSON.stringify({ ready: true, pid }))).toBe(false)
  // That of a session which lives, and a file of the user.
  expect(isThere(JSON.stringify({ ready: true, pid: process.pid }))).toBe(true)
  expect(isThere('{"ready": "no"}')).toBe(true)
})

test('a ready file that somebody else wrote meanwhile stays', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-ready-'))
  const { io } = createTestIo({ cwd })
  {
    using _ready = await announceReady(ready, { 'ready-file': 'ready.json' }, io, signal)
    writeFileSync(join(cwd, 'ready.json'), 'of another session')
  }
  expect(readFileSync(join(cwd, 'ready.json'), 'utf8')).toBe('of another session')
})

test('a FIFO that nobody reads does not keep the session from its end', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-ready-'))
  makeFifo(join(cwd, 'ready'))
  const { io, written } = createTestIo({ cwd })
  const stop = new AbortController()
  const announced = announceReady(ready, { 'ready-file': 'ready' }, io, stop.signal)
  stop.abort()
  using _ready = await announced
  expect(written().stdout).toMatch(/^ready {2}crm/)
  expect(readdirSync(cwd)).toEqual(['ready'])
})

test.each(['.', 'file/ready.json', '/proc/none/ready.json'])(
  '%s as the ready file is a problem, not a bug',
  async (file) => {
    const cwd = mkdtempSync(join(tmpdir(), 'sparring-ready-'))
    writeFileSync(join(cwd, 'file'), '')
    const { io } = createTestIo({ cwd })
    await expect(announceReady(ready, { 'ready-file': file }, io, signal)).rejects.toMatchObject({
      name: 'Problem',
      exit: 2,
      message: expect.stringMatching(/^writing the ready file .*\. Name a file in a folder/),
    })
  },
)
