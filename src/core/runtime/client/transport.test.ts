/** Replies that no server should send, and bodies that are no text, as they come over a socket. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'
import type { InboundReply } from '../server/messages.ts'
import { createSocketTransport, type SocketTransport } from './transport.ts'

let client: SocketTransport
beforeEach(() => void (client = createSocketTransport({ timeoutMs: 5000 })))
afterEach(() => client.close())

/** What a client gets of a service that writes these pieces after each request, each in a packet of its own. */
async function replies(pieces: readonly string[], times = 2): Promise<readonly InboundReply[]> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('data', () => {
      const [first = '', ...rest] = pieces
      socket.write(first, 'latin1', () =>
        setImmediate(() => rest.forEach((each) => socket.write(each, 'latin1'))),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
  const got: InboundReply[] = []
  try {
    for (let nth = 0; nth < times; nth++)
      got.push(await client.transport({ method: 'POST', url, headers: {}, body: '{}' }))
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return got
}

const json = 'Content-Type: application/json\r\n'

test.each([
  ['a body', [`HTTP/1.1 204 No Content\r\n${json}\r\n{}`]],
  ['a length and its body', [`HTTP/1.1 204 No Content\r\n${json}Content-Length: 2\r\n\r\n{}`]],
  ['a length without a body', [`HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n`]],
  ['chunks', [`HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`]],
  ['a page', ['HTTP/1.1 204 No Content\r\n\r\n<html>ok</html>\r\n']],
  ['the body of a 304', [`HTTP/1.1 304 Not Modified\r\n${json}\r\n{}`]],
])('a status that has no body ends with its headers: %s', async (_, pieces) => {
  for (const { status, body, hasStrayBody } of await replies(pieces))
    expect({ status, body, hasStrayBody }).toEqual({
      status: pieces[0]?.includes('304') ? 304 : 204,
      body: '',
      hasStrayBody: true,
    })
})

test.each([
  ['an empty 204', ['HTTP/1.1 204 No Content\r\n\r\n']],
  ['a type alone, as frameworks send it', [`HTTP/1.1 204 No Content\r\n${json}\r\n`]],
  ['a length of 0', ['HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n']],
  ['a 304 with the length of what it stands for', ['HTTP/1.1 304 Not Modified\r\n\r\n']],
])('nothing is wrong with %s', async (_, pieces) => {
  const got = await replies(pieces)
  expect(got.map(({ hasStrayBody }) => hasStrayBody)).toEqual([undefined, undefined])
})

test.each([
  [
    'more than its length says',
    [`HTTP/1.1 200 OK\r\n${json}Content-Length: 2\r\n\r\n{}extra`],
    '{}',
  ],
  ['a body of no length', [`HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n{"ok":true}`], ''],
  [
    'more behind the last chunk',
    [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nxx`],
    '{}',
  ],
])('a reply is as long as its head says: %s', async (_, pieces, body) => {
  for (const reply of await replies(pieces))
    expect(reply).toMatchObject({ body, hasStrayBody: true })
})

test('a reply that breaks within its length is none', async () => {
  const cut = [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}garbage`]
  await expect(replies(cut)).rejects.toThrow('Parse Error')
})

test('a body behind a 204 that comes later spoils no other reply', async () => {
  const got = await replies([`HTTP/1.1 204 No Content\r\n${json}\r\n`, '{}'], 6)
  expect(got.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 204])
})

test('a body that is no UTF-8 goes out and comes back byte by byte', async () => {
  const sent = Buffer.from([0xff, 0xd8, 0x00, 0x0a, 0xe9])
  await using echo = await listenOnSocket((request, response) => {
    request.pipe(response)
  })
  const { url } = echo
  const binary = await client.transport({ method: 'POST', url, headers: {}, bytes: sent })
  expect(Buffer.from(binary.bytes ?? [])).toEqual(sent)
  const text = await client.transport({ method: 'POST', url, headers: {}, body: 'é' })
  expect(text).toMatchObject({ body: 'é' })
  expect(text.bytes).toBeUndefined()
})

test('a header beyond ASCII keeps its bytes beside a text, as it goes out', async () => {
  const note = Buffer.from('João ✓').toString('latin1')
  await using service = await listenOnSocket((request, response) => {
    response.end(Buffer.from([request.headers['x-note']].join(''), 'latin1'))
  })
  const { url } = service
  const headers = { 'x-note': note }
  expect(await client.transport({ method: 'POST', url, headers, body: 'ação' })).toMatchObject({
    body: 'João ✓',
  })
})
