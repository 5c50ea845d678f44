// @module-tag slow
/**
 * End-to-end redaction: files of every format are imported and exported again; no secret is in the recording, the
 * exports, the printed output or any other file that is left.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import {
  canaryKinds,
  canaryEncodings,
  archiveEntryWithCanaries,
  exchangeWithCanaries,
  decodeAll,
} from '../../../test/support/canaries.ts'
import { findSecrets, plantSecrets } from '../../../test/support/planted-secrets.ts'
import { isSoak } from '../../../test/support/soak.ts'
import { sampleExchange, sampleT0 } from '../../../test/support/sample-exchange.ts'
import { joinFlows, encodeNetstring } from '../../../test/support/mitmproxy-dump.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import type { Exchange, HeaderPairs } from '../../core/traffic/exchange.ts'
import { createSalt } from '../../core/traffic/recording/line-ids.ts'
import {
  createExchangeFormatter,
  createHeaderLine,
  formatLine,
} from '../../core/traffic/recording/recording-lines.ts'
import { allFormats } from '../../replay/cli/formats/all-formats.ts'
import { runProgram } from '../../sparring/verbs/support/program.ts'
import { exportVerb, importVerb } from '../../replay/cli/verbs.ts'

interface Sample {
  readonly file: string
  readonly content: string | Uint8Array
}

const named = (headers: HeaderPairs) => headers.map(([name, value]) => ({ name, value }))
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const listed = (headers: HeaderPairs) =>
  Object.fromEntries(headers.map(([name, value]) => [name, [value]]))
const flat = (headers: HeaderPairs) => headers.map(([name, value]) => ({ key: name, value }))

const rawHeader = createHeaderLine({
  info: {
    name: 'raw',
    tool: 'sparring/0',
    protocol: { name: 'protocol', version: 'v2' },
    parties: [],
    redaction: { policy: 'none', keyId: null, mode: 'none' },
  },
  t0: sampleT0,
  salt: createSalt(new Uint8Array(9)),
})

const formatRaw = createExchangeFormatter({ header: rawHeader, t0: sampleT0 })

/** The same exchanges in the format of each program. */
const samples: Readonly<Record<string, (exchanges: readonly Exchange[]) => Sample>> = {
  'a raw recording': (exchanges) => ({
    file: 'x.rec.ndjson',
    content: formatLine(rawHeader) + exchanges.map((each) => formatRaw(each)).join(''),
  }),
  'an archive': (exchanges) => ({
    file: 'x.har',
    content: JSON.stringify({
      log: {
        version: '1.2',
        entries: exchanges.map(({ startedAt, tookMs, request, reply, failure }) => ({
          startedDateTime: new Date(startedAt).toISOString(),
          time: tookMs,
          comment: failure?.message,
          request: {
            method: request.method,
            url: request.url,
            headers: named(request.headers),
            postData: { mimeType: '', text: request.body },
          },
          response: {
            status: reply?.status,
            statusText: failure?.message ?? '',
            headers: named(reply?.headers ?? []),
            content: { size: 0, mimeType: '', text: reply?.body },
          },
        })),
      },
    }),
  }),
  curl: (exchanges) => ({
    file: 'x.curl',
    content: exchanges
      .map(({ request: { method, url, headers, body = '' } }) =>
        [
          'curl',
          '-X',
          method,
          quoted(url),
          ...headers.flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
          '--data-raw',
          quoted(body),
        ].join(' '),
      )
      .join('\n'),
  }),
  logs: (exchanges) => ({
    file: 'x.log',
    content: exchanges
      .map(({ startedAt, request, reply, failure }) =>
        JSON.stringify({
          time: startedAt,
          req: {
            method: request.method,
            url: request.url,
            headers: Object.fromEntries(request.headers),
            body: request.body,
          },
          res: {
            statusCode: reply?.status,
            headers: Object.fromEntries(reply?.headers ?? []),
            body: reply?.body,
          },
          err: { message: failure?.message },
        }),
      )
      .join('\n'),
  }),
  mitmproxy: (exchanges) => ({
    file: 'x.mitm',
    content: joinFlows(
      ...exchanges.map(({ request, reply, failure, startedAt }) => {
        const url = new URL(request.url)
        const bytes = (pairs: HeaderPairs) =>
          pairs.map(([name, value]) => [Buffer.from(name), Buffer.from(value)])
        const times = { timestamp_start: startedAt / 1000, timestamp_end: startedAt / 1000 + 0.1 }
        return encodeNetstring({
          type: 'http',
          version: 21,
          comment: failure?.message ?? '',
          error: { msg: failure?.message ?? '', timestamp: startedAt / 1000 },
          request: {
            ...times,
            method: Buffer.from(request.method),
            scheme: Buffer.from('http'),
            host: url.hostname,
            port: 80,
            authority: Buffer.from(''),
            path: Buffer.from(url.pathname + url.search),
            headers: bytes(request.headers),
            content: Buffer.from(request.body ?? ''),
          },
          response: {
            ...times,
            status_code: reply?.status ?? 200,
            headers: bytes(reply?.headers ?? []),
            content: Buffer.from(reply?.body ?? ''),
          },
        })
      }),
    ),
  }),
  postman: (exchanges) => ({
    file: 'x.postman_collection.json',
    content: JSON.stringify({
      info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: exchanges.map(({ request, reply, failure }) => ({
        name: failure?.message,
        request: {
          method: request.method,
          url: request.url,
          header: flat(request.headers),
          body: { mode: 'raw', raw: request.body },
        },
        response: [
          {
            name: failure?.message,
            code: reply?.status,
            header: flat(reply?.headers ?? []),
            body: reply?.body,
          },
        ],
      })),
    }),
  }),
  goreplay: (exchanges) => ({
    file: 'x.gor',
    content: exchanges
      .map(({ request, reply, startedAt }, index) => {
        const url = new URL(request.url)
        const head = (pairs: HeaderPairs) =>
          pairs.map(([name, value]) => `${name}: ${value}\r\n`).join('')
        return (
          `1 a${index} ${Math.floor(startedAt)}000000 0\n${request.method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: h\r\n${head(request.headers)}\r\n${request.body}\n🐵🙈🙉\n` +
          `2 a${index} ${Math.floor(startedAt) + 5}000000 0\nHTTP/1.1 ${reply?.status} OK\r\n${head(reply?.headers ?? [])}\r\n${reply?.body}\n🐵🙈🙉\n`
        )
      })
      .join(''),
  }),
  vcr: (exchanges) => ({
    file: 'x.yml',
    content: stringify({
      interactions: exchanges.map(({ request, reply, startedAt }) => ({
        request: { ...request, headers: listed(request.headers) },
        response: { code: reply?.status, headers: listed(reply?.headers ?? []), body: reply?.body },
        recorded_at: new Date(startedAt).toISOString(),
      })),
    }),
  }),
  curltrace: (exchanges) => ({
    file: 'x.trace',
    content: exchanges
      .map(({ request, reply, failure }) => {
        const url = new URL(request.url)
        const lines = (mark: string, pairs: HeaderPairs) => [
          ...pairs.map(([name, value]) => `${mark} ${name}: ${value}`),
          mark,
        ]
        const { body = '' } = request
        return [
          `$ curl -v -X ${request.method} ${quoted(request.url)} --data-raw ${quoted(body)}`,
          `> ${request.method} ${url.pathname}${url.search} HTTP/1.1`,
          ...lines('>', [['Host', url.host], ...request.headers, ['Content-Length', '1']]),
          `< HTTP/1.1 ${reply?.status} OK`,
          ...lines('<', reply?.headers ?? []),
          reply?.body,
          `curl: (7) ${failure?.message}`,
          '',
        ].join('\n')
      })
      .join(''),
  }),
}

const program = { name: 'sparring', summary: 'x', version: '0', verbs: [importVerb, exportVerb] }

/** A fixed key: with random keys a placeholder would occasionally equal a canary. */
function keyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-key-'))
  mkdirSync(join(folder, 'sparring'), { mode: 0o700 })
  writeFileSync(
    join(folder, 'sparring', 'redaction.key'),
    `${'a7'.repeat(32)}
`,
    { mode: 0o600 },
  )
  return folder
}
const environment = { XDG_CONFIG_HOME: keyFolder() }

async function sparring(folder: string, ...argv: readonly string[]): Promise<string> {
  const { io, written } = createTestIo({ cwd: folder, env: environment })
  const code = await runProgram(program, argv, io)
  const { stdout, stderr } = written()
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr}`)
  return `${stdout}\n${stderr}`
}

const encodingAt = (index: number): string =>
  Object.keys(canaryEncodings)[index % Object.keys(canaryEncodings).length] ?? ''

/** The soak exports every sample in every format; `npm test` each in every third, and all in all of them. */
const shares = isSoak ? 1 : 3

/** Imports a file, exports it, and returns everything that was written or printed. `nth` chooses the formats. */
async function passed({ file, content }: Sample, nth: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-proof-'))
  const source = join(mkdtempSync(join(tmpdir(), 'sparring-source-')), file)
  writeFileSync(source, content)
  const recording = join(folder, 'x.rec.ndjson')
  let printed = await sparring(folder, 'import', source, '-o', recording)
  const exported = allFormats
    .filter(({ exporter }) => exporter !== undefined)
    .filter((_, index) => index % shares === nth % shares)
  for (const { name } of exported)
    printed += await sparring(
      folder,
      'export',
      recording,
      '--format',
      name,
      '-o',
      join(folder, `out.${name}`),
    )
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(files.length).toBeGreaterThan(exported.length)
  return [
    printed,
    ...files.flatMap((name) => [name, ...readFileSync(join(folder, name), 'utf8').split('\n')]),
  ].join('\n')
}

const decoded = (text: string): string => text.split('\n').map(decodeAll).join('\n')

const planted = () =>
  canaryKinds
    .filter((_, index) => index % 2 === 0)
    .map((kind, index) =>
      exchangeWithCanaries(
        sampleExchange(index + 1, { startedAt: sampleT0 + index * 10 }),
        kind,
        encodingAt(index),
      ),
    )

const nthSample = (name: string): number => Object.keys(samples).indexOf(name)

test.each(Object.entries(samples))('%s', async (name, sampleOf) => {
  const all = planted()
  const sample = sampleOf(all.map(({ value }) => value))
  const traces = all.flatMap((each) => [...each.traces.keys()])
  const before = decoded(Buffer.from(sample.content).toString('utf8'))
  expect(traces.filter((trace) => before.includes(trace)).length).toBeGreaterThan(traces.length / 2)
  const after = decoded(await passed(sample, nthSample(name)))
  expect(traces.filter((trace) => after.includes(trace))).toEqual([])
})

test('every format that can be imported is proven', () => {
  // Recordings of ours are proven where they are redacted.
  const proven = new Set([...Object.keys(samples), 'har', 'recording'])
  expect(
    allFormats
      .filter(({ importer, name }) => importer && !proven.has(name))
      .map(({ name }) => name),
  ).toEqual([])
})

test('har', async () => {
  const all = canaryKinds.map((kind, index) =>
    archiveEntryWithCanaries(kind, encodingAt(index + 3)),
  )
  const traces = all.flatMap((each) => [...each.traces.keys()])
  const [first] = all
  const log = { version: '1.2', ...first?.value.log, entries: all.map(({ value }) => value.entry) }
  const after = decoded(await passed({ file: 'x.har', content: JSON.stringify({ log }) }, 2))
  expect(after).toContain('~txt(')
  expect(traces.filter((trace) => after.includes(trace))).toEqual([])
})

/** Where a secret is recognised that the format of another program does not have, or our sample of it. */
const notIn: Readonly<Record<string, RegExp>> = {
  curl: /^a (?:new cookie|token in a reply|location)$/,
  mitmproxy: /^(?:the login of a URL|a fragment)$/,
  goreplay: /^(?:the login of a URL|a fragment)$/,
  curltrace: /^(?:the login of a URL|a fragment|a part of a form)$/,
}

test.each(Object.entries(samples))(
  '%s: of all planted secrets that stand twice none is left',
  async (format, sampleOf) => {
    const { exchanges, secrets } = plantSecrets(
      (place, n) => n % 2 === 0 && notIn[format]?.test(place) !== true,
    )
    expect(secrets.length).toBeGreaterThanOrEqual(117)
    const sample = sampleOf(exchanges)
    expect(
      findSecrets(Buffer.from(sample.content).toString('utf8'), secrets).length,
    ).toBeGreaterThan(secrets.length * 0.9)
    expect(findSecrets(await passed(sample, nthSample(format) + 1), secrets)).toEqual([])
  },
)
