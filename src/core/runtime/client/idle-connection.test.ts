/** A request that meets a connection which its server has just closed is sent again on a new one; other failures stay. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createSocketTransport, type SocketTransport } from './transport.ts'

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/** A server that treats the requests of all connections in order; returns what became of two calls, one after the other. */
async function callTwice(
  respond: (socket: Socket, request: number) => void,
  choose: (sockets: SocketTransport) => SocketTransport['transport'] = (each) => each.transport,
) {
  let connections = 0
  let requests = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => undefined)
    socket.on('data', () => respond(socket, ++requests))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets = createSocketTransport({ timeoutMs: 5000 })
  const call = async (): Promise<string> => {
    const sent = { method: 'POST', url: `http://127.0.0.1:${port}/hook`, headers: {}, body: '{}' }
    try {
      return String((await choose(sockets)(sent)).status)
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error)
    }
  }
  const outcomes = [await call(), await call()]
  sockets.close()
  await new Promise((resolve) => server.close(resolve))
  return { outcomes, connections, requests }
}

test('the second call meets a closed connection and is answered on a new one', async () => {
  const outcome = await callTwice((socket, request) =>
    request === 2 ? socket.resetAndDestroy() : socket.write(answer),
  )
  expect(outcome).toEqual({ outcomes: ['200', '200'], connections: 2, requests: 3 })
})

test('it is sent again once only: a service that breaks off each call is blamed', async () => {
  const outcome = await callTwice((socket, request) =>
    request === 1 ? socket.write(answer) : socket.resetAndDestroy(),
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
  const outcome = await callTwice(
    (socket, request) => (request === 2 ? socket.resetAndDestroy() : socket.write(answer)),
    (each) => each.ownTransport,
  )
  expect(outcome).toEqual({ outcomes: ['200', 'ECONNRESET'], connections: 1, requests: 2 })
})
