/** The ready file: written atomically, deleted at the end; an unwritable one is a problem. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestIo } from '../../test/support/test-io.ts'
import { announceReady } from './ready.ts'

const ready = { counterparts: { crm: 'http://127.0.0.1:7104' } }

test('the file exists as long as the session, and replaces an older one', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-ready-'))
  writeFileSync(join(cwd, 'ready.json'), 'of an earlier run')
  const { io } = createTestIo({ cwd })
  {
    await using _ready = await announceReady(ready, { 'ready-file': 'ready.json' }, io)
    expect(JSON.parse(readFileSync(join(cwd, 'ready.json'), 'utf8'))).toEqual({
      ready: true,
      ...ready,
      pid: process.pid,
    })
  }
  expect(readdirSync(cwd)).toEqual([])
})

test.each(['.', 'file/ready.json', 'nowhere/ready.json'])(
  '%s as the ready file is a problem, not a bug',
  async (file) => {
    const cwd = mkdtempSync(join(tmpdir(), 'sparring-ready-'))
    writeFileSync(join(cwd, 'file'), '')
    const { io } = createTestIo({ cwd })
    await expect(announceReady(ready, { 'ready-file': file }, io)).rejects.toMatchObject({
      name: 'Problem',
      exit: 2,
      message: expect.stringMatching(/^writing the ready file .*\. Name a file in a folder/),
    })
  },
)
