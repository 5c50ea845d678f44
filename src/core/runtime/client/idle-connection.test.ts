/** A request that meets a connection which its server has just closed is sent on a new one; what it may have begun is not repeated. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createSocketTransport, type SocketTransport } from './transport.ts'

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/** A server that treats the requests of all connections in order; returns what became of two calls, one after the other. */
async function callTwice(
  respond: (socket: Socket, request: number) => unknown,
  {
    method = 'POST',
    choose = (each: SocketTransport) => each.transport,
    closesBetween = false,
  } = {},
) {
  let connections = 0
  let requests = 0
  let accepted: Socket | undefined
  const server = createServer((socket) => {
    connections++
    accepted = socket
    socket.on('error', () => undefined)
    socket.on('data', () => respond(socket, ++requests))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets = createSocketTransport({ timeoutMs: 5000 })
  const call = async (): Promise<string> => {
    const sent = { method, url: `http://127.0.0.1:${port}/hook`, headers: {}, body: '{}' }
    try {
      return String((await choose(sockets)(sent)).status)
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error)
    }
  }
  const outcomes = [await call()]
  // The client has not read the end of the connection when it makes the second call.
  if (closesBetween) accepted?.destroy()
  outcomes.push(await call())
  sockets.close()
  await new Promise((resolve) => server.close(resolve))
  return { outcomes, connections, requests }
}

const resetsSecond = (socket: Socket, request: number): unknown =>
  request === 2 ? socket.resetAndDestroy() : socket.write(answer)

test('a call meets a connection that was closed before, and is sent on a new one only', async () => {
  const outcome = await callTwice((socket) => socket.write(answer), { closesBetween: true })
  expect(outcome).toEqual({ outcomes: ['200', '200'], connections: 2, requests: 2 })
})

test('a POST that the service may have begun is not sent again', async () => {
  const outcome = await callTwice(resetsSecond)
  expect(outcome).toEqual({ outcomes: ['200', 'ECONNRESET'], connections: 1, requests: 2 })
})

test('nor is one that the service read before it closed the connection', async () => {
  const outcome = await callTwice((socket, request) =>
    request === 2 ? socket.destroy() : socket.write(answer),
  )
  expect(outcome).toEqual({ outcomes: ['200', 'ECONNRESET'], connections: 1, requests: 2 })
})

test.each(['GET', 'PUT', 'DELETE'])(
  'a %s that breaks off on a kept connection is',
  async (method) => {
    const outcome = await callTwice(resetsSecond, { method })
    expect(outcome).toEqual({ outcomes: ['200', '200'], connections: 2, requests: 3 })
  },
)

test('it is sent again once only: a service that breaks off each call is blamed', async () => {
  const outcome = await callTwice(
    (socket, request) => (request === 1 ? socket.write(answer) : socket.resetAndDestroy()),
    { method: 'PUT' },
  )
  expect(outcome).toEqual({ outcomes: ['200', 'ECONNRESET'], connections: 2, requests: 3 })
})

test('a new connection that breaks off is no idle one', async () => {
  const outcome = await callTwice((socket) => socket.resetAndDestroy())
  expect(outcome).toEqual({
    outcomes: ['ECONNRESET', 'ECONNRESET'],
    connections: 2,
    requests: 2,
  })
})

test('an answer that breaks off in its head was begun, so the call was read', async () => {
  const outcome = await callTwice((socket, request) => {
    if (request === 1) socket.write(answer)
    else socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.destroy())
  })
  expect(outcome).toEqual({ outcomes: ['200', 'ECONNRESET'], connections: 1, requests: 2 })
})

test('to our own hosts nothing is sent again: a fault breaks the connection off', async () => {
  const outcome = await callTwice(resetsSecond, {
    method: 'PUT',
    choose: (each) => each.ownTransport,
  })
  expect(outcome).toEqual({ outcomes: ['200', 'ECONNRESET'], connections: 1, requests: 2 })
})
