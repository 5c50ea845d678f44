/** Compressed files are imported by their content, from a file and from a pipe. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { zipOf } from '../../../../test/support/zip.ts'
import { Problem } from '../../../core/base/problem.ts'
import { BodyDecoder, runImport } from './run-import.ts'
import { unpack } from './zip-archive.ts'

let cwd = ''
beforeEach(() => (cwd = emptyFolder()))
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')

const entry = (index: number, content: object = { text: `{"id":"o-${index}"}` }) => ({
  startedDateTime: new Date(Date.UTC(2026, 10, 22) + index * 1000).toISOString(),
  time: 12,
  request: { method: 'GET', url: `https://partner.example/v2/orders/o-${index}`, headers: [] },
  response: { status: 200, headers: [], content },
  timings: { send: 1, wait: 10, receive: 1 },
})
const archive = (count: number): string =>
  JSON.stringify({
    log: { version: '1.2', entries: Array.from({ length: count }, (_, index) => entry(index)) },
  })

interface Imported {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function run(file: string, stdin?: Uint8Array): Promise<Imported> {
  const { io, written } = createTestIo({
    cwd,
    env: { XDG_CONFIG_HOME: join(cwd, 'configuration') },
    ...(stdin ? { stdin: () => Readable.from([stdin]).pipe(new PassThrough()) } : {}),
  })
  const code = await runImport({ file, output: 'a.rec.ndjson', force: true }, io)
  return { code, ...written() }
}

const refusal = async (running: Promise<unknown>): Promise<string> => {
  const error: unknown = await running.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ exit: 2 })
  return (error as Problem).message
}

/** The entries of the recording, without what each import makes anew. */
const entries = (): readonly unknown[] =>
  text('a.rec.ndjson')
    .split('\n')
    .filter((line) => line.includes('"type":"http"'))
    .map((line) => ({ ...(JSON.parse(line) as object), _rec: undefined }))

const har = archive(40)

test.each([
  ['gzip', 'lunch.har.gz', gzipSync(har)],
  ['gzip', 'two-parts.gz', Buffer.concat([gzipSync(har.slice(0, 99)), gzipSync(har.slice(99))])],
  ['zlib', 'lunch.zhar', deflateSync(har)],
  ['zstd', 'lunch.har.zst', zstdCompressSync(har)],
  ['deflate', 'lunch', deflateRawSync(har)],
  ['UTF-16', 'lunch.har', Buffer.from(`\uFEFF${har}`, 'utf16le')],
  ['UTF-16, big end first', 'l.har', Buffer.from(`\uFEFF${har}`, 'utf16le').swap16()],
  ['zip', 'lunch.zhar', zipOf([{ name: 'only.json', content: har }])],
  [
    'zip',
    'lunch.zip',
    zipOf([
      { name: 'a.txt', content: 'a' },
      { name: 'x/l.har', content: har },
    ]),
  ],
  ['zip', 'stored.zip', zipOf([{ name: 'l.har', content: har, isStored: true }])],
])('%s: %s becomes the same recording as the plain file', async (packing, file, bytes) => {
  writeFileSync(join(cwd, 'plain.har'), har)
  await run('plain.har')
  const plain = entries()
  expect(plain).toHaveLength(40)
  writeFileSync(join(cwd, file), bytes)
  for (const imported of [await run(file), await run('-', bytes)]) {
    expect(imported).toMatchObject({ code: 0 })
    expect(imported.stderr).toContain(`format: har, packed as ${packing} (it begins like one`)
    expect(entries()).toEqual(plain)
  }
})

test('the hash of the source is that of the file as it is', async () => {
  const bytes = gzipSync(har)
  writeFileSync(join(cwd, 'lunch.har.gz'), bytes)
  await run('lunch.har.gz')
  const [, ofFile] = /"sha256":"([\da-f]{64})"/.exec(text('a.rec.ndjson')) ?? []
  await run('-', bytes)
  expect(text('a.rec.ndjson')).toContain(`"source":{"sha256":"${ofFile}"}`)
})

test('without -o the recording has the name without what it was packed as', async () => {
  writeFileSync(join(cwd, 'lunch.har.gz'), gzipSync(har))
  const { io } = createTestIo({ cwd, env: { XDG_CONFIG_HOME: join(cwd, 'configuration') } })
  await runImport({ file: 'lunch.har.gz' }, io)
  expect(readdirSync(join(cwd, 'recordings'))).toEqual(['lunch.rec.ndjson'])
})

test('a file that breaks off is imported up to there, and the break is named', async () => {
  const bytes = gzipSync(archive(2000))
  const { code, stderr } = await run('-', bytes.subarray(0, bytes.length / 2))
  expect(code).toBe(0)
  expect(entries().length).toBeGreaterThan(500)
  expect(stderr).toMatch(
    /byte \d+ of what it unpacks to: what is packed as gzip is damaged there, or ends too early \(.*\); nothing behind it/,
  )
})

test('a file of which nothing can be unpacked ends with 2 and writes nothing', async () => {
  writeFileSync(join(cwd, 'no.har.gz'), Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]))
  const { code, stderr } = await run('no.har.gz')
  expect(code).toBe(2)
  expect(stderr).toContain('byte 0 of what it unpacks to: what is packed as gzip is damaged there')
  expect(stderr).toContain('nothing in no.har.gz could be read as har')
  expect(readdirSync(cwd)).not.toContain('a.rec.ndjson')
})

test('a little that stands for very much is read in flat memory, and not to its end', async () => {
  const problems: object[] = []
  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '))
  let bytes = 0
  const limits = { freeBytes: 1_000_000, maxRatio: 100 }
  for await (const piece of unpack(Readable.from([bomb]), 'gzip', (p) => problems.push(p), limits))
    bytes += piece.length
  expect(bytes).toBeLessThanOrEqual(bomb.length * 100)
  expect(problems).toEqual([
    {
      where: expect.stringMatching(/^byte \d+ of what it unpacks to$/) as string,
      message: 'it unpacks to more than 100 times its size',
      fatal: true,
    },
  ])
})

test('Playwright: bodies that stand in files of their own in the archive come into the recording', async () => {
  const content = { mimeType: 'application/json', size: 9, _file: 'body.json' }
  const missing = { ...content, _file: 'none.json' }
  const log = { version: '1.2', entries: [entry(0, content), entry(1, missing)] }
  const files = [
    { name: 'body.json', content: '{"id":"o-0"}' },
    { name: 'har.har', content: JSON.stringify({ log }) },
  ]
  const { stdout } = await run('-', zipOf(files))
  expect(entries()[0]).toMatchObject({ response: { content: { text: '{"id":"o-0"}' } } })
  expect(stdout).toContain('1 a body is in a file, which was not read')
})

test('a zip says what was not read of it, and is refused with what is in it', async () => {
  const file = (name: string) => ({ name, content: har })
  // Of its own: tests beside this one unpack what they read as well.
  const own = mkdtempSync(join(tmpdir(), 'unpacked-'))
  vi.stubEnv('TMPDIR', own)
  const { stderr } = await run('-', zipOf([file('a.har'), file('b.har')]))
  expect(stderr).toContain('sparring: the archive: not read: b.har')
  const names = Array.from({ length: 12 }, (_, index) => file(`${index}.txt`))
  expect(await refusal(run('-', zipOf(names)))).toContain(
    'it is a zip archive without a .har in it; there are 0.txt, 1.txt, 2.txt, 3.txt, 4.txt, 5.txt, 6.txt, 7.txt, 8.txt, 9.txt and 2 more. Unpack it',
  )
  expect(await refusal(run('-', zipOf([])))).toContain('it is an empty zip archive')
  expect(await refusal(run('-', zipOf([{ ...file('a.har'), isEncrypted: true }])))).toContain(
    'a.har in it is encrypted',
  )
  expect(await refusal(run('-', zipOf([file('a.har')]).subarray(0, -40)))).toContain(
    'it is a zip archive, and it has no directory: it breaks off',
  )
  vi.unstubAllEnvs()
  expect(readdirSync(own)).toEqual([])
})

test('a zip that unpacks to very much ends with what is wrong with it', async () => {
  const content = Buffer.alloc(70 * 1024 ** 2, 'a')
  writeFileSync(join(cwd, 'bomb.zip'), zipOf([{ name: 'a.har', content }]))
  const { code, stderr } = await run('bomb.zip')
  expect(code).toBe(2)
  expect(stderr).toContain('it unpacks to more than 500 times its size')
  expect(stderr).toContain('Nothing was written')
})

test('bodies that all together unpack to very much are left out, and their number is said', async () => {
  // No text, whose redaction would take most of the time of this test.
  const bomb = gzipSync(Buffer.alloc(15 * 1024 ** 2, 0xff)).toString('base64')
  const coded = (index: number, body: string) => {
    const each = entry(index, { mimeType: 'application/json', encoding: 'base64', text: body })
    const headers = [{ name: 'Content-Encoding', value: 'gzip' }]
    return { ...each, response: { ...each.response, headers } }
  }
  const small = gzipSync('{"id":"o-1"}').toString('base64')
  const all = [small, ...Array.from({ length: 10 }, () => bomb), small]
  const document = { log: { version: '1.2', entries: all.map((body, at) => coded(at, body)) } }
  writeFileSync(join(cwd, 'bomb.har'), JSON.stringify(document))
  const { code, stderr } = await run('bomb.har')
  expect(code).toBe(0)
  expect(stderr).toContain(
    'bodies: all together they unpack to more than 100 times their size: 6 were left out',
  )
  expect(entries()).toHaveLength(12)
  // Those behind are decoded as before.
  expect(JSON.stringify(entries().at(-1))).toContain(
    Buffer.from('{"id":"o-1"}').toString('base64').replace(/=+$/, ''),
  )
})

test('the bound counts every coding, and a file that many entries share', () => {
  const limits = { freeBytes: 1000, maxRatio: 10 }
  const plain = Buffer.alloc(900, 'a')
  for (const [coding, bytes] of [
    ['gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
  ] as const) {
    const bodies = new BodyDecoder(limits)
    expect(bodies.decode(coding, bytes)).toHaveLength(900)
    expect(bodies.decode(coding, bytes)).toBeUndefined()
    expect(bodies.problems()).toMatchObject([
      { message: expect.stringContaining('1 were') as string },
    ])
  }
  const bodies = new BodyDecoder(limits)
  const attachment = bodies.attached((name) => (name === 'a' ? plain : undefined))
  const taken = Array.from({ length: 20 }, () => attachment('a')).filter((each) => each)
  expect(taken).toHaveLength(10)
  expect(attachment('b')).toBeUndefined()
  // What is no body of that coding is none that was too large.
  expect(new BodyDecoder(limits).decode('gzip', Buffer.from('plain'))).toBeUndefined()
})
