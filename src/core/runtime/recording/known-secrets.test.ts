// @module-tag slow
/** A secret that was recognised once is nowhere in a closed recording, wherever else and however it was written. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { zstdDecompressSync } from 'node:zlib'
import { findSecrets, plantSecrets } from '../../../../test/support/planted-secrets.ts'
import { sampleExchange, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { SegmentOptions } from './folder-target.ts'
import { readRecording } from './read-recording.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { redactionKeyFrom } from './redaction-key.ts'

const key = redactionKeyFrom(Buffer.alloc(32, 7))
const info = {
  name: 'x',
  tool: 'sparring/0',
  protocol: { name: 'protocol', version: 'v2' },
  parties: [],
}

interface Options {
  readonly redact?: false
  readonly segments?: SegmentOptions
}

function recorderOn(file: string, { redact, ...more }: Options = {}): Recorder {
  const redaction =
    redact === false ? ({ redact: false, unsafe: true } as const) : { redact: true as const, key }
  const recorder = createRecorder({ file, t0: sampleT0, info, ...redaction, ...more })
  if (!recorder.ok) throw new Error(recorder.error)
  return recorder.value
}

async function record(
  all: readonly Exchange[],
  file: string,
  options: Options = {},
): Promise<void> {
  const recorder = recorderOn(file, options)
  for (const exchange of all) recorder.record(exchange)
  expect(await recorder.close()).toEqual({ written: all.length, dropped: 0 })
}

const folderOf = (): string => mkdtempSync(join(tmpdir(), 'sparring-known-'))

const contentOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8')
    })
    .join('\n')

test('a file: of all planted secrets that stand twice none is left', async () => {
  const { exchanges, secrets } = plantSecrets()
  expect(secrets.length).toBeGreaterThanOrEqual(117)
  const raw = folderOf()
  await record(exchanges, join(raw, 'x.rec.ndjson'), { redact: false })
  // The search finds what is there.
  expect(findSecrets(contentOf(raw), secrets)).toHaveLength(secrets.length)
  const folder = folderOf()
  await record(exchanges, join(folder, 'x.rec.ndjson'))
  expect(findSecrets(contentOf(folder), secrets)).toEqual([])
})

test('a folder: neither in closed segments nor in bodies of their own', async () => {
  const { exchanges, secrets } = plantSecrets((_, n) => n % 2 === 0)
  expect(secrets.length).toBeGreaterThanOrEqual(117)
  const folder = folderOf()
  const long = 'a long text. '.repeat(6000)
  const grown = exchanges.map((exchange, index) =>
    index % 40 === 0 && exchange.reply?.body !== undefined
      ? { ...exchange, reply: { ...exchange.reply, body: `${exchange.reply.body}${long}` } }
      : exchange,
  )
  await record(grown, `${folder}/`, { segments: { bytes: 100_000 } })
  const names = readdirSync(folder)
  expect(names.filter((name) => name.endsWith('.zst')).length).toBeGreaterThan(3)
  const blobs = readdirSync(join(folder, 'blobs'))
  expect(blobs.length).toBeGreaterThan(0)
  const content = contentOf(folder)
  expect(findSecrets(content, secrets)).toEqual([])
  for (const name of blobs) expect(content).toContain(`"blob":"${name}"`)
  const read = await readRecording(folder)
  expect(read).toMatchObject({ ok: true, value: { problems: [], closed: true } })
  expect(read.ok && read.value.exchanges).toHaveLength(exchanges.length)
})

/** One secret in a header where nothing tells what it is, then as a token. */
const late = (secret: string): readonly Exchange[] => [
  sampleExchange(1, {
    request: { ...sampleExchange(1).request, headers: [['X-Debug', `had ${secret}`]] },
  }),
  sampleExchange(2, {
    request: { ...sampleExchange(2).request, headers: [['Authorization', `Bearer ${secret}`]] },
    failure: { code: 'EPROTO', message: `refused ${secret}, closed` },
  }),
]

const linesOf = (file: string): readonly Record<string, never>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>)

test('the same stand-in everywhere, listed, and the end line tells the new hash', async () => {
  const file = join(folderOf(), 'x.rec.ndjson')
  const secret = 'q7Xw-29fLm_Zt04vRs81'
  await record(late(secret), file)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(secret)
  const marks = text.match(/~tok_[a-z]{10}/g) ?? []
  expect(new Set(marks).size).toBe(3)
  const [mark = ''] = /(?<=Bearer )~tok_[a-z]{10}/.exec(text) ?? []
  expect(text).toContain(`had ${mark}`)
  expect(text).toContain(`refused ${mark}, closed`)
  const [, first, second] = linesOf(file)
  expect(first?.['_rec']).toMatchObject({ red: expect.arrayContaining([{ p: '*', c: 'token' }]) })
  expect(second?.['_rec']).toMatchObject({ red: expect.arrayContaining([{ p: '*', c: 'token' }]) })
  const read = await readRecording(file)
  expect(read).toMatchObject({ ok: true, value: { problems: [], closed: true } })
  const beforeEnd = text.slice(0, text.lastIndexOf('{"_rec"'))
  expect(linesOf(file).at(-1)?.['_rec']).toMatchObject({
    sha256: createHash('sha256').update(beforeEnd).digest('hex'),
  })
})

test('a recording goes on: what the second session recognises is replaced in the first one too', async () => {
  const file = join(folderOf(), 'x.rec.ndjson')
  const secret = 'q7Xw-29fLm_Zt04vRs81'
  const [first, second] = late(secret)
  await record(first ? [first] : [], file)
  expect(readFileSync(file, 'utf8')).toContain(secret)
  await record(second ? [second] : [], file)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(secret)
  // Both end lines tell the hash of what stands before them now.
  for (const [end] of text.matchAll(/^\{"_rec":\{"v":1,"type":"end".*$/gm)) {
    const before = text.slice(0, text.indexOf(end))
    expect(end).toContain(createHash('sha256').update(before).digest('hex'))
  }
})

test('a file without a late secret is not written again', async () => {
  const file = join(folderOf(), 'x.rec.ndjson')
  const [, second] = late('q7Xw-29fLm_Zt04vRs81')
  const recorder = recorderOn(file)
  if (second) recorder.record(second)
  while (recorder.stats().written === 0) await pause(5)
  const { ino } = statSync(file)
  await recorder.close()
  expect(statSync(file).ino).toBe(ino)
})
