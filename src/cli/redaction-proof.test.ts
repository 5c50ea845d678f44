/**
 * End-to-end redaction: files of every format are imported and exported again; no secret is in the recording, the
 * exports, the printed output or any other file that is left.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  canaryKinds,
  canaryEncodings,
  archiveEntryWithCanaries,
  exchangeWithCanaries,
  decodeAll,
} from '../../test/support/canaries.ts'
import { sampleExchange, sampleT0 } from '../../test/support/sample-exchange.ts'
import { joinFlows, encodeNetstring } from '../../test/support/mitmproxy-dump.ts'
import { createTestIo } from '../../test/support/test-io.ts'
import type { Exchange, HeaderPairs } from '../traffic/exchange.ts'
import { allFormats } from './formats/all-formats.ts'
import { runProgram } from './program.ts'
import { exportVerb } from './verbs/export.ts'
import { importVerb } from './verbs/import.ts'

interface Sample {
  readonly file: string
  readonly content: string | Uint8Array
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const flat = (headers: HeaderPairs) => headers.map(([name, value]) => ({ key: name, value }))

/** The same exchanges in the format of each program. */
const samples: Readonly<Record<string, (exchanges: readonly Exchange[]) => Sample>> = {
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

/** Imports a file, exports it in every format, and returns everything that was written or printed. */
async function passed({ file, content }: Sample): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-proof-'))
  const source = join(mkdtempSync(join(tmpdir(), 'sparring-source-')), file)
  writeFileSync(source, content)
  const recording = join(folder, 'x.rec.ndjson')
  let printed = await sparring(folder, 'import', source, '-o', recording)
  for (const { name, exporter } of allFormats)
    if (exporter)
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
  expect(files.length).toBeGreaterThan(3)
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

test.each(Object.entries(samples))('%s', async (_, sampleOf) => {
  const all = planted()
  const sample = sampleOf(all.map(({ value }) => value))
  const traces = all.flatMap((each) => [...each.traces.keys()])
  const before = decoded(Buffer.from(sample.content).toString('utf8'))
  expect(traces.filter((trace) => before.includes(trace)).length).toBeGreaterThan(traces.length / 2)
  const after = decoded(await passed(sample))
  expect(traces.filter((trace) => after.includes(trace))).toEqual([])
})

test('har', async () => {
  const all = canaryKinds.map((kind, index) =>
    archiveEntryWithCanaries(kind, encodingAt(index + 3)),
  )
  const traces = all.flatMap((each) => [...each.traces.keys()])
  const [first] = all
  const log = { version: '1.2', ...first?.value.log, entries: all.map(({ value }) => value.entry) }
  const after = decoded(await passed({ file: 'x.har', content: JSON.stringify({ log }) }))
  expect(after).toContain('~txt(')
  expect(traces.filter((trace) => after.includes(trace))).toEqual([])
})
