// @module-tag slow
/** `sparring import` and `export` on real files: results, messages, and what remains after failures. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  write,
  fdatasync,
} from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Disk } from '../../../core/runtime/recording/appender.ts'
import { lockFile } from '../../../core/runtime/recording/file-lock.ts'
import { Problem } from '../../../core/base/problem.ts'
import { commandLine, emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { problemIn, runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { createRecordingReader } from '../../../core/traffic/recording/reader.ts'
import { runImport } from './run-import.ts'
import { words } from '../../../../test/support/shell-words.ts'

let cwd = ''
beforeEach(() => (cwd = emptyFolder()))
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const path = (name: string): string => join(cwd, name)
const text = (name: string): string => readFileSync(path(name), 'utf8')

/** Tests use their own redaction key. */
const environment = () => ({ XDG_CONFIG_HOME: path('configuration') })

async function sparring(args: readonly string[], more: Parameters<typeof createTestIo>[0] = {}) {
  const { io, written } = createTestIo({ cwd, env: environment(), ...more })
  const code = await runVerbs(args, io)
  return { code, ...written() }
}

const problemOf = (args: readonly string[]): Promise<string> => problemIn(sparring(args))

const entry = (index: number) => ({
  startedDateTime: new Date(Date.UTC(2026, 10, 22) + index * 1000).toISOString(),
  time: 12,
  request: {
    method: 'GET',
    url: `https://partner.example/v2/orders/o-${index}`,
    headers: [{ name: 'Authorization', value: 'Bearer the-secret-of-the-partner' }],
    cookies: [{ name: 'session', value: 'a-cookie-that-opens-doors' }],
  },
  response: {
    status: 200,
    headers: [],
    content: { text: JSON.stringify({ id: `o-${index}`, customer: { name: 'Ana Souza' } }) },
  },
  timings: { send: 1, wait: 10, receive: 1 },
})

const archive = (count: number, more: object = {}): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'Maker', version: '7' },
      entries: Array.from({ length: count }, (_, index) => entry(index)),
      ...more,
    },
  })

const wholeLines = (recording: string) => {
  const reader = createRecordingReader()
  const lines = reader.feed(recording)
  const { summary } = reader.finish()
  return { exchanges: lines.filter(({ kind }) => kind === 'exchange').length, summary }
}

test('importing a folder is refused with the command that turns it into a file', async () => {
  mkdirSync(path('week'))
  expect(await problemOf(['import', 'week'])).toBe(
    'importing week: it is a folder. Name a file in it. A recording in a folder becomes a file so: sparring export week -o one.rec.ndjson',
  )
})

test('a HAR is imported as a redacted recording, and the summary is printed', async () => {
  writeFileSync(path('lunch.har'), archive(3))
  const { code, stdout, stderr } = await sparring(words`import lunch.har --as software-service`)
  expect(code).toBe(0)
  expect(stderr).toBe('format: har (it begins like one, and is called *.har)\n')
  expect(stdout).toContain('3 exchanges  from 2026-11-22T00:00:00.000Z to 2026-11-22T00:00:02.000Z')
  expect(stdout).toContain('operations  3 getOrder')
  expect(stdout).toMatch(/redacted {4}6 token, 3 name/)
  const recording = text('recordings/lunch.rec.ndjson')
  for (const secret of ['the-secret', 'a-cookie', 'Ana Souza'])
    expect(recording).not.toContain(secret)
  const { exchanges, summary } = wholeLines(recording)
  expect({ exchanges, problems: summary.problems }).toEqual({ exchanges: 3, problems: [] })
  const hash = createHash('sha256').update(text('lunch.har')).digest('hex')
  expect(summary.header?._rec).toMatchObject({
    name: 'lunch',
    redaction: { mode: 'pseudonym' },
    parties: [{ party: 'subject', role: 'software-service' }],
    source: { kind: 'har', file: 'lunch.har', sha256: hash, creator: { name: 'Maker' } },
  })
  const before = recording.slice(0, recording.indexOf('{"_rec":{"v":1,"type":"end"'))
  expect(summary.end?._rec.sha256).toBe(createHash('sha256').update(before).digest('hex'))
  expect(readdirSync(path('recordings'))).toEqual(['lunch.rec.ndjson'])
})

test('export and re-import of a recording is byte-identical', async () => {
  writeFileSync(path('lunch.har'), archive(40))
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  expect((await sparring(['export', 'a.rec.ndjson', '-o', 'b.har'])).stderr).toContain(
    '40 exchanges as har',
  )
  await sparring(['import', 'b.har', '-o', 'b.rec.ndjson'])
  expect(text('b.rec.ndjson')).toBe(text('a.rec.ndjson'))
  const { stdout } = await sparring(['export', 'a.rec.ndjson'])
  expect(stdout).toBe(text('b.har'))
})

test('a raw import keeps everything, prints a warning, and is redacted by a second import', async () => {
  // Members behind the entries are kept too, and contain a secret.
  const more = { comment: 'ring at Ana Souza', browser: { password: 'behind-the-entries' } }
  writeFileSync(path('lunch.har'), archive(2, more))
  expect(await problemOf(['import', 'lunch.har', '--raw'])).toContain('or say --raw=unsafe')
  expect(existsSync(path('recordings'))).toBe(false)
  const raw = await sparring(['import', 'lunch.har', '--raw=unsafe'])
  expect(raw.stderr).toContain('!! RAW: nothing is redacted.')
  const file = 'recordings/raw/lunch.rec.ndjson'
  expect(text(file)).toContain('the-secret-of-the-partner')
  expect(statSync(path(file)).mode & 0o777).toBe(0o600)
  await sparring(['export', file, '--plain', '-o', 'again.har'])
  expect(JSON.stringify(JSON.parse(text('again.har')))).toBe(text('lunch.har'))
  expect(statSync(path('again.har')).mode & 0o777).toBe(0o600)
  const clean = await sparring(['import', file])
  expect(clean.stderr).toContain('format: recording')
  const cleaned = text('recordings/lunch-clean.rec.ndjson')
  for (const secret of ['the-secret-of-the-partner', 'Ana Souza', 'behind-the-entries'])
    expect(cleaned).not.toContain(secret)
  expect(wholeLines(cleaned)).toMatchObject({ exchanges: 2, summary: { problems: [] } })
  await sparring(['import', 'recordings/lunch-clean.rec.ndjson', '-o', 'twice.rec.ndjson'])
  expect(text('twice.rec.ndjson')).toBe(cleaned)
})

test('--raw writes only to a git-ignored location', async () => {
  mkdirSync(path('.git'))
  writeFileSync(path('.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(path('lunch.har'), archive(1))
  expect(await problemOf(['import', 'lunch.har', '--raw', '-o', 'x.rec.ndjson'])).toContain('git')
  expect(existsSync(path('x.rec.ndjson'))).toBe(false)
})

test('neither import nor export overwrites a file without --force', async () => {
  writeFileSync(path('lunch.har'), archive(1))
  writeFileSync(path('there.rec.ndjson'), 'precious')
  writeFileSync(path('there.har'), 'precious')
  expect(await problemOf(['import', 'lunch.har', '-o', 'there.rec.ndjson'])).toContain(
    'it is there already. Name another file with -o, or take its place with --force',
  )
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  expect(await problemOf(['export', 'a.rec.ndjson', '-o', 'there.har'])).toContain('--force')
  expect(text('there.rec.ndjson') + text('there.har')).toBe('preciousprecious')
  await sparring(['import', 'lunch.har', '-o', 'there.rec.ndjson', '--force'])
  await sparring(['export', 'a.rec.ndjson', '-o', 'there.har', '--force'])
  expect(wholeLines(text('there.rec.ndjson')).exchanges).toBe(1)
  expect(text('there.har')).toContain('"log"')
})

test('a recording that is locked by a recorder is not replaced', async () => {
  writeFileSync(path('lunch.har'), archive(1))
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  const lock = lockFile(path('a.rec.ndjson'))
  expect(await problemOf(['import', 'lunch.har', '-o', 'a.rec.ndjson', '--force'])).toContain(
    'is writing to it',
  )
  if (lock.ok) lock.value.release()
})

test('a truncated file is imported up to the break, which is reported; the exit code is 0', async () => {
  const whole = archive(3)
  writeFileSync(path('broken.har'), whole.slice(0, -40))
  const { code, stderr } = await sparring(['import', 'broken.har', '-o', 'a.rec.ndjson'])
  expect(code).toBe(0)
  expect(stderr).toContain(
    `sparring: byte ${whole.length - 40}: it ends in the middle of an entry, in entry 3`,
  )
  expect(wholeLines(text('a.rec.ndjson'))).toMatchObject({
    exchanges: 2,
    summary: { problems: [] },
  })
})

test('a file of unknown format is refused: what it looks like, and what it may be', async () => {
  writeFileSync(path('cat.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]))
  writeFileSync(path('page.har.html'), '<!doctype html><p>no')
  writeFileSync(path('x.bin'), Buffer.from([1, 2, 0, 4]))
  expect(await problemOf(['import', 'cat.jpg'])).toMatch(
    /^importing cat.jpg: its beginning looks like no format that is known here, but like a picture\. Say which it is with --format: har, /,
  )
  expect(await problemOf(['import', 'page.har.html'])).toContain('but like an HTML page')
  expect(await problemOf(['import', 'x.bin'])).toContain('begins with the bytes 01 02 00 04')
  expect(await problemOf(['import', 'nothing.har'])).toContain('there is no such file')
  expect(await problemOf(['import', 'cat.jpg', '--format', 'hra'])).toContain('Did you mean har?')
})

test.each([
  ['pcap', [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0]],
  ['pcapng', [0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a]],
])('a packet capture (%s) is refused with what makes a HAR of it', async (_, bytes) => {
  writeFileSync(path('lunch.cap'), Buffer.from(bytes))
  expect(await problemOf(['import', 'lunch.cap'])).toMatch(
    /^importing lunch.cap: it is a packet capture, which is not read here\. Make a HAR of it first: pcapng_to_har .* editcap --inject-secrets tls,/,
  )
})

test.each([
  ['no.har', '{"log":7}', 'har', 'because it is called *.har: see above. It looks like JSON'],
  ['empty.har', '', 'har', 'because it was said so: see above. It looks like nothing: it is empty'],
  ['none.har', archive(0), 'har', 'there is no exchange in it. It looks like JSON'],
  ['x.mitm', '7:5:hello,]', 'mitmproxy', 'could be read as mitmproxy'],
  ['x.log', 'no log\nno line\n', 'logs', 'It looks like text'],
  ['x.sh', 'cd /tmp\n', 'curl', 'could be read as curl'],
])(
  'a file in which nothing is readable ends with 2, says what was tried and seen, and writes nothing: %s',
  async (file, content, format, expected) => {
    writeFileSync(path(file), content)
    writeFileSync(path('there.rec.ndjson'), 'precious')
    const said = file === 'no.har' ? [] : ['--format', format]
    for (const output of ['x.rec.ndjson', 'there.rec.ndjson']) {
      const { code, stdout, stderr } = await sparring(
        words`import ${file} ${said} -o ${output} --force`,
      )
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`sparring: nothing in ${file} could be read as ${format}, which was`)
      expect(stderr).toContain(expected)
    }
    expect(existsSync(path('x.rec.ndjson'))).toBe(false)
    expect(text('there.rec.ndjson')).toBe('precious')
    const { code, stdout } = await sparring(['import', file, ...said, '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ file: null, exchanges: 0, whole: false, format })
    expect(stdout).toContain('Nothing was written')
    expect(readdirSync(cwd).filter((name) => /partial|lock/.test(name))).toEqual([])
  },
)

test('--host and --as assign the roles, and invalid values are refused', async () => {
  writeFileSync(path('lunch.har'), archive(1))
  const how = ['--as', 'delivery-platform', '--host', 'https://partner.example=software-service']
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson', ...how])
  const [header, line] = text('a.rec.ndjson').split('\n')
  expect(JSON.parse(line!)).toMatchObject({
    _rec: {
      op: 'getOrder',
      params: { orderId: 'o-0' },
      corr: { order: 'o-0' },
      to: { role: 'software-service', party: 'partner' },
    },
  })
  expect(JSON.parse(header!)).toMatchObject({
    _rec: {
      parties: [
        { party: 'subject', role: 'delivery-platform' },
        { party: 'partner', role: 'software-service', base: 'https://partner.example' },
      ],
    },
  })
  expect(await problemOf(['import', 'lunch.har', '--host', 'x'])).toContain('names no URL')
  expect(await problemOf(['import', 'lunch.har', '--host', 'http://x=crn'])).toContain(
    'Did you mean crm?',
  )
})

test('stdin can be imported; its hash is written to the end line', async () => {
  const input = archive(2)
  const { stdout } = await sparring(['import', '-', '-o', 'a.rec.ndjson', '--json'], { input })
  expect(JSON.parse(stdout)).toMatchObject({
    format: 'har',
    exchanges: 2,
    whole: true,
    problems: [],
  })
  const end = JSON.parse(text('a.rec.ndjson').trimEnd().split('\n').at(-1)!) as object
  expect(end).toMatchObject({
    _rec: { type: 'end', source: { sha256: createHash('sha256').update(input).digest('hex') } },
  })
})

/** A disk that is full after this many bytes. */
const fullAfter = (bytes: number): Disk => {
  let left = bytes
  return {
    write(fd, piece, done) {
      if (left <= 0) return done(Object.assign(new Error('no space'), { code: 'ENOSPC' }), 0)
      const some = piece.subarray(0, left)
      left -= some.length
      write(fd, some, done)
    },
    force: fdatasync,
  }
}

test('a full disk is reported, and the file contains only whole lines', async () => {
  writeFileSync(path('lunch.har'), archive(3000))
  const { io } = createTestIo({ cwd, env: environment() })
  const failed: unknown = await runImport(
    { file: 'lunch.har', output: 'a.rec.ndjson' },
    io,
    fullAfter(300_000),
  ).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(Problem)
  expect((failed as Problem).message).toMatch(
    /the disk is full .*exchanges had been read until then/,
  )
  const recording = text('a.rec.ndjson')
  expect(recording.endsWith('\n')).toBe(true)
  const { exchanges, summary } = wholeLines(recording)
  expect(exchanges).toBeGreaterThan(10)
  expect(summary.problems).toEqual([])
  expect(existsSync(path('a.rec.ndjson.lock'))).toBe(false)
})

test('a full disk leaves the recording that was to be replaced unchanged', async () => {
  writeFileSync(path('lunch.har'), archive(3000))
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  const before = text('a.rec.ndjson')
  const { io } = createTestIo({ cwd, env: environment() })
  const options = { file: 'lunch.har', output: 'a.rec.ndjson', force: true } as const
  await expect(runImport(options, io, fullAfter(300_000))).rejects.toThrow('the disk is full')
  expect(text('a.rec.ndjson')).toBe(before)
  expect(readdirSync(cwd).filter((name) => name.startsWith('a.rec'))).toEqual(['a.rec.ndjson'])
})

test('an import that is killed leaves a readable, truncated recording', async () => {
  const output = path('a.rec.ndjson')
  const line = commandLine('import', '-', '--format', 'har', '-o', output)
  const child = spawn(line.file, line.args, {
    cwd,
    env: { PATH: process.env['PATH'], ...line.env, ...environment() },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.on('error', () => undefined)
  const half = archive(4000).slice(0, -200_000)
  child.stdin.write(half)
  const enough = 1_000_000
  while (!existsSync(output) || readFileSync(output).length < enough)
    await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { exchanges, summary } = wholeLines(text('a.rec.ndjson'))
  expect(exchanges).toBeGreaterThan(500)
  expect(summary.problems).toEqual([])
  expect(summary.end).toBeUndefined()
  expect(text('a.rec.ndjson')).not.toContain('the-secret-of-the-partner')
  // The stale lock is taken over, and the truncated recording can be exported.
  const { code, stdout } = await sparring(['export', 'a.rec.ndjson', '--plain'])
  expect(code).toBe(0)
  expect((JSON.parse(stdout) as { log: { entries: object[] } }).log.entries).toHaveLength(exchanges)
})

test('an interrupted import exits with 130 and keeps the exchanges read so far', async () => {
  const stdin = new PassThrough()
  const { io, written, interrupt } = createTestIo({ cwd, env: environment(), stdin: () => stdin })
  const running = runVerbs(['import', '-', '-o', 'a.rec.ndjson'], io)
  stdin.write(archive(600).slice(0, -2))
  await new Promise((resolve) => setTimeout(resolve, 50))
  interrupt('SIGINT')
  stdin.end(' ')
  expect(await running).toBe(130)
  expect(written().stderr).toContain('interrupted')
  expect(wholeLines(text('a.rec.ndjson'))).toMatchObject({ summary: { problems: [] } })
})

test('an interrupted import with --force reports that the existing recording is unchanged', async () => {
  writeFileSync(path('lunch.har'), archive(3))
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  const before = text('a.rec.ndjson')
  const stdin = new PassThrough()
  const { io, written, interrupt } = createTestIo({ cwd, env: environment(), stdin: () => stdin })
  const running = runVerbs(['import', '-', '-o', 'a.rec.ndjson', '--force'], io)
  stdin.write(archive(600).slice(0, -2))
  await new Promise((resolve) => setTimeout(resolve, 50))
  interrupt('SIGINT')
  stdin.end(' ')
  expect(await running).toBe(130)
  expect(text('a.rec.ndjson')).toBe(before)
  expect(written().stderr).toContain(`interrupted; ${path('a.rec.ndjson')} stays as it was`)
  expect(written().stdout).toBe('')
  expect(readdirSync(cwd).filter((name) => /partial|lock/.test(name))).toEqual([])
})

test('an export to a closed pipe ends without an error', async () => {
  writeFileSync(path('lunch.har'), archive(3000))
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  const line = commandLine('export', path('a.rec.ndjson'))
  const child = spawn(line.file, line.args, { env: { PATH: process.env['PATH'], ...line.env } })
  let stderr = ''
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()))
  child.stdout.once('data', () => child.stdout.destroy())
  const [code] = (await once(child, 'exit')) as [number | null]
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('an impossible export is refused with an explanation', async () => {
  writeFileSync(path('lunch.har'), archive(1))
  expect(await problemOf(['export', 'lunch.har'])).toContain('sparring import')
  expect(await problemOf(['export', 'nothing.rec.ndjson'])).toContain('there is no such file')
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  expect(await problemOf(['export', 'a.rec.ndjson', '--format', 'harr'])).toContain(
    'Did you mean har?',
  )
  expect(await problemOf(['export', 'a.rec.ndjson', '--base', 'nowhere'])).toContain(
    'is no http or https URL',
  )
})

test('a broken line of a recording is reported and left out of the export', async () => {
  writeFileSync(path('lunch.har'), archive(2))
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  const [header, first, second, end] = text('a.rec.ndjson').split('\n')
  writeFileSync(path('b.rec.ndjson'), [header, first, '{"_rec"', second, end, ''].join('\n'))
  const { stdout, stderr } = await sparring(['export', 'b.rec.ndjson', '--plain'])
  expect(stderr).toBe('sparring: b.rec.ndjson: line 3: it is no JSON; it was left out\n')
  expect((JSON.parse(stdout) as { log: { entries: object[] } }).log.entries).toHaveLength(2)
})

test('without --format the extension of the output file selects the format', async () => {
  writeFileSync(path('lunch.har'), archive(1))
  await sparring(['import', 'lunch.har', '-o', 'a.rec.ndjson'])
  for (const [file, begin] of [
    ['a.sh', '#!/bin/sh\n'],
    ['a.yaml', 'name: lunch'],
    ['a.test.ts', '/**\n * Made of the recording'],
    ['a.har', '{"log":{'],
  ] as const) {
    await sparring(['export', 'a.rec.ndjson', '-o', file])
    expect(text(file)).toContain(begin)
  }
})
