/**
 * Every verb that writes a file, on what may stand at its path: symbolic links are followed, FIFOs are read to their end,
 * devices stay devices. Device nodes are the test's own.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeFifo, makeNullDevice } from '../../../test/support/special-files.ts'
import { runVerbs } from '../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { createRecorder } from '../../core/runtime/recording/recorder.ts'
import { redactionKeyFrom } from '../../core/runtime/recording/redaction-key.ts'
import { announceReady } from './ready.ts'

const recording = fileURLToPath(
  new URL('../../../recordings/happy-path.rec.ndjson', import.meta.url),
)
const har = join(mkdtempSync(join(tmpdir(), 'sparring-har-')), 'a.har')

async function sparring(cwd: string, ...argv: readonly string[]): Promise<string> {
  const { io, written } = createTestIo({ cwd, env: { XDG_CONFIG_HOME: join(cwd, '..', 'config') } })
  const code = await runVerbs(argv, io)
  if (code > 1) throw new Error(written().stderr)
  return written().stdout
}

beforeAll(async () => {
  await sparring(tmpdir(), 'export', recording, '-o', har)
})

const t0 = Date.UTC(2026, 10, 22)

async function record(file: string): Promise<void> {
  const recorder = createRecorder({
    file,
    t0,
    info: { name: 'a', tool: 'sparring/0', protocol: { name: 'p', version: 'v2' }, parties: [] },
    redact: true,
    key: redactionKeyFrom(Buffer.alloc(32)),
  })
  if (!recorder.ok) throw new Error(recorder.error)
  recorder.value.mark('here')
  await recorder.value.close()
}

interface Writer {
  readonly name: string
  readonly write: (file: string, cwd: string) => Promise<unknown>
  /** What a reader finds there. */
  readonly holds: RegExp
}

const writers: readonly Writer[] = [
  {
    name: 'export',
    write: (file, cwd) => sparring(cwd, 'export', recording, '-o', file, '--force'),
    holds: /"log"/,
  },
  {
    name: 'export of a part',
    write: (file, cwd) =>
      sparring(cwd, 'export', recording, '--format', 'recording', '-o', file, '--force'),
    holds: /"type":"end"/,
  },
  {
    name: 'import',
    write: (file, cwd) => sparring(cwd, 'import', har, '-o', file, '--force'),
    holds: /"type":"end"/,
  },
  {
    name: 'a report',
    write: (file, cwd) => sparring(cwd, 'diff', recording, recording, '--reporter', `json=${file}`),
    holds: /"same"/,
  },
  {
    name: 'the ready file',
    async write(file, cwd) {
      const { io } = createTestIo({ cwd })
      const { signal } = new AbortController()
      await announceReady({ counterparts: {} }, { 'ready-file': file }, io, signal)
    },
    holds: /"ready":true/,
  },
]

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'sparring-outputs-')))

describe.each([...writers])('$name', ({ write, holds }) => {
  test('is written behind a symbolic link, which stays', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'there'))
    writeFileSync(join(cwd, 'there/target'), 'before')
    symlinkSync('there/target', join(cwd, 'link'))
    await write('link', cwd)
    expect(readlinkSync(join(cwd, 'link'))).toBe('there/target')
    expect(readFileSync(join(cwd, 'there/target'), 'utf8')).toMatch(holds)
    expect([...readdirSync(cwd), ...readdirSync(join(cwd, 'there'))].sort()).toEqual([
      'link',
      'target',
      'there',
    ])
  })

  test('is read from a FIFO, which stays', async () => {
    const cwd = folder()
    makeFifo(join(cwd, 'fifo'))
    const reader = spawn('cat', [join(cwd, 'fifo')])
    const [read] = await Promise.all([text(reader.stdout), write('fifo', cwd)])
    expect(read).toMatch(holds)
    expect(lstatSync(join(cwd, 'fifo')).isFIFO()).toBe(true)
    expect(readdirSync(cwd)).toEqual(['fifo'])
  })

  test('leaves a device what it is', async ({ skip }) => {
    const cwd = folder()
    const node = join(cwd, 'null')
    if (!makeNullDevice(node)) skip('mknod is not permitted here')
    await write('null', cwd)
    expect(lstatSync(node).isCharacterDevice()).toBe(true)
    expect(readdirSync(cwd)).toEqual(['null'])
    rmSync(node)
  })
})

test('- is stdout, and what is told goes to stderr', async () => {
  const cwd = folder()
  expect(await sparring(cwd, 'import', har, '-o', '-')).toMatch(/^\{"_rec".*"type":"end".*\n$/s)
  expect(await sparring(cwd, 'export', recording, '-o', '-')).toMatch(/^\{\s*"log"/)
  const compared = await sparring(cwd, 'diff', recording, recording, '--reporter', 'json=-')
  expect(compared).toMatch(/"same"/)
  expect(readdirSync(cwd)).toEqual([])
})

test('a recorder appends behind a symbolic link', async () => {
  const cwd = folder()
  symlinkSync('target', join(cwd, 'link'))
  await record(join(cwd, 'link'))
  await record(join(cwd, 'link'))
  expect(readdirSync(cwd)).toEqual(['link', 'target'])
  expect(lstatSync(join(cwd, 'link')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(cwd, 'target'), 'utf8').match(/"type":"mark"/g)).toHaveLength(2)
})

test('a recorder writes into a FIFO that somebody reads, to the end line', async () => {
  const cwd = folder()
  const fifo = join(cwd, 'fifo')
  makeFifo(fifo)
  await expect(record(fifo)).rejects.toThrow(
    `writing to ${fifo}: no process reads from it (ENXIO). Start what reads it first`,
  )
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  await record(fifo)
  const written = readFileSync(reader, 'utf8')
  closeSync(reader)
  const [header = '', mark = '', end = ''] = written.split(/(?<=\n)/)
  const sha256 = createHash('sha256')
    .update(header + mark)
    .digest('hex')
  expect(JSON.parse(end)).toMatchObject({ _rec: { type: 'end', sha256 } })
  expect(readdirSync(cwd)).toEqual(['fifo'])
})
