/**
 * The recording proxy changes nothing but what the documents say: each conversation of a raw client with a raw server is
 * held twice, directly and through the proxy, and every byte and every end that either side gets is compared.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test, onTestFinished } from 'vitest'
import {
  type Conversation,
  hold,
  type Outcome,
  type RawPeer,
} from '../../../test/support/raw-conversation.ts'
import { isSoak } from '../../../test/support/soak.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { TrafficLog } from '../../core/traffic/log.ts'
import { type ProxyOptions, startProxy } from './proxy.ts'

interface Compared {
  readonly direct: Outcome
  readonly through: Outcome
  /** In the order in which their requests began. */
  readonly exchanges: readonly Exchange[]
  readonly notices: readonly string[]
}

type Differing = Partial<ProxyOptions> & {
  /** The target's URL is its address with this path. */
  readonly basePath?: string
}

async function compare(
  conversation: Conversation,
  { basePath = '', ...more }: Differing = {},
): Promise<Compared> {
  const direct = await hold(conversation)
  const log = new TrafficLog()
  const exchanges: Exchange[] = []
  const notices: string[] = []
  log.onExchange((exchange) => exchanges.push(exchange))
  let close = (): Promise<void> => Promise.resolve()
  const through = await hold(conversation, async (url) => {
    const proxy = await startProxy({
      target: url + basePath,
      from: { role: 'software-service', party: 'subject' },
      to: { role: 'ordering-application', party: 'partner' },
      log,
      recognise: (exchange) => exchange,
      address: '127.0.0.1',
      port: 0,
      onNotice: (notice) => notices.push(notice),
      onBug: (error) => {
        throw error
      },
      ...more,
    })
    close = () => proxy.close()
    onTestFinished(close)
    return proxy.url
  })
  await close()
  return {
    direct,
    through,
    exchanges: exchanges.toSorted((a, b) => a.seq - b.seq),
    notices,
  }
}

/** The address that the client called, in the place of the real one: the proxy says the target's in its Host. */
const named = (outcome: Outcome): Outcome => {
  const neutral = (text: string): string => text.replaceAll(/127\.0\.0\.1:\d+/g, 'address')
  return {
    client: { ...outcome.client, bytes: neutral(outcome.client.bytes) },
    server: outcome.server.map((each) => ({ ...each, bytes: neutral(each.bytes) })),
  }
}

/** Nothing differs; returns what was recorded. */
async function same(conversation: Conversation): Promise<Compared> {
  const compared = await compare(conversation)
  expect(named(compared.through)).toEqual(named(compared.direct))
  return compared
}

const crlf = (...lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join('')
const get = (path: string, host: string, ...more: readonly string[]): string =>
  crlf(`GET ${path} HTTP/1.1`, `Host: ${host}`, ...more, '')
const ok = (body: string): string =>
  crlf('HTTP/1.1 200 OK', `Content-Length: ${body.length}`, '') + body

/** Writes a text, and has been answered once this text has come. */
const asks =
  (text: (host: string) => string, end: string): Conversation['client'] =>
  async (peer) => {
    peer.write(text(peer.host))
    await peer.until(end)
  }

/** Answers once this text has come. */
const answers =
  (begin: string, text: string, then?: (peer: RawPeer) => unknown) =>
  async (peer: RawPeer): Promise<void> => {
    await peer.until(begin)
    peer.write(text)
    await then?.(peer)
  }

describe('versions and framing', () => {
  test('an HTTP/1.0 client gets a body that ends with the connection, and no chunks', async () => {
    const { through, exchanges } = await same({
      client: asks(() => crlf('GET /orders HTTP/1.0', 'Accept: */*', ''), 'to the end'),
      server: answers(
        '\r\n\r\n',
        `${crlf('HTTP/1.0 200 OK', 'Content-Type: text/plain', '')}to the end`,
        (peer) => peer.end(),
      ),
    })
    expect(through.server[0]?.bytes).not.toContain('Host')
    expect(through.client.ending).toBe('end')
    expect(exchanges).toMatchObject([
      {
        request: { method: 'GET', wire: { version: '1.0' } },
        reply: { status: 200, body: 'to the end', wire: { version: '1.0' } },
      },
    ])
    expect(exchanges[0]?.failure).toBeUndefined()
  })

  test('an HTTP/1.0 client that keeps its connection, and an answer of HTTP/1.1', async () => {
    const { exchanges } = await same({
      client: async (peer) => {
        peer.write(crlf('GET /1 HTTP/1.0', 'Connection: Keep-Alive', ''))
        await peer.until('one')
        peer.write(crlf('GET /2 HTTP/1.0', ''))
        await peer.until('two')
      },
      server: async (peer) => {
        await peer.until('/1 HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n')
        peer.write(
          crlf('HTTP/1.1 200 OK', 'Connection: keep-alive', 'Content-Length: 3', '') + 'one',
        )
        await peer.until('/2 HTTP/1.0\r\n\r\n')
        peer.write(crlf('HTTP/1.1 200 OK', 'Connection: close', '') + 'two')
        peer.end()
      },
    })
    expect(exchanges.map(({ reply }) => reply?.body)).toEqual(['one', 'two'])
  })

  test('a POST without a body gets no Transfer-Encoding and no Content-Length', async () => {
    const { through, exchanges } = await same({
      client: asks((host) => crlf('POST /orders/1/confirm HTTP/1.1', `Host: ${host}`, ''), '202'),
      server: answers('\r\n\r\n', crlf('HTTP/1.1 202 Accepted', 'Content-Length: 0', '')),
    })
    expect(through.server[0]?.bytes).toMatch(/^POST [^\r]*\r\nHost: [^\r]*\r\n\r\n$/)
    expect(exchanges[0]?.request).not.toHaveProperty('body')
    expect(exchanges[0]?.reply).not.toHaveProperty('body')
  })

  test('trailers pass both ways with the chunks as they are, and are recorded', async () => {
    const { exchanges } = await same({
      client: asks(
        (host) =>
          crlf('PUT /menu HTTP/1.1', `Host: ${host}`, 'TE: trailers', 'Trailer: X-Sum, X-Sum') +
          crlf(
            'transfer-encoding: Chunked',
            '',
            '4;name="v;1"',
            'Wiki',
            '0005',
            'pedia',
            '000',
            'X-Sum: a',
            'x-sum:b',
            '',
          ),
        'X-After',
      ),
      server: answers(
        'x-sum:b\r\n\r\n',
        crlf(
          'HTTP/1.1 200 OK',
          'Trailer: X-After',
          'Transfer-Encoding: chunked',
          '',
          'A',
          '{"a": "b"}',
          '0',
          'X-After: 1',
          '',
        ),
      ),
    })
    expect(exchanges).toMatchObject([
      {
        request: {
          body: 'Wikipedia',
          wire: {
            trailers: [
              ['X-Sum', 'a'],
              ['x-sum', 'b'],
            ],
          },
        },
        reply: { status: 200, body: '{"a": "b"}', wire: { trailers: [['X-After', '1']] } },
      },
    ])
  })

  test('answers that have no body although they have a length', async () => {
    const { exchanges } = await same({
      client: async (peer) => {
        peer.write(crlf('HEAD /menu HTTP/1.1', `Host: ${peer.host}`, ''))
        await peer.until('512')
        peer.write(get('/menu', peer.host, 'If-None-Match: "1"'))
        await peer.until('304')
        peer.write(crlf('DELETE /menu HTTP/1.1', `Host: ${peer.host}`, ''))
        await peer.until('204')
        peer.write(get('/last', peer.host))
        await peer.until('last')
      },
      server: async (peer) => {
        await peer.until('HEAD')
        peer.write(crlf('HTTP/1.1 200 OK', 'Content-Length: 512', ''))
        await peer.until('GET')
        peer.write(crlf('HTTP/1.1 304 Not Modified', 'Content-Length: 512', ''))
        await peer.until('DELETE')
        peer.write(crlf('HTTP/1.1 204 No Content', 'Transfer-Encoding: chunked', ''))
        await peer.until('/last')
        peer.write(ok('last'))
      },
    })
    expect(exchanges.map(({ reply }) => [reply?.status, reply?.body])).toEqual([
      [200, undefined],
      [304, undefined],
      [204, undefined],
      [200, 'last'],
    ])
  })

  test('order, case, spelling and duplicates of headers, hop-by-hop ones and odd line ends too', async () => {
    const { exchanges } = await same({
      client: asks(
        (host) =>
          `\r\nGET /a/../%7e?q={"x"}|\\ HTTP/1.1\r\nX-B: 1\r\nhOsT:${host}\r\nx-b:  2 \r\nX-B:\r\n` +
          'X-Folded: one\r\n  two\r\nConnection: Keep-Alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\nProxy-Connection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\n\r\n',
        'done',
      ),
      server: answers(
        'Insecure-Requests: 1\r\n\r\n',
        'HTTP/1.1 200 As  You Wish \r\nset-cookie: a=1\r\nSet-Cookie: b=2; Path=/\r\nKeep-Alive: timeout=5\r\nvia: 1.1 theirs\r\ncontent-length:4\n\ndone',
      ),
    })
    expect(
      exchanges[0]?.request.headers
        .slice(0, 5)
        .map(([name, value]) => `${name}=${value}`.replace(/address|127.*/, 'host')),
    ).toEqual(['X-B=1', 'hOsT=host', 'x-b=2', 'X-B=', 'X-Folded=one two'])
  })
})

describe('more than one message', () => {
  const expecting = (host: string): string =>
    crlf('POST /orders HTTP/1.1', `Host: ${host}`, 'Expect: 100-continue', 'Content-Length: 4', '')

  test('Expect: 100-continue waits for the 100 of the server', async () => {
    const { exchanges } = await same({
      client: async (peer) => {
        peer.write(expecting(peer.host))
        await peer.until('100 Continue\r\n\r\n')
        peer.write('body')
        await peer.until('201')
      },
      server: async (peer) => {
        await peer.until('\r\n\r\n')
        expect(peer.heard()).not.toContain('body')
        peer.write(crlf('HTTP/1.1 100 Continue', ''))
        await peer.until('body')
        peer.write(crlf('HTTP/1.1 201 Created', 'Content-Length: 0', ''))
      },
    })
    expect(exchanges).toMatchObject([{ request: { body: 'body' }, reply: { status: 201 } }])
  })

  test('Expect: 100-continue that is refused: the body is never sent', async () => {
    const { exchanges } = await same({
      client: async (peer) => {
        peer.write(expecting(peer.host))
        await peer.until('417')
      },
      server: answers(
        '\r\n\r\n',
        crlf('HTTP/1.1 417 Expectation Failed', 'Content-Length: 0', 'Connection: close', ''),
        (peer) => peer.end(),
      ),
    })
    expect(exchanges).toMatchObject([{ reply: { status: 417 } }])
    expect(exchanges[0]?.failure).toBeUndefined()
  })

  test('103 Early Hints and other interim answers come when they are sent', async () => {
    const { exchanges } = await same({
      client: async (peer) => {
        peer.write(get('/page', peer.host))
        await peer.until('</a.css>')
        // The server goes on only then.
        peer.write(get('/hinted', peer.host))
        await peer.until('second')
      },
      server: async (peer) => {
        await peer.until('/page')
        peer.write(crlf('HTTP/1.1 102 Processing', ''))
        peer.write(crlf('HTTP/1.1 103 Early Hints', 'Link: </a.css>; rel=preload', ''))
        await peer.until('/hinted')
        peer.write(ok('first') + ok('second'))
      },
    })
    expect(exchanges.map(({ reply }) => [reply?.status, reply?.body])).toEqual([
      [200, 'first'],
      [200, 'second'],
    ])
  })

  test('pipelined requests go on over one connection, in order, and are told apart', async () => {
    const { through, exchanges } = await same({
      client: asks(
        (host) =>
          get('/1', host) +
          crlf('POST /2 HTTP/1.1', `Host: ${host}`, 'Content-Length: 3', '') +
          'two' +
          get('/3', host),
        'three',
      ),
      server: async (peer) => {
        await peer.until('GET /3')
        peer.write(
          ok('one') +
            crlf('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '1', 't', '2', 'wo', '0', ''),
        )
        peer.write(ok('three'))
      },
    })
    expect(through.server).toHaveLength(1)
    expect(
      exchanges.map(({ request, reply }) => [request.method, request.body, reply?.body]),
    ).toEqual([
      ['GET', undefined, 'one'],
      ['POST', 'two', 'two'],
      ['GET', undefined, 'three'],
    ])
  })

  test('more pipelined requests than may wait for their answers', async () => {
    const count = 5000
    const request = get('/menu', 'x')
    const { direct, through, exchanges } = await compare(
      {
        client: async (peer) => {
          peer.write(request.repeat(count))
          await peer.received(ok('menu').length * count)
        },
        server: async (peer) => {
          for (let asked = 1000; asked <= count; asked += 1000) {
            await peer.received(request.length * asked)
            peer.write(ok('menu').repeat(1000))
          }
        },
      },
      { keepHost: true },
    )
    expect(through).toEqual(direct)
    expect(exchanges.filter(({ reply }) => reply?.body === 'menu')).toHaveLength(count)
  })

  test('server-sent events come one by one', async () => {
    const { exchanges } = await same({
      client: async (peer) => {
        peer.write(get('/events', peer.host, 'Accept: text/event-stream'))
        for (const event of ['one', 'two', 'three']) {
          await peer.until(`data: ${event}`)
          // The server sends the next one only when it has read this.
          peer.write(crlf(`GET /got/${event} HTTP/1.1`, `Host: ${peer.host}`, ''))
        }
        await peer.until('0\r\n\r\n')
      },
      server: async (peer) => {
        await peer.until('event-stream')
        peer.write(
          crlf(
            'HTTP/1.1 200 OK',
            'Content-Type: text/event-stream',
            'Transfer-Encoding: chunked',
            '',
          ),
        )
        for (const event of ['one', 'two', 'three']) {
          const text = `data: ${event}\n\n`
          peer.write(`${text.length.toString(16)}\r\n${text}\r\n`)
          await peer.until(`/got/${event}`)
        }
        peer.write('0\r\n\r\n' + ok('') + ok('') + ok(''))
      },
    })
    expect(exchanges[0]?.reply?.body).toBe('data: one\n\ndata: two\n\ndata: three\n\n')
  })

  test('an upgrade (WebSocket) passes, and what both sides say from there on', async () => {
    const { exchanges, notices } = await same({
      client: async (peer) => {
        peer.write(
          get(
            '/socket',
            peer.host,
            'Connection: Upgrade',
            'Upgrade: websocket',
            'Sec-WebSocket-Key: dGhlIHNhbXBsZQ==',
          ),
        )
        await peer.until('\x81\x05hello')
        peer.write('\x81\x82\0\0\0\0hi GET / HTTP/1.1\r\n\r\n')
        await peer.until('\x88')
        peer.end()
      },
      server: async (peer) => {
        await peer.until('\r\n\r\n')
        peer.write(
          `${crlf('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket', '')}\x81\x05hello`,
        )
        await peer.until('\x81\x82')
        peer.write('HTTP/1.1 200 no more\r\n\r\n\x88')
        await peer.ending
      },
    })
    expect(exchanges).toMatchObject([{ reply: { status: 101 } }])
    expect(exchanges[0]?.failure).toBeUndefined()
    expect(notices).toEqual([
      'a connection went over to websocket: from there on it is not recorded',
    ])
  })

  test('a refused upgrade: the next request on the connection is one', async () => {
    const { exchanges } = await same({
      client: asks(
        (host) =>
          get('/socket', host, 'Connection: keep-alive, Upgrade', 'Upgrade: h2c') +
          get('/next', host),
        'next',
      ),
      server: async (peer) => {
        await peer.until('h2c\r\n\r\n')
        peer.write(crlf('HTTP/1.1 426 Upgrade Required', 'Content-Length: 0', ''))
        await peer.until('/next')
        peer.write(ok('next'))
      },
    })
    expect(exchanges.map(({ reply }) => reply?.status)).toEqual([426, 200])
  })
})

describe('ends', () => {
  const post = (host: string): string =>
    crlf('POST /orders HTTP/1.1', `Host: ${host}`, 'Content-Length: 100', '') + 'half'
  const half = `${crlf('HTTP/1.1 200 OK', 'Content-Length: 100', '')}half`

  test('a client that resets in the middle of its body resets the server', async () => {
    const { through, exchanges } = await same({
      client: async (peer) => {
        peer.write(post(peer.host))
        await peer.until('100')
        peer.reset()
      },
      server: answers('half', crlf('HTTP/1.1 100 Continue', ''), (peer) => peer.ending),
    })
    expect(through.server[0]?.ending).toBe('reset')
    expect(exchanges).toMatchObject([
      { request: { body: 'half' }, failure: { code: 'CALLER_GONE' } },
    ])
    expect(exchanges[0]?.reply).toBeUndefined()
  })

  test('a client that ends in the middle of its head or its body', async () => {
    for (const cut of [-'h: 100\r\n\r\nhalf'.length, undefined]) {
      const { through } = await same({
        client: (peer) => {
          peer.write(post(peer.host).slice(0, cut))
          peer.end()
        },
        server: async (peer) => void (await peer.ending),
      })
      expect(through.server[0]).toMatchObject({ ending: 'end' })
    }
  })

  test('a client that resets while it is answered resets the server', async () => {
    const { through, exchanges } = await same({
      client: async (peer) => {
        peer.write(get('/orders', peer.host))
        await peer.until('half')
        peer.reset()
      },
      server: answers('\r\n\r\n', half, (peer) => peer.ending),
    })
    expect(through.server[0]?.ending).toBe('reset')
    expect(exchanges).toMatchObject([
      { reply: { status: 200, body: 'half' }, failure: { code: 'CALLER_GONE' } },
    ])
  })

  test('a client that has sent everything and ends its half still gets its answer', async () => {
    const { exchanges } = await same({
      client: async (peer) => {
        peer.write(get('/orders', peer.host))
        peer.end()
        await peer.until('whole')
      },
      server: async (peer) => {
        await peer.ending
        peer.write(ok('whole'))
      },
    })
    expect(exchanges).toMatchObject([{ reply: { body: 'whole' } }])
    expect(exchanges[0]?.failure).toBeUndefined()
  })

  test('a server that resets in the middle of its body resets the client', async () => {
    const { through, exchanges } = await same({
      client: async (peer) => {
        peer.write(get('/orders', peer.host))
        await peer.until('half')
        await peer.ending
      },
      server: async (peer) => {
        await peer.until('\r\n\r\n')
        peer.write(half)
        // Sent before the reset, which would overtake it.
        await new Promise((resolve) => peer.socket.write('', resolve))
        peer.reset()
      },
    })
    expect(through.client.ending).toBe('reset')
    expect(exchanges).toMatchObject([
      { reply: { status: 200, body: 'half' }, failure: { code: 'ECONNRESET' } },
    ])
  })

  test('a server that ends in the middle of its body, or without an answer', async () => {
    for (const [text, reply] of [
      [half, { status: 200, body: 'half' }],
      ['', undefined],
    ] as const) {
      const { through, exchanges } = await same({
        client: async (peer) => {
          peer.write(get('/orders', peer.host))
          await peer.ending
        },
        server: answers('\r\n\r\n', text, (peer) => peer.end()),
      })
      expect(through.client.ending).toBe('end')
      expect(exchanges[0]?.failure?.code).toBe('ERR_STREAM_PREMATURE_CLOSE')
      expect(exchanges[0]?.reply?.body).toBe(reply?.body)
    }
  })

  test('an answer before the body has been sent', async () => {
    const { exchanges } = await same({
      client: async (peer) => {
        peer.write(post(peer.host))
        await peer.until('413')
        peer.end()
        await peer.ending
      },
      server: answers('half', crlf('HTTP/1.1 413 Content Too Large', 'Content-Length: 0', '')),
    })
    expect(exchanges).toMatchObject([{ request: { body: 'half' }, reply: { status: 413 } }])
    expect(exchanges[0]?.failure).toBeUndefined()
  })
})

describe('what is no HTTP', () => {
  test.each([
    ['no request line', 'hello there\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a coding that is not chunked',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n',
    ],
  ])(
    'a request with %s is passed on, and the client gets the answer of the server',
    async (_what, text) => {
      const { exchanges, notices } = await same({
        client: asks(() => text, '400'),
        server: answers(
          '\r\n\r\n',
          crlf('HTTP/1.1 400 Bad Request', 'Connection: close', ''),
          (peer) => peer.end(),
        ),
      })
      expect(exchanges).toEqual([])
      expect(notices[0]).toMatch(/^a request is passed on and not recorded: /)
    },
  )

  test('a chunk that is longer than it says is passed on, and recorded as such', async () => {
    const { exchanges } = await same({
      client: asks((host) => get('/menu', host), 'overlong\r\n'),
      server: answers(
        '\r\n\r\n',
        `${crlf('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '4')}overlong\r\n`,
        (peer) => peer.end(),
      ),
    })
    expect(exchanges).toMatchObject([{ reply: { status: 200 }, failure: { code: 'NOT_HTTP' } }])
  })

  test('an answer that is none is passed on, and recorded as such', async () => {
    const { exchanges } = await same({
      client: asks((host) => get('/menu', host), 'SSH'),
      server: answers('\r\n\r\n', 'SSH-2.0-OpenSSH_9.6\r\n', (peer) => peer.end()),
    })
    expect(exchanges[0]).toMatchObject({ failure: { code: 'NOT_HTTP' } })
  })
})

/**
 * A row of the table in the document, and what shows it: everything else that the server or the client gets is the
 * same.
 */
const documentedDifferences: Readonly<Record<string, () => Promise<void>>> = {
  async Host() {
    const conversation: Conversation = {
      client: asks((host) => get('/menu', host), 'menu'),
      server: answers('\r\n\r\n', ok('menu')),
    }
    const changed = await compare(conversation)
    const called = /Host: (.*)\r/.exec(changed.through.server[0]?.bytes ?? '')?.[1] ?? ''
    expect(changed.exchanges[0]?.request.url).toBe(`http://${called}/menu`)
    expect(changed.exchanges[0]?.request.headers).not.toEqual([['Host', called]])
    const kept = await compare(conversation, { keepHost: true })
    expect(kept.exchanges[0]?.request.headers).toEqual([
      ['Host', /Host: (.*)\r/.exec(kept.through.server[0]?.bytes ?? '')?.[1]],
    ])
  },
  async path() {
    for (const [asked, sent] of [
      ['/menu?x=1', '/api/menu?x=1'],
      ['http://partner.example/menu', '/api/menu'],
      ['http://partner.example', '/api/'],
      ['*', '*'],
    ] as const) {
      const { direct, through } = await compare(
        {
          client: asks((host) => crlf(`OPTIONS ${asked} HTTP/1.1`, `Host: ${host}`, ''), 'ok'),
          server: answers('\r\n\r\n', ok('ok')),
        },
        { basePath: '/api/' },
      )
      const [line = '', ...rest] = named(direct).server[0]?.bytes.split('\r\n') ?? []
      expect(line).toBe(`OPTIONS ${asked} HTTP/1.1`)
      expect(named(through).server[0]?.bytes.split('\r\n')).toEqual([
        `OPTIONS ${sent} HTTP/1.1`,
        ...rest,
      ])
      expect(through.client).toEqual(direct.client)
    }
  },
  async manifest() {
    const ends = ['Content-Length: 60', 'Transfer-Encoding: chunked'] as const
    const framed = (text: string, end: (typeof ends)[number]): string =>
      end === ends[0] ? text.padEnd(60) : crlf(text.length.toString(16), text, '0', 'X-Sum: 1', '')
    for (const end of ends) {
      const { direct, through } = await compare(
        {
          client: async (peer) => {
            peer.write(get('/.well-known/x', peer.host, 'Accept-Encoding: gzip', 'X-Last: 1'))
            await peer.until('/v2"')
            peer.write(get('/menu', peer.host, 'Accept-Encoding: gzip'))
            await peer.until('"menu"')
          },
          server: async (peer) => {
            const base = `http://127.0.0.1:${peer.socket.localPort}/api`
            await peer.until('\r\n\r\n')
            peer.write(crlf('HTTP/1.1 200 OK', end, '') + framed(`"${base}/v2"`, end))
            await peer.until('/menu')
            peer.write(ok(`"${base}" "menu"`))
          },
        },
        { basePath: '/api', rewrites: (path) => path.startsWith('/.well-known/') },
      )
      expect(named(through).server[0]?.bytes).toBe(
        named(direct)
          .server[0]?.bytes.replace('Accept-Encoding: gzip\r\nX-Last', 'X-Last')
          .replaceAll('GET /', 'GET /api/'),
      )
      const [, manifest = '', menu] = through.client.bytes.split('HTTP/1.1 200 OK\r\n')
      const [, ours = ''] = /"(.*)\/v2"/.exec(manifest) ?? []
      const [, theirs = ''] = /"(.*)" "menu"/.exec(menu ?? '') ?? []
      expect(ours).not.toBe(theirs)
      const text = `"${theirs}/v2"`.padEnd(60).replace(theirs, ours)
      expect(manifest).toBe(
        end === ends[0]
          ? crlf(`Content-Length: ${text.length}`, '') + text
          : crlf(end, '') + framed(text.trim(), end),
      )
    }
  },
  async unreachable() {
    const { through, exchanges } = await compare(
      {
        client: async (peer) => {
          peer.write(get('/menu', peer.host))
          await peer.ending
        },
        server: answers('\r\n\r\n', '', (peer) => peer.end()),
      },
      { target: 'http://127.0.0.1:9' },
    )
    expect(through.server).toEqual([])
    expect(through.client.bytes).toMatch(
      /^HTTP\/1\.1 502 Bad Gateway\r\n[^]*X-Sparring-Proxy: unreachable\r\n[^]*could not reach http:\/\/127\.0\.0\.1:9: connect ECONNREFUSED/,
    )
    expect(exchanges).toMatchObject([{ failure: { code: 'ECONNREFUSED' } }])
  },
  async refused() {
    for (const [request, status, sentence] of [
      [
        'CONNECT partner.example:443 HTTP/1.1\r\nHost: partner.example:443\r\n\r\n',
        '501 Not Implemented',
        'Give your service this address as that of the partner',
      ],
      [
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        '505 HTTP Version Not Supported',
        'cannot read HTTP/2.0. Have the client speak HTTP/1.1.',
      ],
    ] as const) {
      const { through, notices } = await compare({
        client: async (peer) => {
          // An answer that is due comes first.
          peer.write(get('/menu', peer.host) + request)
          await peer.ending
        },
        server: answers('\r\n\r\n', ok('menu'), (peer) => peer.end()),
      })
      expect(through.server[0]?.bytes).not.toContain(request)
      expect(through.client.bytes).toContain(`${ok('menu')}HTTP/1.1 ${status}\r\n`)
      expect(through.client.bytes).toContain('X-Sparring-Proxy: refused\r\n')
      expect(through.client.bytes).toContain(sentence)
      expect(notices).toEqual([expect.stringContaining(sentence)])
    }
  },
}

describe('what differs is documented, and nothing else differs', () => {
  test.each(Object.entries(documentedDifferences))('%s', async (_name, shows) => {
    expect.hasAssertions()
    await shows()
  })

  test('the table of the document has these rows', () => {
    const text = readFileSync(new URL('../../../docs/recording-proxy.md', import.meta.url), 'utf8')
    const rows = Array.from(text.matchAll(/^\| (\w+) +\|/gm), ([, what]) => what)
    expect(rows).toEqual(['what', ...Object.keys(documentedDifferences)])
  })
})

describe('size', () => {
  const bytes = (isSoak ? 100 : 3) * 1024 * 1024
  const block = Buffer.alloc(1024 * 1024, 'sparring 0123456789')

  async function writeBlocks({ socket }: RawPeer): Promise<void> {
    for (let sent = 0; sent < bytes; sent += block.length)
      if (!socket.write(block)) await once(socket, 'drain')
  }

  test(`${bytes / block.length} MB up and as many down`, async () => {
    const head = crlf('POST /backup HTTP/1.1', 'Host: x', `Content-Length: ${bytes}`, '')
    const reply = crlf('HTTP/1.1 200 OK', 'Connection: close', '')
    const { direct, through, exchanges } = await compare(
      {
        client: async (peer) => {
          peer.write(head)
          await writeBlocks(peer)
          await peer.received(reply.length + bytes)
        },
        server: async (peer) => {
          await peer.received(head.length + bytes)
          peer.write(reply)
          await writeBlocks(peer)
          peer.end()
        },
      },
      { keepHost: true },
    )
    expect(through).toEqual(direct)
    expect(through.client.bytes.length + through.client.rest.bytes).toBe(reply.length + bytes)
    const [{ request, reply: got } = {}] = exchanges
    for (const message of [request, got])
      expect(message?.wire?.bytes ?? message?.body?.length).toBe(bytes)
  })

  /** Bytes that the other side has taken, or something on the way to it, when no more are. */
  async function takenUntilFull({ socket }: RawPeer): Promise<number> {
    const maxBlocks = 64
    for (let sent = 0; sent < maxBlocks; sent++) {
      socket.write(block)
      // Client, proxy and server share one event loop: what can move has moved after some turns of it.
      for (let turn = 0; turn < 2000 && socket.writableNeedDrain; turn++) await setImmediate()
      if (socket.writableNeedDrain) break
    }
    return socket.bytesWritten - socket.writableLength
  }

  test('a side that does not read stops the other one: nothing is piled up on the way', async () => {
    const taken: number[] = []
    const fill = async (writer: RawPeer, reader: RawPeer): Promise<void> => {
      reader.socket.pause()
      taken.push(await takenUntilFull(writer))
      reader.socket.resume()
      writer.reset()
    }
    for (const isUpload of [true, false]) {
      let reading = Promise.withResolvers<RawPeer>()
      await compare({
        client: async (peer) => {
          peer.write(
            crlf('POST /backup HTTP/1.1', `Host: ${peer.host}`, 'Content-Length: 99999999', ''),
          )
          if (isUpload) await fill(peer, await reading.promise)
          else reading.resolve(peer)
          await peer.ending
        },
        server: async (peer) => {
          await peer.until('\r\n\r\n')
          if (isUpload) reading.resolve(peer)
          else {
            peer.write(crlf('HTTP/1.1 200 OK', ''))
            await fill(peer, await reading.promise)
          }
          await peer.ending
          reading = Promise.withResolvers()
        },
      })
    }
    expect(taken).toHaveLength(4)
    // The buffers of the system, twice where there are two connections.
    expect(Math.max(...taken)).toBeLessThan(40 * block.length)
  })
})
