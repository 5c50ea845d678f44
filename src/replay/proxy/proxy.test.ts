/** The recording proxy between real sockets; traffic is compared byte by byte. */
import { once } from 'node:events'
import { request as httpRequest, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import {
  connect as connectTls,
  createSecureContext,
  createServer as createTlsServer,
} from 'node:tls'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test, onTestFinished } from 'vitest'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { TrafficLog } from '../../core/traffic/log.ts'
import { makeAuthority, makeServerCertificate } from '../../core/runtime/tls/certificate.ts'
import { type ProxyOptions, type RunningProxy, startProxy } from './proxy.ts'
import { listenOnSocket } from '../../../test/support/on-socket.ts'

const subject = { role: 'software-service', party: 'subject' } as const
const partner = { role: 'ordering-application', party: 'partner' } as const

interface Standing {
  readonly proxy: RunningProxy
  readonly exchanges: Exchange[]
  readonly next: () => Promise<Exchange>
}

async function standing(target: string, more: Partial<ProxyOptions> = {}): Promise<Standing> {
  const log = new TrafficLog()
  const exchanges: Exchange[] = []
  const waiting: ((exchange: Exchange) => void)[] = []
  log.onExchange((exchange) => {
    exchanges.push(exchange)
    waiting.shift()?.(exchange)
  })
  const proxy = await startProxy({
    target,
    from: subject,
    to: partner,
    log,
    recognise: (exchange) => exchange,
    address: '127.0.0.1',
    port: 0,
    onBug: (error) => {
      throw error
    },
    ...more,
  })
  onTestFinished(() => proxy.close())
  return {
    proxy,
    exchanges,
    next: () =>
      exchanges.length > 0
        ? Promise.resolve(exchanges[0]!)
        : new Promise((resolve) => waiting.push(resolve)),
  }
}

/** A target that always sends the same bytes and keeps what it received. */
async function rawPartner(answer: string | Buffer) {
  const heard: Buffer[] = []
  const server = createTcpServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      heard.push(chunk)
      if (Buffer.concat(heard).includes('END')) socket.end(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, heard: () => Buffer.concat(heard).toString('latin1') }
}

async function partnerThat(answer: RequestListener) {
  const server = await listenOnSocket(answer)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server.url
}

/** Sends raw bytes; returns all bytes received. */
async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const got: Buffer[] = []
  socket.on('data', (chunk) => got.push(chunk))
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(got).toString('latin1')
}

test('bytes are forwarded unchanged: order, spelling and duplicates of headers, and the body', async () => {
  const reply =
    'HTTP/1.1 202 As You Wish\r\nX-b: 1\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-B: 2\r\ncontent-length: 5\r\nConnection: close\r\n\r\n{"a":'
  const there = await rawPartner(reply)
  const { proxy, next } = await standing(there.url)
  const host = new URL(there.url).host
  const got = await sendRaw(
    proxy.url,
    `POST /v2/orders/1/confirm?x=%7E~ HTTP/1.1\r\nhOsT: ${host}\r\nX-Two: 1\r\nx-TWO: 2\r\nAuthorization: Bearer t\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"z": 1 }END`,
  )
  expect(there.heard()).toBe(
    `POST /v2/orders/1/confirm?x=%7E~ HTTP/1.1\r\nhOsT: ${host}\r\nX-Two: 1\r\nx-TWO: 2\r\nAuthorization: Bearer t\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"z": 1 }END`,
  )
  expect(got).toBe(reply)
  const exchange = await next()
  expect(exchange).toMatchObject({
    from: subject,
    to: partner,
    request: {
      method: 'POST',
      url: `${there.url}/v2/orders/1/confirm?x=%7E~`,
      body: '{"z": 1 }END',
    },
    reply: { status: 202, body: '{"a":' },
  })
  expect(exchange.request.headers.filter(([name]) => /two/i.test(name))).toEqual([
    ['X-Two', '1'],
    ['x-TWO', '2'],
  ])
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  // Without the header of zlib, as some servers send it.
  ['deflate', deflateRawSync],
  ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
])('a body in %s is forwarded as is and logged decoded', async (coding, compress) => {
  const text = JSON.stringify({ order: 'Água de coco' })
  const bytes = compress(text)
  const url = await partnerThat((_request, response) => {
    response.writeHead(200, { 'content-encoding': coding, 'content-type': 'application/json' })
    response.end(bytes)
  })
  const { proxy, next } = await standing(url)
  const got = await new Promise<Buffer>((resolve) => {
    httpRequest(`${proxy.url}/x`, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    }).end()
  })
  expect(got.equals(bytes)).toBe(true)
  const { reply } = await next()
  expect(reply?.body).toBe(text)
  expect(reply?.wire).toMatchObject({ coding, bytes: bytes.length })
})

test('a binary body, and one with a wrong content coding, is logged as bytes', async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0, 1])
  const url = await partnerThat((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(bytes)
  })
  const { proxy, next } = await standing(url)
  expect(await fetch(`${proxy.url}/x`).then((answer) => answer.status)).toBe(200)
  const { reply } = await next()
  expect(reply?.body).toBeUndefined()
  expect(reply?.wire).toMatchObject({ base64: bytes.toString('base64'), bytes: 4 })
})

test('a body over the limit is forwarded, and only its length and hash are logged', async () => {
  const size = 11 * 1024 * 1024
  const url = await partnerThat((request, response) => {
    request.resume()
    request.on('end', () => response.end('ok'))
  })
  const { proxy, next } = await standing(url)
  const answer = await fetch(`${proxy.url}/x`, { method: 'POST', body: 'x'.repeat(size) })
  expect(await answer.text()).toBe('ok')
  const { request } = await next()
  expect(request.body).toBeUndefined()
  expect(request.wire).toMatchObject({ bytes: size })
  expect(request.wire?.sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('a response is streamed before it has ended', async () => {
  const go = Promise.withResolvers<void>()
  const url = await partnerThat((_request, response) => {
    response.writeHead(200)
    response.write('first ')
    void go.promise.then(() => response.end('second'))
  })
  const { proxy } = await standing(url)
  const answer = await fetch(`${proxy.url}/slow`)
  const reader = answer.body!.getReader()
  const first = await reader.read()
  expect(Buffer.from(first.value!).toString()).toBe('first ')
  go.resolve()
  const second = await reader.read()
  expect(Buffer.from(second.value!).toString()).toBe('second')
})

test('an unreachable target gives 502 with the reason, and the exchange is logged as failed', async () => {
  const { proxy, next } = await standing('http://127.0.0.1:9')
  const answer = await fetch(`${proxy.url}/v2/orders/1`)
  expect(answer.status).toBe(502)
  expect(await answer.text()).toMatch(/^sparring record could not reach http:\/\/127\.0\.0\.1:9: /)
  const { reply, failure } = await next()
  expect(reply).toBeUndefined()
  expect(failure?.code).toMatch(/ECONNREFUSED|EACCES|EADDRNOTAVAIL/)
})

test('a truncated response is forwarded and logged as truncated', async () => {
  const url = await partnerThat((_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  })
  const { proxy, next } = await standing(url)
  const answer = await fetch(`${proxy.url}/x`)
  await expect(answer.text()).rejects.toThrow('terminated')
  const exchange = await next()
  expect(exchange.reply).toMatchObject({ status: 200, body: 'half' })
  expect(exchange.failure?.code).toBe('ERR_STREAM_PREMATURE_CLOSE')
})

test('a caller that disconnects is logged, and the call to the target is aborted', async () => {
  const asked = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const url = await partnerThat((request) => {
    request.on('close', () => gone.resolve())
    asked.resolve()
  })
  const { proxy, next } = await standing(url)
  const call = httpRequest(`${proxy.url}/x`)
  call.on('error', () => undefined)
  call.end()
  await asked.promise
  call.destroy()
  expect((await next()).failure).toEqual({ code: 'CALLER_GONE', message: 'the caller hung up' })
  await gone.promise
})

test('exchanges in flight are logged before close resolves', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  const url = await partnerThat((_request, response) => asked.resolve(response))
  const { proxy, exchanges } = await standing(url)
  const call = fetch(`${proxy.url}/x`).then((answer) => answer.text())
  const response = await asked.promise
  const closed = proxy.close()
  response.end('late')
  await closed
  expect(await call).toBe('late')
  expect(exchanges.map(({ reply }) => reply?.body)).toEqual(['late'])
})

test('an exchange that does not end is logged as stopped', async () => {
  const asked = Promise.withResolvers<void>()
  const url = await partnerThat(() => asked.resolve())
  const { proxy, exchanges } = await standing(url)
  const call = fetch(`${proxy.url}/x`)
  await asked.promise
  await Promise.all([proxy.close(), expect(call).rejects.toThrow('fetch failed')])
  expect(exchanges.map(({ failure }) => failure?.code)).toEqual(['STOPPED'])
})

test('a manifest is rewritten to the proxy address when configured, and logged as received', async () => {
  const url: string = await partnerThat((request, response) => {
    const text = JSON.stringify({
      baseUrl: `${url}/v2`,
      encoding: request.headers['accept-encoding'],
    })
    response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text)
  })
  const { proxy, next } = await standing(url, {
    rewrites: (path) => path.startsWith('/.well-known/'),
  })
  const manifest = (await (await fetch(`${proxy.url}/.well-known/protocol`)).json()) as object
  expect(manifest).toEqual({ baseUrl: `${proxy.url}/v2` })
  expect((await next()).reply?.body).toContain(`${url}/v2`)
  const other = (await (await fetch(`${proxy.url}/v2`)).json()) as { baseUrl: string }
  expect(other.baseUrl).toBe(`${url}/v2`)
})

test('a path is forwarded as spelt, without URL normalisation', async () => {
  const there = await rawPartner('HTTP/1.1 204 Gone By\r\nConnection: close\r\n\r\n')
  const { proxy, next } = await standing(`${there.url}/api/`)
  const path = `/a/../b/./c?q={"x"}'|\\&y=%C3%BC`
  await sendRaw(
    proxy.url,
    `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Is: END\r\nConnection: close\r\n\r\n`,
  )
  expect(there.heard()).toContain(`GET /api${path} HTTP/1.1\r\n`)
  expect((await next()).request.url).toBe(`${there.url}/api${path}`)
})

test.each([
  ['GET http://sandbox.example/v2/orders?x=1', '/v2/orders?x=1'],
  ['GET http://sandbox.example', '/'],
  ['OPTIONS *', '*'],
])('request target %s is forwarded', async (line, path) => {
  const url = await partnerThat((request, response) => response.end(request.url))
  const { proxy, next } = await standing(url)
  const got = await sendRaw(proxy.url, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect(got).toMatch(/^HTTP\/1\.1 200 /)
  expect(got).toContain(path)
  const whole = path === '*' ? `${url}/*` : `${url}${path}`
  expect((await next()).request.url).toBe(whole)
})

test('a status that HTTP does not know is forwarded and logged as it is', async () => {
  const reply = 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\nConnection: close\r\n\r\n'
  const there = await rawPartner(reply)
  const { proxy, next } = await standing(there.url)
  expect(await sendRaw(proxy.url, 'GET /END HTTP/1.1\r\nHost: x\r\n\r\n')).toBe(reply)
  expect(await next()).toMatchObject({ reply: { status: 99 } })
})

test('a kept-alive connection that the target closes is closed for its caller too: nothing is tried again', async () => {
  const server = createTcpServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      socket.once('data', () => socket.destroy())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { proxy, exchanges } = await standing(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
  const { hostname, port } = new URL(proxy.url)
  const socket = connect(Number(port), hostname)
  const closed = once(socket, 'close')
  socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  socket.write('GET /2 HTTP/1.1\r\nHost: x\r\n\r\n')
  await closed
  await proxy.close()
  expect(exchanges.map(({ failure }) => failure?.code)).toEqual([
    undefined,
    'ERR_STREAM_PREMATURE_CLOSE',
  ])
})

test('when the caller disconnects during a response, the received part is logged', async () => {
  const url = await partnerThat((_request, response) => {
    response.writeHead(201)
    response.write('half')
  })
  const { proxy, next } = await standing(url)
  const answer = await fetch(`${proxy.url}/x`)
  await answer.body?.cancel()
  const { reply, failure } = await next()
  expect(failure?.code).toBe('CALLER_GONE')
  expect(reply).toMatchObject({ status: 201, body: 'half' })
})

test('a response to rewrite is forwarded unchanged when it is compressed or too large', async () => {
  const packed: Buffer = gzipSync('no text, but bytes')
  const large = Buffer.alloc(3_000_000, 'x')
  const url = await partnerThat((request, response) => {
    const isPacked = request.url === '/packed'
    if (isPacked) response.setHeader('content-encoding', 'gzip')
    const body = isPacked ? packed : large
    response.setHeader('content-length', body.length)
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  const { proxy } = await standing(url, { rewrites: () => true })
  expect(await (await fetch(`${proxy.url}/packed`)).text()).toBe('no text, but bytes')
  const got = Buffer.from(await (await fetch(`${proxy.url}/large`)).arrayBuffer())
  expect(got.equals(large)).toBe(true)
  const head = await fetch(`${proxy.url}/large`, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe('3000000')
})

const issued = () => {
  const authority = makeAuthority(Date.now())
  const { certificate, key } = makeServerCertificate(authority.key, Date.now())
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { ca: authority.certificate, cert: certificate, key: pem }
}

/** A TLS target that answers with half a body and resets the connection. */
async function resettingTarget({ cert, key }: ReturnType<typeof issued>) {
  const accepted: Socket[] = []
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const isReset = data.includes('/reset')
      socket.write(
        `HTTP/1.1 200 OK\r\nX-Asked: ${data.toString().split('\r\n', 1)[0]}\r\nContent-Length: ${isReset ? 9 : 4}\r\n\r\nhalf`,
        () => {
          if (!isReset) return
          accepted[0]?.resetAndDestroy()
          accepted[0]?.destroy()
        },
      )
    })
  })
  server.on('connection', (tcp: Socket) => accepted.unshift(tcp))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('over TLS on both sides bytes pass as they are, and a reset is a reset', async () => {
  const theirs = issued()
  const ours = issued()
  const url = await resettingTarget(theirs)
  const { proxy, exchanges } = await standing(url, {
    trust: createSecureContext({ ca: theirs.ca }),
    secure: createSecureContext(ours),
  })
  expect(proxy.url).toMatch(/^https:/)
  const client = connectTls({ port: +new URL(proxy.url).port, host: '127.0.0.1', ca: ours.ca })
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => client.once('error', resolve))
  const heard: Buffer[] = []
  client.on('data', (data: Buffer) => heard.push(data))
  client.write('GET /whole HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(client, 'data')
  client.write('GET /reset HTTP/1.1\r\nHost: x\r\n\r\n')
  expect((await failed).code).toBe('ECONNRESET')
  expect(Buffer.concat(heard).toString()).toBe(
    'HTTP/1.1 200 OK\r\nX-Asked: GET /whole HTTP/1.1\r\nContent-Length: 4\r\n\r\nhalf' +
      'HTTP/1.1 200 OK\r\nX-Asked: GET /reset HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf',
  )
  await proxy.close()
  expect(exchanges.map(({ failure }) => failure?.code)).toEqual([undefined, 'ECONNRESET'])
})

test('a certificate that is not trusted: 502 with what to do; its authority or --insecure help', async () => {
  const theirs = issued()
  const url = await resettingTarget(theirs)
  const certificateRemedy = 'Name it with --ca.'
  const { proxy, next } = await standing(url, { certificateRemedy })
  const refused = await fetch(`${proxy.url}/whole`)
  expect(refused.status).toBe(502)
  expect(await refused.text()).toMatch(
    /^sparring record could not reach https:\/\/127\.0\.0\.1:\d+: .*certificate.* \(.*\)\. Name it with --ca\.\n$/,
  )
  expect((await next()).failure?.code).toMatch(/CERT|VERIFY/)
  for (const trusting of [{ trust: createSecureContext({ ca: theirs.ca }) }, { insecure: true }]) {
    const { proxy: other } = await standing(url, trusting)
    expect(await (await fetch(`${other.url}/whole`)).text()).toBe('half')
  }
})

test('a target with TLS that is not there, and one without TLS', async () => {
  const plain = await partnerThat((_request, response) => response.end())
  for (const target of ['https://127.0.0.1:9', plain.replace('http:', 'https:')]) {
    const { proxy } = await standing(target, { certificateRemedy: 'Name it.' })
    const answer = await fetch(`${proxy.url}/x`)
    expect(answer.status).toBe(502)
    expect(await answer.text()).not.toContain('Name it.')
  }
})

test('a client without TLS at an address with TLS harms nobody', async () => {
  const ours = issued()
  const url = await partnerThat((_request, response) => response.end('ok'))
  const { proxy } = await standing(url, { secure: createSecureContext(ours) })
  await sendRaw(proxy.url, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const client = connectTls({ port: +new URL(proxy.url).port, host: '127.0.0.1', ca: ours.ca })
  client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [data] = (await once(client, 'data')) as [Buffer]
  expect(data.toString()).toMatch(/^HTTP\/1\.1 200 OK/)
  client.destroy()
})
