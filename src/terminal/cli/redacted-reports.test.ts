// @module-tag slow
/**
 * Secrets that a service under test sends and answers, in all that `run` and `certify` leave: every reporter, what is
 * printed, the recordings, and each file of a bundle.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openCertifyVerb } from '../../../test/support/certify-verb.ts'
import { runInProcess } from '../../../test/support/run-in-process.ts'
import { emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { spelledSecrets } from '../../../test/support/spelled-secrets.ts'
import { unpackBundle } from '../../certify/cli/pack-bundle.ts'
import { runReporters } from './run/reporters/catalogue.ts'

const left = (text: string): readonly string[] =>
  spelledSecrets.filter(({ secret }) => text.includes(secret)).map(({ title }) => title)

/** The text of a file, unpacked where it is compressed. */
function textIn(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  const isZstd = bytes[0] === 0x28 && bytes[1] === 0xb5
  const plain = isGzip ? gunzipSync(bytes) : isZstd ? zstdDecompressSync(bytes) : bytes
  return Buffer.from(plain).toString('utf8')
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())

/** It sends the planted requests, and refuses every webhook with a text that quotes secrets. */
const leakingService = `
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
const planted = JSON.parse(readFileSync('planted.json', 'utf8'))
const base = new URL(process.env.SPARRING_ORDERING_APPLICATION_URL)
let next = 0
const said = () => planted[next++ % planted.length]
const send = ({ method, path, headers, body }) => new Promise((resolve) => {
  const call = request({ hostname: base.hostname, port: base.port, method, path, headers }, (reply) => reply.resume().on('end', resolve))
  call.on('error', resolve)
  call.end(body)
})
createServer((_, reply) => {
  const { path, body, secretHeaders } = said()
  reply.writeHead(400, { 'content-type': 'application/json', location: path, ...secretHeaders })
  reply.end(JSON.stringify({ error: 'refused ' + path, title: body ?? path, path }))
}).listen(Number(process.argv[2]), '127.0.0.1')
for (const each of planted) await send(each)
`

const plantedRequests = spelledSecrets.map(({ exchange: { request: sent, reply } }) => {
  const { pathname, search } = new URL(sent.url)
  return {
    method: sent.method,
    path: `${pathname}${search}`,
    headers: Object.fromEntries(sent.headers),
    body: sent.body,
    secretHeaders: Object.fromEntries(
      (reply?.headers ?? []).map(([name, value]) => [name, value.split('\n')]),
    ),
  }
})

test('every reporter of a run, what it prints, and its recordings', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'service.mjs'), leakingService)
  writeFileSync(join(cwd, 'planted.json'), JSON.stringify(plantedRequests))
  writeFileSync(
    join(cwd, 's.yaml'),
    `name: An order
about: It goes its way.
orders: { o1: { type: TAKEOUT } }
channel: webhook
steps:
  - create: o1
  - await: { status: CONFIRMED, order: o1, within: 20s }
expect:
  statuses: { o1: CONCLUDED }
`,
  )
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  const names = runReporters.map(({ name }) => name)
  const { code, stdout, stderr } = await runInProcess(
    [
      'run',
      's.yaml',
      '--port',
      '0',
      '--start',
      `exec ${process.execPath} service.mjs ${port}`,
      '--subject',
      `http://127.0.0.1:${port}`,
      '--speed',
      '10',
      '--record',
      join(cwd, 'recordings'),
      ...names.flatMap((name) => ['--reporter', `${name}=report.${name}`]),
    ],
    { cwd },
  )
  expect(`${code} ${stderr}`).toMatch(/^1 /)
  expect(left(stdout + stderr)).toEqual([])
  const files = filesBelow(cwd).filter((file) => !file.endsWith('planted.json'))
  const texts = new Map(files.map((file) => [file, textIn(readFileSync(file))]))
  expect([...texts].map(([file, text]) => [file, left(text)])).toEqual(
    files.map((file) => [file, []]),
  )
  for (const name of names) expect(files).toContain(join(cwd, `report.${name}`))
  expect(texts.get(join(cwd, 'report.junit'))).toContain('<failure')
  const all = [...texts.values()].join('\n')
  // What was sent and answered is there, with other values.
  expect(all.match(/~(?:sec|tok)_[a-z]{10}/g)?.length).toBeGreaterThan(50)
}, 120_000)

/** Passes calls on, and plants secrets in the headers and bodies of the answers. */
async function openLeakingProxy(target: string) {
  let next = 0
  const pass = (to: ServerResponse, status: number, headers: object, body: string): void => {
    const { exchange } = spelledSecrets[next++ % spelledSecrets.length] ?? {}
    const planted = exchange?.request
    const secrets = [...(exchange?.reply?.headers ?? []), ...(planted?.headers ?? [])].filter(
      ([name]) => !/^content-/i.test(name),
    )
    for (const [name, value] of [...Object.entries(headers), ...secrets])
      to.setHeader(name, String(value).split('\n'))
    const isObject = body.startsWith('{')
    const text = isObject
      ? JSON.stringify({
          ...(JSON.parse(body) as object),
          more: { href: planted?.url, title: planted?.body },
        })
      : body
    to.removeHeader('content-length')
    to.removeHeader('transfer-encoding')
    to.writeHead(status).end(text)
  }
  const server = createServer((from, to) => {
    const url = new URL(from.url ?? '', target)
    const { method, headers } = from
    from.pipe(
      request(url, { ...(method === undefined ? {} : { method }), headers }, (reply) => {
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.on('end', () =>
          pass(to, reply.statusCode ?? 0, reply.headers, Buffer.concat(parts).toString('utf8')),
        )
      }),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  return {
    url: target.replace(/:\d+/, `:${port}`),
    answers: () => next,
    close: () => server.close(),
  }
}

test('each file of a bundle, and what certify prints', async () => {
  const verb = await openCertifyVerb()
  const proxy = await openLeakingProxy(verb.url)
  try {
    const { stdout, stderr } = await verb.certify(
      proxy.url,
      '--only',
      'ORD-OPS-05',
      '--setup',
      verb.setup,
      '--bundle',
      'whole.tar',
      '--reporter',
      'junit=report.junit',
      '--reporter',
      'pretty',
    )
    expect(left(stdout + stderr)).toEqual([])
    expect(proxy.answers()).toBeGreaterThan(3)
    expect(left(readFileSync(verb.at('report.junit'), 'utf8'))).toEqual([])
    const unpacked = await unpackBundle(readFileSync(verb.at('whole.tar')))
    if (!unpacked.ok) throw new Error(unpacked.error)
    const files = [...unpacked.value.content].map(([name, bytes]) => [name, textIn(bytes)] as const)
    expect(files.map(([name, text]) => [name, left(text)])).toEqual(
      files.map(([name]) => [name, []]),
    )
    expect(files.map(([, text]) => text).join('\n')).toMatch(/~(?:sec|tok)_[a-z]{10}/)
  } finally {
    proxy.close()
    await verb.close()
  }
}, 120_000)
